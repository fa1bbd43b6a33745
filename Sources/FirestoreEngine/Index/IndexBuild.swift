internal import FirestoreModel
internal import KeyValue

/// A step of building an index, inside a write.
///
/// Commits keep the entries of the documents that were come to; the others are read as they are when it is their turn.
struct IndexBuild {
  private static let rowsPerStep = 128
  private static let rowsPerScan = 16
  private static let bytesPerStep = 256 << 10

  let transaction: any StoreTransaction
  let number: DatabaseNumber
  let definition: IndexDefinition

  /// Puts the entries of the next documents; returns where to go on, `nil` at the end.
  func step(from position: IndexDefinition.Position) throws -> IndexDefinition.Position? {
    var position = position
    var rows = 0
    var bytes = 0
    while rows < Self.rowsPerStep, bytes < Self.bytesPerStep {
      guard let (group, collection) = try collection(from: position.collection) else { return nil }
      if group != position.collection {
        position = IndexDefinition.Position(collection: group, document: [])
      }
      var range = KeyRange(prefix: StorageKey.collection(number, collection))
      if range.lower.lexicographicallyPrecedes(position.document) {
        range.lower = position.document
      }
      let pairs = try transaction.scan(.documents, range, .ascending, limit: Self.rowsPerScan)
      for pair in pairs {
        bytes += try put(pair)
        position.document = KeyPrefix.next(after: pair.key)
      }
      rows += max(1, pairs.count)
      if pairs.count < Self.rowsPerScan {
        position = IndexDefinition.Position(collection: KeyPrefix.next(after: group), document: [])
      }
    }
    return position
  }

  /// Returns the bytes of what was read and written.
  private func put(_ pair: KeyValuePair) throws -> Int {
    guard let (_, path) = StorageKey.decode(pair.key) else { throw StoreError.damaged }
    let record = try DocumentRecord(decoding: pair.value)
    let entries = try definition.entries(of: path, record.fields, in: number)
    for entry in entries { try transaction.put(.entries, entry.key, entry.value) }
    return entries.reduce(pair.value.count) { $0 + $1.key.count }
  }

  /// The first collection of the index whose key in the groups is not before `key`.
  private func collection(
    from key: [UInt8]
  ) throws(StoreError) -> (group: [UInt8], path: CollectionPath)? {
    switch definition.shape.scope {
    case .collection(let path):
      let group = Keys.group(number, path)
      return group.lexicographicallyPrecedes(key) ? nil : (group, path)
    case .group(let id):
      let prefix = Keys.group(number, id: id)
      var range = KeyRange(prefix: prefix)
      if range.lower.lexicographicallyPrecedes(key) { range.lower = key }
      guard let pair = try transaction.scan(.groups, range, .ascending, limit: 1).first else {
        return nil
      }
      guard let parent = NameKey.decode(pair.key, from: prefix.count), parent.count % 2 == 0 else {
        throw .damaged
      }
      return (pair.key, CollectionPath(segments: parent + [id]))
    }
  }
}
