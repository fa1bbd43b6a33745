internal import FirestoreModel
internal import KeyValue

/// What the store knows about a database.
///
/// ```
/// 0        8             16       24        32        40
/// | number | incarnation | create | horizon | indexes |
/// ```
/// All numbers have their big end first. The last one is not there where there never was an index.
struct DatabaseRecord: Hashable, Sendable {
  /// Begins the keys of the database; a cleared database gets another one.
  var number: DatabaseNumber
  /// The version of the commit that made this state of the database: its first write or the last clearing.
  var incarnation: Int64
  /// The version of the first commit ever.
  var createVersion: Int64
  /// Reads at this version or later find all they need in the history.
  var horizon: Int64
  /// The version of the last change of what indexes there are; 0 if there never was one.
  var indexGeneration: Int64 = 0

  init(number: DatabaseNumber, incarnation: Int64, createVersion: Int64, horizon: Int64) {
    self.number = number
    self.incarnation = incarnation
    self.createVersion = createVersion
    self.horizon = horizon
  }

  init(decoding bytes: [UInt8]) throws(StoreError) {
    var reader = KeyReader(bytes)
    guard let number = reader.unsigned(), let incarnation = reader.version(),
      let create = reader.version(), let horizon = reader.version()
    else { throw .damaged }
    self.init(
      number: DatabaseNumber(rawValue: number), incarnation: incarnation, createVersion: create,
      horizon: horizon)
    if !reader.isAtEnd {
      guard let generation = reader.version() else { throw .damaged }
      self.indexGeneration = generation
    }
  }

  var encoded: [UInt8] {
    var writer = KeyWriter()
    writer.unsigned(number.rawValue)
    writer.version(incarnation)
    writer.version(createVersion)
    writer.version(horizon)
    if indexGeneration > 0 { writer.version(indexGeneration) }
    return writer.bytes
  }
}

extension StoreReader {
  /// The record of `database`; `nil` if nothing was ever written to it.
  func record(of database: DatabaseName) throws(StoreError) -> DatabaseRecord? {
    guard let bytes = try get(.databases, Keys.database(database)) else { return nil }
    return try DatabaseRecord(decoding: bytes)
  }
}
