internal import Coding

/// A value in a hash table, so that long lists are compared in a time that grows with their length alone.
struct ValueKey: Hashable {
  let value: RulesValue
  /// Whether 1 and 1.0 are the same, as they are in sets.
  let isLoose: Bool

  static func == (left: Self, right: Self) -> Bool {
    left.isLoose ? left.value.isEqual(to: right.value) : left.value.isIdentical(to: right.value)
  }

  func hash(into hasher: inout Hasher) {
    if isLoose, case .int(let number) = value {
      RulesValue.float(Double(number)).hash(into: &hasher)
    } else {
      value.hash(into: &hasher)
    }
  }
}

/// Values that others are looked for among.
struct ValueTable {
  private static let few = 16

  private let values: [RulesValue]
  private let isLoose: Bool
  /// `nil` where looking at each is as fast.
  private let keys: Set<ValueKey>?

  /// Values that so many others will be looked for among.
  init(_ values: [RulesValue], isLoose: Bool, lookups: Int) {
    self.values = values
    self.isLoose = isLoose
    keys =
      min(values.count, lookups) <= Self.few
      ? nil : Set(values.map { ValueKey(value: $0, isLoose: isLoose) })
  }

  func contains(_ value: RulesValue) -> Bool {
    if let keys { return keys.contains(ValueKey(value: value, isLoose: isLoose)) }
    if case .string(let text) = value {
      for place in values.indices {
        if case .string(let other) = values[place], other.hasBytes(of: text) { return true }
      }
      return false
    }
    return values.contains { isLoose ? $0.isEqual(to: value) : $0.isIdentical(to: value) }
  }
}

extension RulesValue {
  /// Goes down as deep as the value is.
  fileprivate func hash(into hasher: inout Hasher) {
    hasher.combine(type)
    switch self {
    case .null, .unknown, .mapDiff, .constraint: break
    case .bool(let bool): hasher.combine(bool)
    case .int(let number): hasher.combine(number)
    // Both zeros are equal.
    case .float(let number): hasher.combine(number == 0 ? 0 : number)
    case .string(let text): for unit in text.utf8 { hasher.combine(unit) }
    case .bytes(let bytes): hasher.combine(bytes)
    case .list(let values): for value in values { value.hash(into: &hasher) }
    case .set(let values): hasher.combine(values.count)
    case .map(let map):
      for entry in map.entries {
        for unit in entry.key.utf8 { hasher.combine(unit) }
        entry.value.hash(into: &hasher)
      }
    case .path(let path): hasher.combine(path.flattened.count)
    case .timestamp(let time): hasher.combine(time)
    case .duration(let duration): hasher.combine(duration)
    case .latlng(let latitude, let longitude):
      hasher.combine(latitude == 0 ? 0 : latitude)
      hasher.combine(longitude == 0 ? 0 : longitude)
    case .vector(let numbers): hasher.combine(numbers.count)
    }
  }
}
