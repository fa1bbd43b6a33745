internal import Coding
internal import FirestoreEngine
package import FirestoreModel

/// `PartitionQueryRequest`, decoded.
package struct PartitionQueryRequest: Sendable {
  package var query: StructuredQuery
  package var parent: ParentName
  package var partitionCount: Int
  /// 0 for all.
  package var pageSize: Int
  package var pageToken: String
  package var consistency: ReadConsistency

  package init(
    query: StructuredQuery, parent: ParentName, partitionCount: Int, pageSize: Int = 0,
    pageToken: String = "", consistency: ReadConsistency = .latest
  ) {
    self.query = query
    self.parent = parent
    self.partitionCount = partitionCount
    self.pageSize = pageSize
    self.pageToken = pageToken
    self.consistency = consistency
  }
}

/// A part of the points at which a query can be cut.
package struct PartitionQueryAnswer: Sendable {
  /// In the order of names.
  package var points: [DocumentName]
  /// Empty on the last page.
  package var nextPageToken: String
}

extension FirestoreOperations {
  private static let largestPage = 10_000

  /// PartitionQuery: points that cut the results of a query over a collection group into parts of about the same size.
  ///
  /// - Throws: `INVALID_ARGUMENT`, `UNAVAILABLE`, and what the consistency gives.
  package func partitionQuery(
    _ request: PartitionQueryRequest, as principal: Principal
  ) async throws(FirestoreError) -> PartitionQueryAnswer {
    guard request.partitionCount > 0 else {
      throw .invalidArgument("partition_count must be greater than zero.")
    }
    guard request.pageSize >= 0 else {
      throw .invalidArgument("Page size must be nonnegative.")
    }
    let query = try Query(request.query, parent: request.parent)
    try Self.check(query)
    try await authorize(.query(query), as: principal)
    if case .readTime(let time) = request.consistency {
      try engine.read(query.database, at: try await engine.point(at: time)) { _ in }
    }
    let token = PageToken(binding: [
      "partitions", request.parent.text, query.source.groupID.string, "\(request.partitionCount)",
    ])
    var points = try await engine.partition(query, into: request.partitionCount)[...]
    if !request.pageToken.isEmpty {
      let last = try token.open(request.pageToken)
      points = points.drop { !last.lexicographicallyPrecedes(NameKey.document($0)) }
    }
    let size = request.pageSize == 0 ? Self.largestPage : min(request.pageSize, Self.largestPage)
    let page = points.prefix(size)
    let isLast = page.count == points.count
    return PartitionQueryAnswer(
      points: page.map { DocumentName(database: query.database, path: $0) },
      nextPageToken: isLast ? "" : page.last.map { token.seal(NameKey.document($0)) } ?? "")
  }

  /// Source: the comment of `PartitionQueryRequest.structured_query`.
  private static func check(_ query: Query) throws(FirestoreError) {
    guard case .group(_, below: nil) = query.source else {
      throw .invalidArgument(
        "Partition queries must be collection group queries at the root of a database.")
    }
    let isPlain =
      query.filter == nil && query.projection == nil && query.limit == nil && query.offset == 0
    guard isPlain, query.isInNameOrder, query.nameDirection == .ascending else {
      throw .invalidArgument(
        "Partition queries must be ordered by __name__ ascending, without filters, projections, "
          + "offsets, limits and nearest vectors.")
    }
  }
}

extension Query.Source {
  fileprivate var groupID: UTF8String {
    switch self {
    case .group(let id, below: _): id
    case .collection, .collections, .descendants: ""
    }
  }
}
