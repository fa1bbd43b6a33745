internal import Coding
internal import FirestoreModel
internal import SecurityRules
internal import Threading

/// Documents that rules looked at not long ago, as rules see them: the profile of a user is looked at with each of the requests of
/// that user. Bounded: so many places for each thread, which the id chooses from, and no large documents.
final class DecodedDocuments: Sendable {
  private static let places = 128
  private static let largest = 4096

  private final class Entry: Sendable {
    let path: RulesPath
    let fields: StoredFields
    let decoded: RulesDocument

    init(_ path: RulesPath, _ fields: StoredFields, _ decoded: RulesDocument) {
      self.path = path
      self.fields = fields
      self.decoded = decoded
    }
  }

  private let entries = PerThread<[Entry?]>([])

  /// A document as rules see it, at the path that they know it by.
  ///
  /// - Throws: `DATA_LOSS` if the fields can't be read.
  func rulesDocument(
    _ document: Document, at path: RulesPath
  ) throws(FirestoreError) -> RulesDocument {
    let fields = document.fields
    guard fields.bytes.count <= Self.largest else { return try decode(fields, at: path) }
    var checksum = CRC32C()
    checksum.update(document.name.path.id.string.utf8.span)
    let place = Int(checksum.value % UInt32(Self.places))
    if let known = entries.withValue({ $0.isEmpty ? nil : $0[place] }),
      known.fields == fields, known.path == path
    {
      return known.decoded
    }
    let decoded = try decode(fields, at: path)
    let entry = Entry(path, fields, decoded)
    entries.withValue { entries in
      if entries.isEmpty { entries = Array(repeating: nil, count: Self.places) }
      entries[place] = entry
    }
    return decoded
  }

  private func decode(
    _ fields: StoredFields, at path: RulesPath
  ) throws(FirestoreError) -> RulesDocument {
    RulesDocument(path: path, data: RulesMap(try fields.decoded()))
  }
}
