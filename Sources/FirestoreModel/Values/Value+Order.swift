internal import Coding

extension Value {
  /// What a range filter compares with one another; the raw values are the order of the types.
  package enum TypeClass: UInt8, CaseIterable, Sendable {
    case null = 1
    case boolean = 2
    case number = 3
    case timestamp = 4
    case string = 5
    case bytes = 6
    case reference = 7
    case geoPoint = 8
    case array = 9
    case vector = 10
    case map = 11
  }

  package var typeClass: TypeClass {
    switch self {
    case .null: .null
    case .boolean: .boolean
    case .integer, .double: .number
    case .timestamp: .timestamp
    case .string: .string
    case .bytes: .bytes
    case .reference: .reference
    case .geoPoint: .geoPoint
    case .array: .array
    case .vector: .vector
    case .map: .map
    }
  }

  package var isNaN: Bool {
    if case .double(let number) = self { return number.isNaN }
    return false
  }

  package var isNull: Bool {
    if case .null = self { return true }
    return false
  }

  /// The total order over all types that orders and cursors use: 1 and 1.0, 0.0 and -0.0, and all NaN are equal in it.
  ///
  /// Source: "Value type ordering" of the Firestore documentation.
  package static func compare(_ left: Value, _ right: Value) -> Ordering {
    switch (left, right) {
    case (.null, .null): .equal
    case (.boolean(let left), .boolean(let right)): Ordering(left ? 1 : 0, right ? 1 : 0)
    case (.integer(let left), .integer(let right)): Ordering(left, right)
    case (.double(let left), .double(let right)): compare(left, right)
    case (.integer(let left), .double(let right)): compare(left, right)
    case (.double(let left), .integer(let right)): compare(right, left).reversed
    case (.timestamp(let left), .timestamp(let right)): Ordering(left, right)
    case (.string(let left), .string(let right)): Ordering(left.utf8, right.utf8)
    case (.bytes(let left), .bytes(let right)):
      Ordering(left, right) { Ordering($0, $1) }
    case (.reference(let left), .reference(let right)): DocumentName.compare(left, right)
    case (.geoPoint(let left), .geoPoint(let right)):
      compare(left.latitude, right.latitude).then(compare(left.longitude, right.longitude))
    case (.array(let left), .array(let right)): Ordering(left, right, by: compare)
    case (.vector(let left), .vector(let right)):
      Ordering(left.count, right.count).then(Ordering(left, right, by: compare))
    case (.map(let left), .map(let right)):
      Ordering(left.fields, right.fields) {
        Ordering($0.name.utf8, $1.name.utf8).then(compare($0.value, $1.value))
      }
    default: Ordering(left.typeClass.rawValue, right.typeClass.rawValue)
    }
  }

  /// Whether two values are the same to a filter and to an array transform: 3 and 3.0 are, NaN and NaN, null and null.
  package static func isEquivalent(_ left: Value, _ right: Value) -> Bool {
    compare(left, right) == .equal
  }

  /// NaN is below all numbers.
  private static func compare(_ left: Double, _ right: Double) -> Ordering {
    if left.isNaN || right.isNaN {
      return Ordering(left.isNaN ? 0 : 1, right.isNaN ? 0 : 1)
    }
    return Ordering(left, right)
  }

  /// Exact: the integer is not converted to a double.
  private static func compare(_ left: Int64, _ right: Double) -> Ordering {
    guard !right.isNaN, right >= -0x1p63 else { return .descending }
    guard right < 0x1p63 else { return .ascending }
    let whole = right.rounded(.down)
    return Ordering(left, Int64(whole)).then(Ordering(whole, right))
  }
}

extension DocumentName {
  /// The order of references: project, database, then id by id, numeric ids first, a shorter prefix first.
  package static func compare(_ left: DocumentName, _ right: DocumentName) -> Ordering {
    Ordering(left.database.project.utf8, right.database.project.utf8)
      .then(Ordering(left.database.database.utf8, right.database.database.utf8))
      .then(DocumentPath.compare(left.path, right.path))
  }
}

extension DocumentPath {
  /// The order of `__name__`: id by id, numeric ids first, a shorter prefix first.
  package static func compare(_ left: DocumentPath, _ right: DocumentPath) -> Ordering {
    Ordering(left.segments, right.segments, by: ResourceID.compare)
  }
}
