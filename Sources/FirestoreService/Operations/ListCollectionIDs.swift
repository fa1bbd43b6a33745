internal import Coding
internal import FirestoreEngine
package import FirestoreModel

extension FirestoreOperations {
  private static let largestCollectionPage = 10_000

  /// ListCollectionIds. A page size of 0 asks for all.
  ///
  /// - Throws: `INVALID_ARGUMENT`, and what `consistency` gives.
  package func listCollectionIDs(
    of parent: ParentName, pageSize: Int, pageToken: String, consistency: ReadConsistency,
    as principal: Principal
  ) async throws(FirestoreError) -> ListCollectionIDsAnswer {
    guard pageSize >= 0 else { throw .invalidArgument("Page size must be nonnegative.") }
    try await authorize(.metadata(parent), as: principal)
    let token = PageToken(binding: ["collections", parent.text])
    var last: UTF8String?
    if !pageToken.isEmpty {
      last = UTF8String(String(decoding: try token.open(pageToken), as: UTF8.self))
    }
    let limit =
      pageSize == 0 ? Self.largestCollectionPage : min(pageSize, Self.largestCollectionPage)
    let ids = try await read(
      parent.database, consistency, .matching(Predicate(below: parent))
    ) { [last] (point, _) async throws(FirestoreError) in
      try engine.collectionIDs(of: parent, behind: last, limit: limit + 1, at: point)
    }
    let page = Array(ids.prefix(limit))
    return ListCollectionIDsAnswer(
      collectionIDs: page,
      nextPageToken: ids.count > limit ? page.last.map { token.seal(Array($0.utf8)) } ?? "" : "")
  }
}
