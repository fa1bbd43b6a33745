package import Coding

/// A value of the language.
package enum RulesValue: Sendable {
  case null
  case bool(Bool)
  case int(Int64)
  case float(Double)
  /// A text; its length and its indexes count UTF-16 code units.
  case string(String)
  case bytes([UInt8])
  case list([RulesValue])
  case map(RulesMap)
  /// Distinct values in order of insertion.
  case set([RulesValue])
  case mapDiff(RulesMapDiff)
  case path(RulesPath)
  case timestamp(Timestamp)
  case duration(RulesDuration)
  case latlng(latitude: Double, longitude: Double)
  case vector([Double])
  /// What the filters of a query say of a field.
  case constraint([RulesConstraint])
  /// Not known yet: a document that was not read. Whatever needs it fails as undecided.
  case unknown

  /// The type; `nil` for what is unknown.
  package var type: RulesType? {
    switch self {
    case .null: .null
    case .bool: .bool
    case .int: .int
    case .float: .float
    case .string: .string
    case .bytes: .bytes
    case .list: .list
    case .map: .map
    case .set: .set
    case .mapDiff: .mapDiff
    case .path: .path
    case .timestamp: .timestamp
    case .duration: .duration
    case .latlng: .latlng
    case .vector: .vector
    case .constraint: .constraint
    case .unknown: nil
    }
  }

  /// The name of the type in messages.
  var typeName: String { type?.name ?? "unknown" }

  /// Whether it is what filters say of a field.
  var isConstraint: Bool {
    if case .constraint = self { true } else { false }
  }

  /// A list as a set: of equal values the first stays.
  static func distinct(_ values: [RulesValue]) -> [RulesValue] {
    var seen: Set<ValueKey> = []
    return values.filter { seen.insert(ValueKey(value: $0, isLoose: true)).inserted }
  }
}

// MARK: - Equality

extension RulesValue {
  /// The equality of `==`: numbers by value, everything else within its type, the elements of lists and maps strictly.
  package func isEqual(to other: RulesValue) -> Bool {
    if case (.int(let left), .float(let right)) = (self, other) { return Double(left) == right }
    if case (.float(let left), .int(let right)) = (self, other) { return left == Double(right) }
    return isIdentical(to: other)
  }

  /// Whether `diff` takes the two for the same: as `==`, but NaN did not change.
  func isUnchanged(from other: RulesValue) -> Bool {
    if case (.float(let left), .float(let right)) = (self, other), left.isNaN, right.isNaN {
      return true
    }
    return isEqual(to: other)
  }

  /// The equality within lists and maps: also the type is the same, so that 1 is not 1.0.
  package func isIdentical(to other: RulesValue) -> Bool {
    switch (self, other) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.int(let left), .int(let right)): left == right
    case (.float(let left), .float(let right)): left == right
    case (.string(let left), .string(let right)): left.hasBytes(of: right)
    case (.bytes(let left), .bytes(let right)): left == right
    case (.list(let left), .list(let right)):
      left.count == right.count && zip(left, right).allSatisfy { $0.isIdentical(to: $1) }
    case (.map(let left), .map(let right)): left.isIdentical(to: right)
    case (.set(let left), .set(let right)):
      left.count == right.count
        && left.allSatisfy(ValueTable(right, isLoose: true, lookups: left.count).contains)
    case (.path(let left), .path(let right)): left == right
    case (.timestamp(let left), .timestamp(let right)): left == right
    case (.duration(let left), .duration(let right)): left == right
    case (.latlng(let latitude, let longitude), .latlng(let otherLatitude, let otherLongitude)):
      latitude == otherLatitude && longitude == otherLongitude
    case (.vector(let left), .vector(let right)): left == right
    // Two of different types; that many pairs are more than the compiler checks for being exhaustive.
    default: false
    }
  }
}
