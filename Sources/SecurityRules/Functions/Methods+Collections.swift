/// The methods of collections.
extension Overload {
  static let methodsOfLists: [Overload] = [
    Overload("size", .list, gives: .int) { .int(Int64($0.count)) },
    Overload("concat", .list, .list, gives: .list) { .list($0 + $1) },
    Overload("join", .list, .string, gives: .string, join),
    Overload("hasAll", .list, .list, gives: .bool) { .bool(hasAll($0, $1, isLoose: false)) },
    Overload("hasAny", .list, .list, gives: .bool) { .bool(hasAny($0, $1, isLoose: false)) },
    Overload("hasOnly", .list, .list, gives: .bool) { .bool(hasAll($1, $0, isLoose: false)) },
    Overload("removeAll", .list, .list, gives: .list) { .list(without($0, $1, isLoose: false)) },
    Overload("toSet", .list, gives: .set) { .set(RulesValue.distinct($0)) },
  ]

  static let methodsOfSets: [Overload] =
    [Overload("size", .set, gives: .int) { .int(Int64($0.count)) }]
    + [Operand.list, .set].flatMap { other in
      [
        Overload("hasAll", .set, other, gives: .bool) { .bool(hasAll($0, $1, isLoose: true)) },
        Overload("hasAny", .set, other, gives: .bool) { .bool(hasAny($0, $1, isLoose: true)) },
        Overload("hasOnly", .set, other, gives: .bool) { .bool(hasAll($1, $0, isLoose: true)) },
      ]
    } + [
      Overload("union", .set, .set, gives: .set) { .set($0 + without($1, $0, isLoose: true)) },
      Overload("intersection", .set, .set, gives: .set) { set, other in
        .set(set.filter(ValueTable(other, isLoose: true, lookups: set.count).contains))
      },
      Overload("difference", .set, .set, gives: .set) { .set(without($0, $1, isLoose: true)) },
    ]

  private static func hasAll(_ all: [RulesValue], _ others: [RulesValue], isLoose: Bool) -> Bool {
    others.allSatisfy(ValueTable(all, isLoose: isLoose, lookups: others.count).contains)
  }

  private static func hasAny(_ all: [RulesValue], _ others: [RulesValue], isLoose: Bool) -> Bool {
    others.contains(where: ValueTable(all, isLoose: isLoose, lookups: others.count).contains)
  }

  private static func without(
    _ values: [RulesValue], _ removed: [RulesValue], isLoose: Bool
  ) -> [RulesValue] {
    let removed = ValueTable(removed, isLoose: isLoose, lookups: values.count)
    return values.filter { !removed.contains($0) }
  }

  private static func join(
    _ list: [RulesValue], _ separator: String
  ) throws(EvaluationFailure) -> RulesValue {
    var texts: [String] = []
    var count = 0
    for element in list {
      let text = try Conversions.string(element)
      texts.append(text)
      count += text.utf8.count + separator.utf8.count
      guard count <= RulesValue.largest else { throw .tooLarge }
    }
    return .string(texts.joined(separator: separator))
  }

  // MARK: Maps

  static let methodsOfMaps: [Overload] = [
    Overload("size", .map, gives: .int) { .int(Int64($0.count)) },
    Overload("keys", .map, gives: .list) { .list($0.entries.map { .string($0.key) }) },
    Overload("values", .map, gives: .list) { .list($0.values) },
    Overload("get", .map, .string, .any, gives: .any) { $0[$1] ?? $2 },
    Overload("get", .map, .list, .any, gives: .any) { map, keys, missing in
      var value = RulesValue.map(map)
      for key in keys {
        guard case .map(let inner) = value, case .string(let name) = key, let next = inner[name]
        else { return missing }
        value = next
      }
      return value
    },
    Overload("diff", .map, .map, gives: .mapDiff) { .mapDiff(RulesMapDiff($0, $1)) },
  ]

  static let methodsOfDifferences: [Overload] = [
    Overload("addedKeys", .mapDiff, gives: .set) { $0.keys(.added) },
    Overload("removedKeys", .mapDiff, gives: .set) { $0.keys(.removed) },
    Overload("changedKeys", .mapDiff, gives: .set) { $0.keys(.changed) },
    Overload("affectedKeys", .mapDiff, gives: .set) { $0.keys(.removed, .changed, .added) },
    Overload("unchangedKeys", .mapDiff, gives: .set) { $0.keys(.unchanged) },
  ]

  // MARK: Filters

  static let methodsOfConstraints: [Overload] = [
    // Whether a filter says that the field contains one of the values.
    Overload("hasAny", .constraint, .list, gives: .bool) { constraints, values in
      let isProved = constraints.contains { constraint in
        constraint.comparator == .contains
          && values.contains { $0.isIdentical(to: constraint.value) }
      }
      return .bool(isProved)
    }
  ]
}
