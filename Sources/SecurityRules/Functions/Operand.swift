internal import Coding

/// A type that a function takes, and what its bodies get for a value of it.
struct Operand<Value>: Sendable {
  let type: RulesType
  /// `nil` for what is not of the type.
  let value: @Sendable (RulesValue) -> Value?

  private init(_ type: RulesType, _ value: @escaping @Sendable (RulesValue) -> Value?) {
    self.type = type
    self.value = value
  }
}

extension Operand<RulesValue> {
  /// Anything that is known.
  static var any: Self { Self(.any) { $0.type == nil ? nil : $0 } }

  /// The values of `type` as they are.
  static func value(_ type: RulesType) -> Self { Self(type) { $0.type == type ? $0 : nil } }
}

extension Operand<Int64> {
  static var int: Self { Self(.int) { if case .int(let number) = $0 { number } else { nil } } }
}

extension Operand<Double> {
  /// Integers too.
  static var float: Self {
    Self(.float) { value in
      if case .float(let number) = value { return number }
      if case .int(let number) = value { return Double(number) }
      return nil
    }
  }
}

extension Operand<String> {
  static var string: Self { Self(.string) { if case .string(let text) = $0 { text } else { nil } } }
}

extension Operand<[UInt8]> {
  static var bytes: Self { Self(.bytes) { if case .bytes(let bytes) = $0 { bytes } else { nil } } }
}

extension Operand<[RulesValue]> {
  static var list: Self {
    Self(.list) { if case .list(let elements) = $0 { elements } else { nil } }
  }

  static var set: Self { Self(.set) { if case .set(let elements) = $0 { elements } else { nil } } }
}

extension Operand<RulesMap> {
  static var map: Self { Self(.map) { if case .map(let map) = $0 { map } else { nil } } }
}

extension Operand<RulesMapDiff> {
  static var mapDiff: Self {
    Self(.mapDiff) { if case .mapDiff(let diff) = $0 { diff } else { nil } }
  }
}

extension Operand<RulesPath> {
  static var path: Self { Self(.path) { if case .path(let path) = $0 { path } else { nil } } }
}

extension Operand<Timestamp> {
  static var timestamp: Self {
    Self(.timestamp) { if case .timestamp(let time) = $0 { time } else { nil } }
  }
}

extension Operand<RulesDuration> {
  static var duration: Self {
    Self(.duration) { if case .duration(let duration) = $0 { duration } else { nil } }
  }
}

extension Operand<(latitude: Double, longitude: Double)> {
  static var latlng: Self {
    Self(.latlng) { value in
      if case .latlng(let latitude, let longitude) = value { (latitude, longitude) } else { nil }
    }
  }
}

extension Operand<[RulesConstraint]> {
  static var constraint: Self {
    Self(.constraint) {
      if case .constraint(let constraints) = $0 { constraints } else { nil }
    }
  }
}
