internal import Coding
internal import FirestoreEngine
internal import FirestoreModel
internal import SecurityRules

extension RulesQuery {
  init(_ query: Query) {
    let parent = query.parent.document?.rulesSegments ?? []
    switch query.source {
    case .collection(let path):
      self.init(parent: parent, collectionID: path.id.string)
    case .collections:
      self.init(parent: parent, collectionID: nil)
    case .group(let id, _):
      self.init(parent: parent, collectionID: id.string, allDescendants: true)
    case .descendants:
      self.init(parent: parent, collectionID: nil, allDescendants: true)
    }
    filter = query.filter.map { RulesFilter($0) }
    limit = query.limit.map { Int64($0) }
    offset = Int64(query.offset)
    orders = query.explicitOrders.map { order in
      (order.path.plainText, order.direction == .ascending ? "ASC" : "DESC")
    }
    fields = query.projection?.paths.map(\.plainText)
  }

  /// ListDocuments counts as a query whose limit is the size of the page.
  init(_ request: ListDocumentsRequest, _ orders: [ListOrder], pageSize: Int) {
    self.init(
      parent: request.parent.document?.rulesSegments ?? [],
      collectionID: request.collectionID.isEmpty ? nil : request.collectionID.string,
      limit: Int64(pageSize))
    self.orders = orders.map { ($0.path.plainText, $0.isDescending ? "DESC" : "ASC") }
    fields = request.mask?.paths.map(\.plainText)
  }
}

extension RulesQuery {
  /// The path of its documents.
  var place: [String] { parent + (allDescendants ? ["**"] : []) + [collectionID ?? "*"] }
}

extension RulesFilter {
  init(_ filter: Filter) {
    switch filter {
    case .and(let filters): self = .and(filters.map { RulesFilter($0) })
    case .or(let filters): self = .or(filters.map { RulesFilter($0) })
    case .field(let path, let condition):
      self = .field(path.segments.map(\.string), condition.comparison, condition.rulesOperand)
    }
  }
}

extension Filter.Condition {
  fileprivate var comparison: RulesFilter.Comparison {
    switch self {
    case .equal, .isNull, .isNaN: .equal
    case .notEqual, .isNotNull, .isNotNaN: .notEqual
    case .lessThan: .lessThan
    case .lessThanOrEqual: .lessThanOrEqual
    case .greaterThan: .greaterThan
    case .greaterThanOrEqual: .greaterThanOrEqual
    case .arrayContains: .contains
    case .arrayContainsAny: .containsAny
    case .in: .isIn
    case .notIn: .isNotIn
    }
  }

  fileprivate var rulesOperand: RulesValue {
    switch self {
    case .equal(let value), .notEqual(let value), .lessThan(let value),
      .lessThanOrEqual(let value), .greaterThan(let value), .greaterThanOrEqual(let value),
      .arrayContains(let value):
      RulesValue(value)
    case .in(let values), .notIn(let values), .arrayContainsAny(let values):
      .list(values.map { RulesValue($0) })
    case .isNull, .isNotNull: .null
    case .isNaN, .isNotNaN: .float(.nan)
    }
  }
}
