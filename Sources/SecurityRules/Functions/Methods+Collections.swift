extension Methods {
  private static func elements(_ value: RulesValue?) -> [RulesValue] {
    switch value {
    case .list(let elements), .set(let elements): elements
    case .null, .bool, .int, .float, .string, .bytes, .map, .mapDiff, .path, .timestamp, .duration,
      .latlng, .vector, .constraint, .unknown, nil:
      []
    }
  }

  static func list(
    _ builtin: Builtin, _ list: [RulesValue], _ arguments: [RulesValue]
  ) throws(EvaluationFailure) -> RulesValue {
    let other = elements(arguments.first)
    switch builtin {
    case .listSize: return .int(Int64(list.count))
    case .listConcat: return .list(list + other)
    case .listHasAll:
      return .bool(other.allSatisfy(ValueTable(list, isLoose: false).contains))
    case .listHasAny:
      return .bool(other.contains(where: ValueTable(list, isLoose: false).contains))
    case .listHasOnly:
      return .bool(list.allSatisfy(ValueTable(other, isLoose: false).contains))
    case .listRemoveAll:
      let removed = ValueTable(other, isLoose: false)
      return .list(list.filter { !removed.contains($0) })
    case .listToSet: return .set(RulesValue.distinct(list))
    default:
      guard case .string(let separator)? = arguments.first else { throw .null }
      var texts: [String] = []
      var count = 0
      for element in list {
        texts.append(try Conversions.string(element))
        count += (texts.last?.utf8.count ?? 0) + separator.utf8.count
        guard count <= RulesValue.largest else { throw .tooLarge }
      }
      return .string(texts.joined(separator: separator))
    }
  }

  static func set(
    _ builtin: Builtin, _ set: [RulesValue], _ arguments: [RulesValue]
  ) -> RulesValue {
    let other = elements(arguments.first)
    let own = ValueTable(set, isLoose: true)
    let others = ValueTable(other, isLoose: true)
    switch builtin {
    case .setSize: return .int(Int64(set.count))
    case .setHasAll: return .bool(other.allSatisfy(own.contains))
    case .setHasAny: return .bool(other.contains(where: own.contains))
    case .setHasOnly: return .bool(set.allSatisfy(others.contains))
    case .setUnion: return .set(set + other.filter { !own.contains($0) })
    case .setIntersection: return .set(set.filter(others.contains))
    default: return .set(set.filter { !others.contains($0) })
    }
  }

  static func map(
    _ builtin: Builtin, _ map: RulesMap, _ arguments: [RulesValue]
  ) -> RulesValue {
    switch (builtin, arguments.first) {
    case (.mapSize, _): return .int(Int64(map.count))
    case (.mapKeys, _): return .list(map.entries.map { .string($0.key) })
    case (.mapValues, _): return .list(map.values)
    case (.mapDiff, .map(let other)): return .mapDiff(RulesMapDiff(map, other))
    case (_, .string(let key)): return map[key] ?? arguments.last ?? .null
    case (_, .list(let keys)):
      var value = RulesValue.map(map)
      for key in keys {
        guard case .map(let inner) = value, case .string(let name) = key, let next = inner[name]
        else { return arguments.last ?? .null }
        value = next
      }
      return value
    default: return .null
    }
  }

  static func keys(_ builtin: Builtin, _ diff: RulesMapDiff) -> RulesValue {
    switch builtin {
    case .diffAddedKeys: diff.keys(.added)
    case .diffRemovedKeys: diff.keys(.removed)
    case .diffChangedKeys: diff.keys(.changed)
    case .diffUnchangedKeys: diff.keys(.unchanged)
    default: diff.keys(.removed, .changed, .added)
    }
  }

  /// Whether a filter says that the field contains one of the values.
  static func hasAny(_ constraints: [RulesConstraint], _ arguments: [RulesValue]) -> Bool {
    let values = elements(arguments.first)
    return constraints.contains { constraint in
      constraint.comparator == .contains
        && values.contains { $0.isIdentical(to: constraint.value) }
    }
  }
}
