internal import FirestoreModel
internal import KeyValue

// What an index holds of documents. The key of an entry is the prefix of the index, a part for each field, the name key and
// 00; its value is how many bytes the last two take, big end first. A part is the `ValueKey` of what the field holds, of long
// values only of their beginning, with all bits turned where the order descends. So the keys behind the prefix sort as the
// `SortKey`s of the documents do, and who needs the rest of a long value looks at the document.

extension Keys {
  static func index(_ number: DatabaseNumber, _ id: UInt64) -> [UInt8] {
    var writer = KeyWriter(StorageKey.database(number))
    writer.unsigned(id)
    return writer.bytes
  }
}

extension IndexShape.Field {
  /// The part of an entry for `value`.
  func key(of value: Value) -> [UInt8] {
    let key = ValueKey.encode(value.indexed)
    return switch part {
    case .ascending, .element: key
    case .descending: key.map { ~$0 }
    }
  }
}

/// What an entry says.
struct IndexEntry: Hashable, Sendable {
  /// The key behind the prefix of the entries that were asked for.
  let place: [UInt8]
  let path: DocumentPath

  init(_ pair: KeyValuePair, behind prefix: Int) throws(StoreError) {
    guard pair.value.count == 2 else { throw .damaged }
    let name = pair.key.count - Int(pair.value[0]) << 8 - Int(pair.value[1])
    guard name >= prefix, pair.key.count > name,
      let segments = NameKey.decode(pair.key, from: name, to: pair.key.count - 1),
      !segments.isEmpty,
      segments.count % 2 == 0
    else { throw .damaged }
    self.place = Array(pair.key[prefix...])
    self.path = DocumentPath(segments: segments)
  }

  /// The end of the places of a document.
  static func name(_ path: DocumentPath) -> [UInt8] { NameKey.document(path) + [0] }
}

extension IndexDefinition {
  /// The entries of a document: none if a field is missing, several for the elements of an array.
  func entries(
    of path: DocumentPath, _ fields: StoredFields, in number: DatabaseNumber
  ) throws(FirestoreError) -> [KeyValuePair] {
    var keys = [Keys.index(number, id)]
    for field in shape.fields {
      guard let value = try fields.value(at: field.path) else { return [] }
      switch field.part {
      case .ascending, .descending:
        let part = field.key(of: value)
        for index in keys.indices { keys[index] += part }
      case .element:
        guard case .array(let elements) = value else { return [] }
        let parts = Set(elements.map(field.key))
        keys = keys.flatMap { key in parts.map { key + $0 } }
      }
    }
    let name = IndexEntry.name(path)
    let value = [UInt8(truncatingIfNeeded: name.count >> 8), UInt8(truncatingIfNeeded: name.count)]
    return keys.map { KeyValuePair(key: $0 + name, value: value) }
  }

  /// Changes the entries of a document that was `before` and is `after`.
  func update(
    _ transaction: any StoreTransaction, _ number: DatabaseNumber, _ path: DocumentPath,
    before: StoredFields?, after: StoredFields?
  ) throws {
    let old = try before.map { try entries(of: path, $0, in: number) } ?? []
    let new = try after.map { try entries(of: path, $0, in: number) } ?? []
    guard old != new else { return }
    let kept = Set(new.map(\.key))
    for entry in old where !kept.contains(entry.key) { try transaction.delete(.entries, entry.key) }
    let known = Set(old.map(\.key))
    for entry in new where !known.contains(entry.key) {
      try transaction.put(.entries, entry.key, entry.value)
    }
  }
}
