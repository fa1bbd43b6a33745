internal import Coding
internal import FirestoreEngine
package import FirestoreModel

extension FirestoreOperations {
  private static let defaultPageSize = 30
  private static let largestPage = 300

  /// ListDocuments.
  ///
  /// - Throws: `INVALID_ARGUMENT`, and what the consistency gives.
  package func listDocuments(
    _ request: ListDocumentsRequest, as principal: Principal
  ) async throws(FirestoreError) -> ListDocumentsAnswer {
    let listing = try Self.listing(request)
    try await authorize(
      request.showMissing
        ? .metadata(request.parent)
        : .list(request, listing.orders, pageSize: Self.pageSize(request.pageSize)),
      at: request.consistency, as: principal)
    let token = PageToken(binding: [
      "documents", request.parent.text, request.orderBy,
      "\(request.showMissing) \(listing.collectionID == nil)",
    ])
    var position: DocumentListing.Position?
    if !request.pageToken.isEmpty {
      position = try Self.position(token.open(request.pageToken), in: listing)
    }
    let page = try await read(
      request.parent.database, request.consistency, .matching(Predicate(listing))
    ) { [position] (point, _) async throws(FirestoreError) in
      try await engine.list(
        listing, from: position, limit: Self.pageSize(request.pageSize), at: point)
    }
    var entries: [ListDocumentsAnswer.Entry] = []
    for entry in page.entries {
      switch entry {
      case .document(let document):
        entries.append(.document(try document.projected(to: request.mask)))
      case .missing(let name, let deleteTime):
        entries.append(.missing(name, deleteTime: deleteTime))
      }
    }
    return ListDocumentsAnswer(
      entries: entries, nextPageToken: page.end.map { token.seal(Self.bytes($0)) } ?? "")
  }

  private static func listing(
    _ request: ListDocumentsRequest
  ) throws(FirestoreError) -> DocumentListing {
    guard request.pageSize >= 0 else {
      throw .invalidArgument("Page size must be nonnegative.")
    }
    let orders = try ListOrder.parse(request.orderBy)
    if request.showMissing {
      guard orders.isEmpty else {
        throw .invalidArgument("cannot specify an order when show_missing is true")
      }
      guard !request.collectionID.isEmpty else {
        throw .invalidArgument("collection id must be set when show_missing is true")
      }
    }
    if !request.collectionID.isEmpty {
      try ResourceID.checkSingleCollection(request.collectionID)
    }
    return DocumentListing(
      parent: request.parent,
      collectionID: request.collectionID.isEmpty ? nil : request.collectionID, orders: orders,
      showsMissing: request.showMissing)
  }

  private static func pageSize(_ asked: Int) -> Int {
    asked == 0 ? defaultPageSize : min(asked, largestPage)
  }

  // A position in a token: 01 and a name key, or 02 and sort keys.

  private static func bytes(_ position: DocumentListing.Position) -> [UInt8] {
    switch position {
    case .name(let path): [1] + NameKey.document(path)
    case .values(let key): [2] + key
    }
  }

  private static func position(
    _ bytes: [UInt8], in listing: DocumentListing
  ) throws(FirestoreError) -> DocumentListing.Position {
    switch bytes.first {
    case 1:
      guard let segments = NameKey.decode(bytes, from: 1), !segments.isEmpty,
        segments.count % 2 == 0
      else { throw .invalidPageToken }
      return .name(DocumentPath(segments: segments))
    case 2: return .values(Array(bytes.dropFirst()))
    case nil, .some: throw .invalidPageToken
    }
  }
}
