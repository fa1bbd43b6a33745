internal import FirestoreModel
internal import KeyValue

/// How a query is answered.
enum QueryPlan: Sendable {
  /// Nothing can pass its filter.
  case nothing
  /// By looking at documents, in the part of the order of names that the query leaves. The shapes are those of indexes that would
  /// serve it better.
  case scan([IndexShape])
  case index(IndexPlan)
}

/// Entries of indexes that hold all results of a query, one range for each alternative.
struct IndexPlan: Sendable {
  struct Branch: Sendable {
    let definition: IndexDefinition
    /// Bytes of the prefix that all entries have.
    let prefix: Int
    let range: KeyRange
  }

  let branches: [Branch]
  /// In which the entries of each range are read.
  let direction: ScanDirection
  /// What results are put in order by.
  let order: EntryOrder
  /// Whether every entry stands for a result.
  let isExact: Bool
  /// Whether no document has entries in two of the ranges.
  let areDisjoint: Bool

  var indexes: Set<UInt64> { Set(branches.map(\.definition.id)) }
}

/// How places of documents are compared.
struct EntryOrder: Sendable {
  private enum Places: Sendable {
    /// The fields of entries behind the prefix, the same in all branches.
    case entries([IndexShape.Field], ScanDirection)
    /// Those of the query.
    case query
  }

  private let places: Places

  static func entries(_ fields: [IndexShape.Field], _ direction: ScanDirection) -> EntryOrder {
    EntryOrder(places: .entries(fields, direction))
  }

  static let query = EntryOrder(places: .query)

  /// Whether the keys of entries are the places.
  var isOfEntries: Bool {
    switch places {
    case .entries: true
    case .query: false
    }
  }

  /// The place of a document; `nil` if it has none.
  func place(of document: Document, _ query: Query) throws(FirestoreError) -> [UInt8]? {
    switch places {
    case .query: return try query.sortKey(of: document)?.bytes
    case .entries(let fields, _):
      var place: [UInt8] = []
      for field in fields {
        guard let value = try document.fields.value(at: field.path) else { return nil }
        place += field.key(of: value)
      }
      return place + IndexEntry.name(document.name.path)
    }
  }

  func precedes(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    switch places {
    case .entries(_, .descending): right.lexicographicallyPrecedes(left)
    case .entries(_, .ascending), .query: left.lexicographicallyPrecedes(right)
    }
  }
}

/// Chooses how a query is answered.
struct QueryPlanner {
  let query: Query
  let number: DatabaseNumber
  /// The indexes that are ready.
  let definitions: [IndexDefinition]
  /// Whether the results have to come in the order of the query.
  let needsOrder: Bool
  /// Fields that all results have, beside those of the orders.
  let required: [FieldPath]

  func plan() -> QueryPlan {
    guard let scope = query.indexScope, !query.listsNames else { return .scan([]) }
    let branches = query.branches
    guard !branches.isEmpty else { return .nothing }
    let shapes = branches.map(\.indexFields)
    guard shapes.allSatisfy({ !$0.isEmpty }) else { return .scan([]) }
    let candidates = definitions.filter { $0.shape.scope == scope }
    var fits: [Fit] = []
    var missing: Set<IndexShape> = []
    for (branch, fields) in zip(branches, shapes) {
      let isInOrder = needsOrder || branches.count > 1
      if let fit = candidates.compactMap({ self.fit($0, branch, isInOrder) }).max(by: <) {
        fits.append(fit)
      } else {
        missing.insert(IndexShape(scope: scope, fields: fields))
      }
    }
    return missing.isEmpty ? .index(plan(fits, branches)) : .scan(Array(missing))
  }

  /// An index that serves a branch.
  private struct Fit {
    let definition: IndexDefinition
    let prefix: [UInt8]
    let fixed: Int
    let rest: [IndexShape.Field]
    let range: IndexRange

    static func < (left: Fit, right: Fit) -> Bool {
      (left.fixed, left.range.isWhole ? 0 : 1) < (right.fixed, right.range.isWhole ? 0 : 1)
    }
  }

  private func fit(
    _ definition: IndexDefinition, _ branch: QueryBranch, _ isInOrder: Bool
  ) -> Fit? {
    var prefix = Keys.index(number, definition.id)
    var rest = definition.shape.fields[...]
    var fixed: [QueryBranch.Fixed] = []
    while let field = rest.first, let value = branch.fixed.first(where: { $0.matches(field) }) {
      prefix += field.key(of: value.value)
      fixed.append(value)
      rest = rest.dropFirst()
    }
    let followsOrder = Array(rest) == branch.orders
    guard followsOrder || !isInOrder && rest.allSatisfy({ hasAll($0, branch) }) else { return nil }
    let range = IndexRange(
      branch, of: query, fixed: fixed, rest: Array(rest), isInOrder: followsOrder)
    guard isInOrder || !fixed.isEmpty || !range.isWhole else { return nil }
    return Fit(
      definition: definition, prefix: prefix, fixed: fixed.count, rest: Array(rest), range: range)
  }

  /// Whether all results of the branch have the field.
  private func hasAll(_ field: IndexShape.Field, _ branch: QueryBranch) -> Bool {
    field.part != .element
      && (required.contains(field.path) || branch.value(of: field.path) != nil
        || branch.orders.contains { $0.path == field.path })
  }

  private func plan(_ fits: [Fit], _ branches: [QueryBranch]) -> IndexPlan {
    let direction: ScanDirection = query.nameDirection == .ascending ? .ascending : .descending
    let rest = fits.first?.rest ?? []
    let isUniform =
      fits.allSatisfy { $0.rest == rest }
      && query.orders.allSatisfy { Self.agree(branches, on: $0.path) }
    return IndexPlan(
      branches: fits.compactMap { fit in
        fit.range.keys(behind: fit.prefix).map {
          IndexPlan.Branch(definition: fit.definition, prefix: fit.prefix.count, range: $0)
        }
      },
      direction: direction, order: isUniform ? .entries(rest, direction) : .query,
      isExact: required.isEmpty && fits.allSatisfy(\.range.isExact),
      areDisjoint: Self.areDisjoint(branches))
  }

  /// Whether the field has the same value in the results of all branches, or may have any.
  private static func agree(_ branches: [QueryBranch], on path: FieldPath) -> Bool {
    let values = branches.compactMap { $0.value(of: path) }
    guard let first = values.first else { return true }
    return values.count == branches.count && values.allSatisfy { Value.isEquivalent($0, first) }
  }

  /// Whether any two branches want different values of one field.
  private static func areDisjoint(_ branches: [QueryBranch]) -> Bool {
    branches.indices.allSatisfy { index in
      branches[..<index].allSatisfy { other in
        branches[index].fixed.contains { fixed in
          guard fixed.field.part == .ascending, let value = other.value(of: fixed.field.path)
          else { return false }
          return !Value.isEquivalent(value, fixed.value)
        }
      }
    }
  }
}

extension QueryBranch.Fixed {
  fileprivate func matches(_ field: IndexShape.Field) -> Bool {
    field.path == self.field.path && (field.part == .element) == (self.field.part == .element)
  }
}

extension Query {
  /// Whether the filter lists the names of all documents that can pass.
  fileprivate var listsNames: Bool {
    filter?.required.contains { path, condition in
      switch condition {
      case .equal, .in: path.isDocumentName
      case .notEqual, .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual,
        .arrayContains, .arrayContainsAny, .notIn, .isNull, .isNotNull, .isNaN, .isNotNaN:
        false
      }
    } ?? false
  }
}
