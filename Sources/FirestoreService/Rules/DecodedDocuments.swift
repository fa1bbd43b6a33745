internal import Coding
internal import FirestoreModel
internal import SecurityRules
internal import Synchronization

/// Documents that rules looked at not long ago, as rules see them: the profile of a user is looked at with each of the requests of
/// that user. Bounded: so many places, which the checksum of id and stored form chooses from, and no large documents.
final class DecodedDocuments: Sendable {
  private static let places = 256
  private static let largest = 4096

  private struct Entry {
    let document: Document
    let decoded: RulesDocument
  }

  private let entries = Mutex([Entry?](repeating: nil, count: places))

  /// A document as rules see it.
  ///
  /// - Throws: `DATA_LOSS` if the fields can't be read.
  func rulesDocument(_ document: Document) throws(FirestoreError) -> RulesDocument {
    guard document.fields.bytes.count <= Self.largest else { return try decode(document) }
    var checksum = CRC32C()
    checksum.update(document.name.path.id.string.utf8.span)
    checksum.update(document.fields.bytes.span)
    let place = Int(checksum.value % UInt32(Self.places))
    if let known = entries.withLock({ $0[place] }), known.document.fields == document.fields,
      known.document.name == document.name
    {
      return known.decoded
    }
    let decoded = try decode(document)
    entries.withLock { $0[place] = Entry(document: document, decoded: decoded) }
    return decoded
  }

  private func decode(_ document: Document) throws(FirestoreError) -> RulesDocument {
    RulesDocument(
      path: document.name.rulesPath, data: RulesMap(try document.fields.decoded()))
  }
}
