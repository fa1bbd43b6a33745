internal import Coding

extension Query {
  static func source(
    _ selectors: [StructuredQuery.CollectionSelector], _ parent: DocumentPath?
  ) throws(FirestoreError) -> Source {
    guard selectors.count <= 1 else {
      throw .invalidArgument("StructuredQuery.from cannot have more than one collection selector.")
    }
    guard let selector = selectors.first else { return .collections(of: parent) }
    let id = selector.collectionID
    guard !id.isEmpty else {
      return selector.allDescendants ? .descendants(of: parent) : .collections(of: parent)
    }
    guard id.count <= Limits.idBytes else {
      throw .invalidArgument("The query kind is longer than 1500 bytes.")
    }
    try ResourceID.checkSingleCollection(id)
    return selector.allDescendants
      ? .group(id, below: parent) : .collection(CollectionPath(parent, id))
  }

  /// The explicit orders, then the fields of inequalities by name, then the name.
  static func orders(_ explicit: [Order], _ filter: Filter?) throws(FirestoreError) -> [Order] {
    if explicit.isEmpty, filter == nil { return [Order(.documentName)] }
    var orders: [Order] = []
    var paths: Set<FieldPath> = []
    for order in explicit {
      guard paths.insert(order.path).inserted else {
        throw .invalidArgument(
          "order by clause cannot contain duplicate fields \(order.path.plainText)")
      }
      orders.append(order)
    }
    let direction = explicit.last?.direction ?? .ascending
    let inequalities = try inequalityFields(filter)
    for path in inequalities where !path.isDocumentName {
      if paths.insert(path).inserted { orders.append(Order(path, direction)) }
    }
    if let index = orders.firstIndex(where: \.path.isDocumentName) {
      guard index == orders.count - 1 else {
        throw .invalidArgument("order by clause cannot contain more fields after the key")
      }
      return orders
    }
    return orders + [Order(.documentName, direction)]
  }

  static func inequalityFields(_ filter: Filter?) throws(FirestoreError) -> [FieldPath] {
    let paths = Set(filter?.conditions.filter(\.condition.isInequality).map(\.path) ?? [])
      .sorted { FieldPath.compare($0, $1) == .ascending }
    guard paths.count <= 10 else {
      let names = paths.map(\.plainText).joined(separator: ", ")
      throw .invalidArgument(
        "The query contains \(paths.count) distinct inequality fields: [\(names)]. A query may "
          + "not have more than 10 distinct inequality fields.")
    }
    return paths
  }

  func checkNearest() throws(FirestoreError) {
    guard let nearest else { return }
    guard limit == nil else {
      throw .invalidArgument("A query limit cannot be used with FindNearest")
    }
    guard offset == 0 else {
      throw .invalidArgument("A query offset cannot be used with FindNearest")
    }
    guard start == nil, end == nil else {
      throw .invalidArgument("A cursor cannot be used with FindNearest")
    }
    try nearest.check()
  }

  func checkSize(hasAncestor: Bool) throws(FirestoreError) {
    let filters = filter?.distinctConditions ?? 0
    let orders = explicitOrders.count
    let (sum, overflow) = filters.addingReportingOverflow(orders + (hasAncestor ? 1 : 0))
    guard !overflow, sum <= 100 else {
      let ancestor = hasAncestor ? "1 ancestor filter" : "no ancestor filter"
      throw .invalidArgument(
        "The query may not have more than 100 filters + sort orders + ancestor total. Currently "
          + "there are \(filters) filters, \(orders) sort orders, and \(ancestor).")
    }
  }

  /// What production has no index for, however it is configured.
  func checkSource() throws(FirestoreError) {
    try checkFilter()
    let isAscendingByName = isInNameOrder && orders.allSatisfy { $0.direction == .ascending }
    guard !isAscendingByName, nearest == nil else { return }
    switch source {
    case .collection, .group(_, below: nil): break
    case .collections, .descendants:
      throw .invalidArgument("kind is required for all orders except __key__ ascending")
    case .group(_, below: .some):
      guard isInNameOrder else {
        throw .invalidArgument("collection group queries are only allowed at the root parent")
      }
      throw FirestoreError(
        .failedPrecondition,
        "collection group queries are only allowed if they're at the root or they're an ascending "
          + "primary key scan")
    }
  }

  private func checkFilter() throws(FirestoreError) {
    guard let conditions = filter?.conditions else { return }
    guard let first = conditions.first(where: { !$0.path.isDocumentName }) else { return }
    switch source {
    case .collections, .descendants:
      throw .invalidArgument("kind is required for filter: \(first.path.plainText)")
    case .group(_, below: .some):
      throw .invalidArgument("collection group queries are only allowed at the root parent")
    case .collection, .group(_, below: nil): break
    }
    let namesOne = conditions.contains { path, condition in
      guard path.isDocumentName else { return false }
      switch condition {
      case .equal, .in: return true
      case .notEqual, .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual, .notIn,
        .arrayContains, .arrayContainsAny, .isNull, .isNotNull, .isNaN, .isNotNaN:
        return false
      }
    }
    let inequalities = conditions.filter(\.condition.isInequality).map(\.path)
    if namesOne, !inequalities.isEmpty, !inequalities.contains(where: \.isDocumentName) {
      throw .invalidArgument(
        "Equality on key is not allowed if there are other inequality fields and key does not "
          + "appear in inequalities.")
    }
  }

  func check(_ cursor: Cursor) throws(FirestoreError) {
    guard cursor.values.count <= explicitOrders.count else {
      throw .invalidArgument("Cursor has too many values.")
    }
    for (value, order) in zip(cursor.values, orders) where order.path.isDocumentName {
      guard case .reference(let name) = value else {
        throw .invalidArgument("Cursor __key__ value is not a document reference.")
      }
      try name.check(in: database)
    }
  }
}

extension StructuredQuery {
  func checkNumbers() throws(FirestoreError) {
    if let limit, limit < 0 { throw .invalidArgument("limit is negative") }
    guard offset >= 0 else { throw .invalidArgument("offset is negative") }
  }
}
