internal import Coding
internal import FirestoreModel
internal import SecurityRules
internal import Synchronization

/// Fields that rules looked at not long ago, as rules see them: the profile of a user is looked at with each of the requests of
/// that user. Bounded: so many places, which the checksum of the stored form chooses from, and no large documents.
final class DecodedDocuments: Sendable {
  private static let places = 256
  private static let largest = 4096

  private struct Entry {
    let fields: StoredFields
    let map: RulesMap
  }

  private let entries = Mutex([Entry?](repeating: nil, count: places))

  /// The fields of a document.
  ///
  /// - Throws: `DATA_LOSS` if they can't be read.
  func map(of fields: StoredFields) throws(FirestoreError) -> RulesMap {
    guard fields.bytes.count <= Self.largest else { return RulesMap(try fields.decoded()) }
    var checksum = CRC32C()
    checksum.update(fields.bytes.span)
    let place = Int(checksum.value % UInt32(Self.places))
    if let known = entries.withLock({ $0[place] }), known.fields == fields { return known.map }
    let map = RulesMap(try fields.decoded())
    entries.withLock { $0[place] = Entry(fields: fields, map: map) }
    return map
  }
}
