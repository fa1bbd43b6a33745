internal import Coding
internal import FirestoreModel
internal import KeyValue

/// An index in the store.
///
/// Its definition begins with a byte for the state; while it is built, the position follows as two texts.
/// ```
/// | state | position … | version | scope, count, ids … | count, fields … |
/// ```
/// The version is that of the write that made the definition, eight bytes, big end first. Counts are compact. A scope is 01 and
/// the ids of a collection's path, or 02 and the id of a group; a field is its `Part`, a count and its names. Ids and names are
/// texts.
struct IndexDefinition: Hashable, Sendable {
  /// Where the building goes on: the documents before this are in the index, in the order of the keys of their groups and then
  /// of their own.
  struct Position: Hashable, Sendable {
    var collection: [UInt8] = []
    var document: [UInt8] = []
  }

  enum State: Hashable, Sendable {
    case building(Position)
    case ready
    case dropping
  }

  let id: UInt64
  /// Tells indexes apart that had the same id one after the other.
  let version: Int64
  let shape: IndexShape
  var state: State

  init(id: UInt64, version: Int64, _ shape: IndexShape) {
    self.id = id
    self.version = version
    self.shape = shape
    self.state = .building(Position())
  }

  /// Whether the entries of the document are kept; not while the building has yet to come to it.
  func covers(_ path: DocumentPath, _ key: [UInt8], in number: DatabaseNumber) -> Bool {
    guard shape.scope.contains(path.collection) else { return false }
    switch state {
    case .ready: return true
    case .dropping: return false
    case .building(let position):
      let group = Keys.group(number, path.collection)
      return group == position.collection
        ? key.lexicographicallyPrecedes(position.document)
        : group.lexicographicallyPrecedes(position.collection)
    }
  }
}

// MARK: - Stored form

extension IndexDefinition {
  private static let building: UInt8 = 0
  private static let ready: UInt8 = 1
  private static let dropping: UInt8 = 2
  private static let collection: UInt8 = 1
  private static let group: UInt8 = 2

  var encoded: [UInt8] {
    var writer = KeyWriter()
    switch state {
    case .building(let position):
      writer.byte(Self.building)
      writer.bytes(position.collection)
      writer.bytes(position.document)
    case .ready: writer.byte(Self.ready)
    case .dropping: writer.byte(Self.dropping)
    }
    writer.version(version)
    switch shape.scope {
    case .collection(let path):
      writer.byte(Self.collection)
      writer.texts(path.segments)
    case .group(let id):
      writer.byte(Self.group)
      writer.texts([id])
    }
    writer.compact(UInt64(shape.fields.count))
    for field in shape.fields {
      writer.byte(field.part.rawValue)
      writer.texts(field.path.segments)
    }
    return writer.bytes
  }

  init(_ pair: KeyValuePair) throws(StoreError) {
    var keyReader = KeyReader(pair.key)
    var reader = KeyReader(pair.value)
    guard keyReader.compact() != nil, let id = keyReader.unsigned(),
      let state = reader.indexState(), let version = reader.version(),
      let scope = reader.indexScope(), let fields = reader.indexFields(), reader.isAtEnd
    else { throw .damaged }
    self.init(id: id, version: version, IndexShape(scope: scope, fields: fields))
    self.state = state
  }
}

extension KeyWriter {
  fileprivate mutating func texts(_ texts: [UTF8String]) {
    compact(UInt64(texts.count))
    for text in texts { self.text(text) }
  }
}

extension KeyReader {
  fileprivate mutating func indexState() -> IndexDefinition.State? {
    switch byte() {
    case 0:
      guard let collection = content(), let document = content() else { return nil }
      return .building(IndexDefinition.Position(collection: collection, document: document))
    case 1: return .ready
    case 2: return .dropping
    case nil, .some: return nil
    }
  }

  fileprivate mutating func indexScope() -> IndexShape.Scope? {
    let kind = byte()
    guard let ids = texts() else { return nil }
    switch kind {
    case 1 where ids.count % 2 == 1: return .collection(CollectionPath(segments: ids))
    case 2 where ids.count == 1: return .group(ids[0])
    case nil, .some: return nil
    }
  }

  fileprivate mutating func indexFields() -> [IndexShape.Field]? {
    guard let count = compact(), count > 0 else { return nil }
    var fields: [IndexShape.Field] = []
    for _ in 0..<count {
      guard let part = byte().flatMap(IndexShape.Part.init(rawValue:)), let names = texts(),
        !names.isEmpty
      else { return nil }
      fields.append(IndexShape.Field(path: FieldPath(segments: names), part: part))
    }
    return fields
  }

  private mutating func texts() -> [UTF8String]? {
    guard let count = compact() else { return nil }
    var texts: [UTF8String] = []
    for _ in 0..<count {
      guard let text = text() else { return nil }
      texts.append(text)
    }
    return texts
  }
}
