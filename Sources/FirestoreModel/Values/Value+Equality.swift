extension Value: Hashable {
  /// Whether the stored forms are the same: 1 and 1.0 are not, nor are 0.0 and -0.0. Filters and array transforms
  /// use `isEquivalent`.
  package static func == (left: Value, right: Value) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.boolean(let left), .boolean(let right)): left == right
    case (.integer(let left), .integer(let right)): left == right
    case (.double(let left), .double(let right)): left.bitPattern == right.bitPattern
    case (.timestamp(let left), .timestamp(let right)): left == right
    case (.string(let left), .string(let right)): left == right
    case (.bytes(let left), .bytes(let right)): left == right
    case (.reference(let left), .reference(let right)): left == right
    case (.geoPoint(let left), .geoPoint(let right)):
      left.latitude.bitPattern == right.latitude.bitPattern
        && left.longitude.bitPattern == right.longitude.bitPattern
    case (.array(let left), .array(let right)): left == right
    case (.vector(let left), .vector(let right)):
      left.map(\.bitPattern) == right.map(\.bitPattern)
    case (.map(let left), .map(let right)): left == right
    default: false
    }
  }

  package func hash(into hasher: inout Hasher) {
    switch self {
    case .null: break
    case .boolean(let value): hasher.combine(value)
    case .integer(let value): hasher.combine(value)
    case .double(let value): hasher.combine(value.bitPattern)
    case .timestamp(let value): hasher.combine(value)
    case .string(let value): hasher.combine(value)
    case .bytes(let value): hasher.combine(value)
    case .reference(let value): hasher.combine(value)
    case .geoPoint(let value):
      hasher.combine(value.latitude.bitPattern)
      hasher.combine(value.longitude.bitPattern)
    case .array(let value): hasher.combine(value)
    case .vector(let value): hasher.combine(value.map(\.bitPattern))
    case .map(let value): hasher.combine(value)
    }
  }
}

extension MapValue: Hashable {
  /// The same names with values that are the same in their stored form.
  package static func == (left: MapValue, right: MapValue) -> Bool {
    left.fields.count == right.fields.count
      && zip(left.fields, right.fields).allSatisfy { $0.name == $1.name && $0.value == $1.value }
  }

  package func hash(into hasher: inout Hasher) {
    for field in fields {
      hasher.combine(field.name)
      hasher.combine(field.value)
    }
  }
}
