internal import FirestoreModel
internal import SecurityRules
internal import Synchronization

/// The fields of documents that rules looked at not long ago, as rules see them: the profile of a user is looked at with each of
/// the requests of that user. Bounded: so many small documents.
final class DecodedDocuments: Sendable {
  private static let limit = 256
  private static let largest = 4096

  private struct Entry {
    let fields: StoredFields
    let map: RulesMap
  }

  private let entries = Mutex<[DocumentName: Entry]>([:])

  /// The fields of `document`.
  ///
  /// - Throws: `DATA_LOSS` if they can't be read.
  func map(of document: Document) throws(FirestoreError) -> RulesMap {
    guard document.fields.bytes.count <= Self.largest else {
      return RulesMap(try document.fields.decoded())
    }
    let known = entries.withLock { $0[document.name] }
    if let known, known.fields == document.fields { return known.map }
    let map = RulesMap(try document.fields.decoded())
    entries.withLock { entries in
      if entries.count >= Self.limit { entries.removeAll(keepingCapacity: true) }
      entries[document.name] = Entry(fields: document.fields, map: map)
    }
    return map
  }
}
