/// A query as rules see it.
package struct RulesQuery: Sendable {
  /// The segments of the document below which it looks; empty for the root.
  package var parent: [String]
  /// `nil` stands for collections of any name.
  package var collectionID: String?
  /// Whether it looks at all collections of that name below the parent, at any depth.
  package var allDescendants: Bool
  /// `nil` finds everything.
  package var filter: RulesFilter?
  package var limit: Int64?
  package var offset: Int64 = 0
  /// The fields in order, with `ASC` or `DESC`.
  package var orders: [(field: String, direction: String)] = []
  /// The fields of the projection; `nil` without one.
  package var fields: [String]?

  package init(
    parent: [String], collectionID: String?, allDescendants: Bool = false,
    filter: RulesFilter? = nil, limit: Int64? = nil
  ) {
    self.parent = parent
    self.collectionID = collectionID
    self.allDescendants = allDescendants
    self.filter = filter
    self.limit = limit
  }

  /// `request.query`.
  func value(in context: RulesRequestContext) -> RulesMap {
    var orderBy: RulesMap = [:]
    for order in orders { orderBy[order.field] = .string(order.direction) }
    let parent: RulesValue =
      self.parent.isEmpty ? .null : .path(context.path(self.parent))
    return [
      "allDescendants": .bool(allDescendants), (allDescendants ? "ancestor" : "parent"): parent,
      "distinct": .bool(false), "groupBy": .map([:]),
      "kind": collectionID.map { .string($0) } ?? .null,
      "limit": limit.map { .int($0) } ?? .null, "offset": .int(offset),
      "orderBy": .map(orderBy), "selectOnlyKeys": .bool(fields?.isEmpty ?? false),
    ]
  }
}

extension ServiceRules {
  /// Judges a query: each case of its filter has to be allowed by what the filter says, whatever documents there are.
  package func judgeList(
    _ query: RulesQuery, _ context: RulesRequestContext, _ documents: some RulesDocuments
  ) throws(Denial) {
    let cases = query.filter.map(\.disjuncts) ?? [[]]
    guard let cases else {
      throw Denial(
        message: "The filter has more than \(RulesFilter.maximumDisjuncts) disjunctions to prove.")
    }
    let cache = LookupCache(
      documents, database: context.database, limit: LookupCache.limitForAll)
    var path = RulesValue.unknown
    if !query.allDescendants, let collectionID = query.collectionID {
      path = .path(context.path(query.parent + [collectionID]))
    }
    var request = context.request(
      .list, path: path, fields: query.fields.map { .list($0.map { .string($0) }) } ?? .null)
    request["query"] = .map(query.value(in: context))
    var entries: [Denial.Entry]? = []
    let judgement = Judgement(self, path: Self.path(query, context))
    var open: [RulesPath] = []
    for conditions in cases {
      let names = Self.names(conditions)
      let result: Judgement.Result
      if names.isEmpty {
        let variables = Evaluator.Variables(
          request: request, resource: Self.resource(conditions))
        result = judge(judgement, variables, cache, &entries)
      } else {
        result = judge(names, request, cache, open: &open, &entries)
      }
      guard case .granted = result else { throw Denial(entries: entries ?? []) }
    }
    for name in open {
      guard case .granted = judge(name, request, cache, &entries) else {
        throw Denial(entries: entries ?? [])
      }
    }
  }

  /// One case: first without the documents that the rules look at; then with them, if they ask for any.
  private func judge(
    _ judgement: Judgement, _ variables: Evaluator.Variables, _ cache: LookupCache,
    _ entries: inout [Denial.Entry]?
  ) -> Judgement.Result {
    var asksForDocuments = false
    let first = judgement.evaluate(.list, variables, entries: &entries) {
      (builtin: DocumentFunction, path: RulesPath) throws(EvaluationFailure) -> RulesValue in
      asksForDocuments = true
      return try cache.notYet(builtin, path)
    }
    guard case .open = first, asksForDocuments else { return first }
    return judgement.evaluate(.list, variables, entries: &entries, lookup: cache.call)
  }

  /// Documents that a filter names are judged one by one, first without reading them; `open` are those that this leaves open.
  private func judge(
    _ names: [RulesPath], _ request: RulesMap, _ cache: LookupCache, open: inout [RulesPath],
    _ entries: inout [Denial.Entry]?
  ) -> Judgement.Result {
    for name in names {
      let judgement = Judgement(self, path: name)
      let unread = Evaluator.Variables(request: request, resource: .unknown)
      switch judgement.evaluate(.list, unread, entries: &entries, lookup: cache.notYet) {
      case .granted: continue
      case .refused: return .refused
      case .open: open.append(name)
      }
    }
    return .granted
  }

  /// A document that a filter names, when it has been read.
  private func judge(
    _ name: RulesPath, _ request: RulesMap, _ cache: LookupCache, _ entries: inout [Denial.Entry]?
  ) -> Judgement.Result {
    cache.begin(name)
    let read = Evaluator.Variables(
      request: request, resource: cache.stored(name)?.value ?? .null)
    return Judgement(self, path: name)
      .evaluate(.list, read, entries: &entries, lookup: cache.call)
  }

  private static func path(
    _ query: RulesQuery, _ context: RulesRequestContext
  ) -> RulesPath {
    var path = context.path(query.parent)
    if query.allDescendants { path.segments.append(.anyNumber) }
    path.segments += [query.collectionID.map { .text($0) } ?? .anyOne, .anyOne]
    return path
  }

  /// The documents that the conditions name.
  private static func names(_ conditions: [RulesCondition]) -> [RulesPath] {
    conditions.compactMap { condition in
      guard condition.isName, condition.comparison == .equal,
        case .path(let path) = condition.value
      else { return nil }
      return path
    }
  }

  /// `resource` as far as the conditions tell.
  private static func resource(_ conditions: [RulesCondition]) -> RulesValue {
    var resource: RulesMap = [:]
    var data: RulesMap = [:]
    for condition in conditions {
      if condition.isName {
        resource["__name__"] = .constraint([])
      } else {
        data.note(condition, at: condition.field[...])
      }
    }
    resource["data"] = .map(data)
    return .map(resource)
  }
}

extension RulesMap {
  /// Adds what a condition says of a field within this map.
  fileprivate mutating func note(_ condition: RulesCondition, at field: ArraySlice<String>) {
    guard let name = field.first else { return }
    if field.count > 1 {
      var inner: RulesMap = [:]
      if let known = self[name] {
        guard case .map(let map) = known else { return }
        inner = map
      }
      inner.note(condition, at: field.dropFirst())
      self[name] = .map(inner)
      return
    }
    guard let comparator = condition.comparison.comparator else {
      self[name] = condition.value
      return
    }
    let constraint = RulesConstraint(comparator, condition.value)
    switch self[name] {
    case nil: self[name] = .constraint([constraint])
    case .constraint(let known): self[name] = .constraint(known + [constraint])
    case .some: break
    }
  }
}

extension RulesFilter.Comparison {
  /// `nil` for an equality, which gives the value itself.
  fileprivate var comparator: RulesConstraint.Comparator? {
    switch self {
    case .equal, .isIn: nil
    case .notEqual, .isNotIn: .notEqual
    case .lessThan: .lessThan
    case .lessThanOrEqual: .lessThanOrEqual
    case .greaterThan: .greaterThan
    case .greaterThanOrEqual: .greaterThanOrEqual
    case .contains, .containsAny: .contains
    }
  }
}
