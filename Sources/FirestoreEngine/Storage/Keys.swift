internal import Coding
internal import FirestoreModel
internal import KeyValue

/// The keys of the engine's spaces. What they are made of is drawn at `KeyWriter`, `NameKey` and `StorageKey`.
///
/// ```
/// databases    00                                    the next number
///              01, project text, database text       DatabaseRecord
///              02, number unsigned                   a number whose keys are to be deleted, empty
/// documents    StorageKey                            DocumentRecord
/// collections  number compact, name key              number of documents, unsigned
/// groups       number compact, collection id text,
///              name key of the parent                number of documents, unsigned
/// history      StorageKey, version unsigned, turned  the DocumentRecord before that version, empty for none
/// changes      number compact, version unsigned,
///              index unsigned                        bytes in history unsigned, StorageKey
/// indexes      number compact, id unsigned           IndexDefinition
/// entries      number compact, id unsigned, parts,
///              name key, 00                          see IndexEntry
/// ```
/// A key or value that begins with a StorageKey ends after it as the key of a document does.
enum Keys {
  static let nextNumber: [UInt8] = [0]
  /// All keys of databases.
  static let databases = KeyRange(prefix: [1])
  /// The numbers whose keys are to be deleted.
  static let abandoned = KeyRange(prefix: [2])
  /// The spaces in which keys begin with the number of their database.
  static let numberedSpaces: [Space] = [
    .documents, .collections, .groups, .history, .changes, .indexes, .entries,
  ]

  static func database(_ name: DatabaseName) -> [UInt8] {
    var writer = KeyWriter([1])
    writer.text(name.project)
    writer.text(name.database)
    return writer.bytes
  }

  static func databaseName(_ key: [UInt8]) -> DatabaseName? {
    var reader = KeyReader(key, from: 1)
    guard let project = reader.text(), let database = reader.text() else { return nil }
    return DatabaseName(project: project, database: database)
  }

  static func abandoned(_ number: DatabaseNumber) -> [UInt8] {
    var writer = KeyWriter([2])
    writer.unsigned(number.rawValue)
    return writer.bytes
  }

  static func abandonedNumber(_ key: [UInt8]) -> DatabaseNumber? {
    var reader = KeyReader(key, from: 1)
    return reader.unsigned().map(DatabaseNumber.init(rawValue:))
  }

  /// The key of the count of a collection. The keys of all collections below the path `segments`, of either kind, begin
  /// with what this gives for them.
  static func collection(_ number: DatabaseNumber, _ segments: [UTF8String]) -> [UInt8] {
    var writer = KeyWriter(StorageKey.database(number))
    writer.path(segments)
    return writer.bytes
  }

  static func collectionPath(_ key: [UInt8], behind prefix: Int) -> [UTF8String]? {
    NameKey.decode(key, from: prefix)
  }

  static func group(_ number: DatabaseNumber, _ path: CollectionPath) -> [UInt8] {
    var writer = KeyWriter(group(number, id: path.id))
    writer.path(path.segments.dropLast())
    return writer.bytes
  }

  /// What the keys of a collection group begin with.
  static func group(_ number: DatabaseNumber, id: UTF8String) -> [UInt8] {
    var writer = KeyWriter(StorageKey.database(number))
    writer.text(id)
    return writer.bytes
  }

  /// The key of what the document at `documentKey` was before `version`; later versions come first.
  static func history(_ documentKey: [UInt8], version: Int64) -> [UInt8] {
    var writer = KeyWriter(documentKey)
    writer.unsigned(~UInt64(bitPattern: version))
    return writer.bytes
  }

  /// The changes of a document behind `version`.
  static func history(_ documentKey: [UInt8], behind version: Int64) -> KeyRange {
    KeyRange(from: documentKey, to: history(documentKey, version: version))
  }

  /// The document key and version of a key in history.
  static func splitHistory(_ key: [UInt8]) -> (documentKey: [UInt8], version: Int64)? {
    guard key.count > 8 else { return nil }
    var reader = KeyReader(key, from: key.count - 8)
    guard let turned = reader.unsigned() else { return nil }
    return (Array(key.dropLast(8)), Int64(bitPattern: ~turned))
  }

  static func change(_ number: DatabaseNumber, version: Int64, index: Int) -> [UInt8] {
    var writer = KeyWriter(changes(number, from: version))
    writer.unsigned(UInt64(index))
    return writer.bytes
  }

  /// The first key of the changes from `version` on.
  static func changes(_ number: DatabaseNumber, from version: Int64) -> [UInt8] {
    var writer = KeyWriter(StorageKey.database(number))
    writer.version(version)
    return writer.bytes
  }
}

/// A key of the space of changes and its value.
struct ChangeEntry {
  let key: [UInt8]
  let version: Int64
  /// Bytes that the entry in history takes.
  let historyBytes: Int
  let documentKey: [UInt8]

  init(_ pair: KeyValuePair) throws(StoreError) {
    var keyReader = KeyReader(pair.key)
    var valueReader = KeyReader(pair.value)
    guard keyReader.compact() != nil, let version = keyReader.version(),
      let bytes = valueReader.unsigned()
    else { throw .damaged }
    self.key = pair.key
    self.version = version
    self.historyBytes = Int(clamping: bytes)
    self.documentKey = Array(pair.value[8...])
  }

  static func value(historyBytes: Int, documentKey: [UInt8]) -> [UInt8] {
    var writer = KeyWriter()
    writer.unsigned(UInt64(historyBytes))
    return writer.bytes + documentKey
  }
}

extension KeyWriter {
  /// Versions are never negative, so that they sort like their bits.
  mutating func version(_ version: Int64) {
    unsigned(UInt64(bitPattern: version))
  }
}

extension KeyReader {
  mutating func version() -> Int64? {
    unsigned().map(Int64.init(bitPattern:))
  }
}

extension KeyRange {
  /// All keys that begin with `prefix`.
  init(prefix: [UInt8]) {
    self.init(from: prefix, to: KeyPrefix.end(of: prefix))
  }
}

extension StoreReader {
  /// The count at `key`, 0 if there is none.
  func documentCount(_ space: Space, _ key: [UInt8]) throws(StoreError) -> Int {
    guard let bytes = try get(space, key) else { return 0 }
    return try Keys.documentCount(bytes)
  }
}

extension Keys {
  static func documentCount(_ value: [UInt8]) throws(StoreError) -> Int {
    var reader = KeyReader(value)
    guard let count = reader.unsigned() else { throw .damaged }
    return Int(clamping: count)
  }

  static func value(documentCount: Int) -> [UInt8] {
    var writer = KeyWriter()
    writer.unsigned(UInt64(documentCount))
    return writer.bytes
  }
}
