package import FirestoreModel

/// The indexes that production would answer a query from.
///
/// Source: "Query Explain report reference" of the Firestore documentation, and what its SDKs' tests expect.
package struct QueryPlanSummary: Hashable, Sendable {
  package struct Index: Hashable, Sendable {
    /// `Collection`, `Collection group` or `Includes ancestors`.
    package var scope: String
    /// `(a ASC, __name__ ASC)`.
    package var properties: String
  }

  package private(set) var indexes: [Index] = []

  package init(_ query: Query) {
    let scope =
      switch query.source {
      case .collection, .collections(of: nil): "Collection"
      case .group(_, below: nil), .descendants(of: nil): "Collection group"
      case .collections(of: .some), .group(_, below: .some), .descendants(of: .some):
        "Includes ancestors"
      }
    for branch in query.branches {
      for properties in Self.properties(of: branch, query) {
        let index = Index(scope: scope, properties: "(\(properties.joined(separator: ", ")))")
        if !indexes.contains(index) { indexes.append(index) }
      }
    }
  }

  /// Equalities alone are answered by merging an index for each; all else needs one that has everything.
  private static func properties(of branch: QueryBranch, _ query: Query) -> [[String]] {
    let direction = query.nameDirection
    let name = ["__name__ \(text(.ascending, names: direction))"]
    let fixed = branch.fixed.map { text($0.field, names: .ascending) }
    let orders = branch.orders.map { text($0, names: direction) }
    if let nearest = query.nearest, case .vector(let numbers) = nearest.vector {
      return [fixed + orders + name + ["\(nearest.field.text) VECTOR<\(numbers.count)>"]]
    }
    guard orders.isEmpty, fixed.count > 1 else { return [fixed + orders + name] }
    return fixed.map { [$0] + name }
  }

  private static func text(_ field: IndexShape.Field, names direction: Query.Direction) -> String {
    "\(field.path.text) \(text(field.part, names: direction))"
  }

  private static func text(_ part: IndexShape.Part, names direction: Query.Direction) -> String {
    switch (part, direction) {
    case (.element, _): "CONTAINS"
    case (.ascending, .ascending), (.descending, .descending): "ASC"
    case (.descending, .ascending), (.ascending, .descending): "DESC"
    }
  }
}
