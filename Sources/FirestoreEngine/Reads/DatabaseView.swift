internal import Coding
package import FirestoreModel
package import KeyValue

/// A database at one moment. Valid inside the closure that it was handed to.
///
/// Methods are synchronous and bounded by their limits; a long read is made of many views at the same `point`.
package struct DatabaseView {
  /// A document as it was found, not named yet.
  package struct Row: Sendable {
    /// A `StorageKey`.
    package let key: [UInt8]
    package let record: DocumentRecord
  }

  /// A part of a scan.
  package struct Page: Sendable {
    /// In the order of the scan; there may be none although more follow.
    package let rows: [Row]
    /// Where the scan goes on; `nil` at its end.
    package let rest: KeyRange?
  }

  package let database: DatabaseName
  package let point: ReadPoint
  let reader: any StoreReader
  /// `nil`: nothing was ever written.
  let record: DatabaseRecord?
  /// Whether the store holds commits behind `point`.
  let isPast: Bool

  /// Stands for the database in keys; `nil` if nothing was ever written, and nothing can be found.
  package var number: DatabaseNumber? { record?.number }

  package func document(_ path: DocumentPath) throws(StoreError) -> Document? {
    guard let number, let record = try document(at: StorageKey.document(number, path)) else {
      return nil
    }
    return record.document(named: DocumentName(database: database, path: path))
  }

  /// Names a row.
  package func document(_ row: Row) throws(StoreError) -> Document {
    guard let (_, path) = StorageKey.decode(row.key) else { throw .damaged }
    return row.record.document(named: DocumentName(database: database, path: path))
  }

  /// What all keys of the documents of `collection`, and no others, lie between; `nil` if nothing was ever written.
  package func range(of collection: CollectionPath) -> KeyRange? {
    number.map { KeyRange(prefix: StorageKey.collection($0, collection)) }
  }

  /// The document whose `StorageKey` is `key`.
  func document(at key: [UInt8]) throws(StoreError) -> DocumentRecord? {
    let current = try reader.get(.documents, key).map(DocumentRecord.init(decoding:))
    guard isPast, current.map({ $0.updateVersion > point.version }) ?? true else { return current }
    switch try stateBefore(key) {
    case .unchanged: return current
    case .was(let record): return record
    }
  }

  /// The time of the last change of a document that history has, up to `point`; of a missing document, its deletion.
  func lastChange(of path: DocumentPath) throws(StoreError) -> Timestamp? {
    guard let number else { return nil }
    let key = StorageKey.document(number, path)
    let range = KeyRange(
      from: Keys.history(key, version: point.version), to: KeyRange(prefix: key).upper)
    let last = try reader.scan(.history, range, .ascending, limit: 1).first
    return last.flatMap { Keys.splitHistory($0.key) }.map { ReadPoint(version: $0.version).time }
  }

  /// What a document was at `point`, seen from now.
  enum PastState {
    case unchanged
    case was(DocumentRecord?)
  }

  /// Looks for the first change of a document behind `point`.
  func stateBefore(_ key: [UInt8]) throws(StoreError) -> PastState {
    let range = Keys.history(key, behind: point.version)
    guard let first = try reader.scan(.history, range, .descending, limit: 1).first else {
      return .unchanged
    }
    return .was(try first.value.isEmpty ? nil : DocumentRecord(decoding: first.value))
  }
}
