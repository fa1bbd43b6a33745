/// A function that reads a document.
enum DocumentFunction: String, CaseIterable, Sendable {
  case get, exists, getAfter, existsAfter
  case firestoreGet = "firestore.get"
  case firestoreExists = "firestore.exists"
}

/// A function or method of the language.
final class Builtin: Sendable {
  /// The name in messages: `list.hasAny`, `math.abs`, `get`.
  let name: String
  /// The type whose method it is; `nil` for a function.
  let receiver: RulesType?
  /// The ways to call it.
  let overloads: [Overload]
  /// What it gives; `nil` if that may be anything.
  let results: [RulesType]?

  private init(_ name: String, _ overloads: [Overload], of receiver: RulesType? = nil) {
    self.name = receiver.map { "\($0.name).\(name)" } ?? name
    self.overloads = overloads
    self.receiver = receiver
    results = TypeForm.union(overloads.map { $0.result == .any ? nil : [$0.result] })
  }

  /// The ways to call it with so many arguments.
  func overloads(argumentCount count: Int) -> [Overload] {
    overloads.filter { $0.operands.count == count + (receiver == nil ? 0 : 1) }
  }

  /// `f(int), f(float)`
  var expected: String {
    overloads.map { overload in
      let types = overload.operands.dropFirst(receiver == nil ? 0 : 1).map(\.name)
      return "\(name)(\(types.joined(separator: ", ")))"
    }.joined(separator: ", ")
  }

  /// By name.
  static let functions: [String: Builtin] = Dictionary(
    uniqueKeysWithValues: Dictionary(grouping: Overload.functions, by: \.name).map {
      ($0, Builtin($0, $1))
    })

  /// By name, those of each type that has one.
  static let methods: [String: [Builtin]] = [
    Overload.methodsOfStrings, Overload.methodsOfBytes, Overload.methodsOfLists,
    Overload.methodsOfSets, Overload.methodsOfMaps, Overload.methodsOfDifferences,
    Overload.methodsOfPaths, Overload.methodsOfTimestamps, Overload.methodsOfDurations,
    Overload.methodsOfPlaces, Overload.methodsOfConstraints,
  ].reduce(into: [:]) { methods, table in
    for (name, overloads) in Dictionary(grouping: table, by: \.name) {
      methods[name, default: []].append(Builtin(name, overloads, of: overloads[0].operands[0]))
    }
  }

  var lookup: DocumentFunction? { DocumentFunction(rawValue: name) }

  /// Whether it is one that reads documents from Firestore's own rules.
  var isLookup: Bool { lookup != nil && !name.hasPrefix("firestore.") }

  /// Whether it is the one that takes any number of arguments and gives the first.
  var isDebug: Bool { name == "debug" }
}

extension RulesType {
  /// Whether a value of `type` may stand where this one is expected.
  func accepts(_ type: RulesType) -> Bool {
    self == .any || self == type || self == .float && type == .int
  }
}

extension BinaryOperator {
  /// The sides that the operator takes, and what it gives.
  var overloads: [(left: RulesType, right: RulesType, result: RulesType)] {
    let numbers: [(left: RulesType, right: RulesType, result: RulesType)] = [
      (.int, .int, .int), (.float, .float, .float),
    ]
    switch self {
    case .add:
      return numbers + [
        (.string, .string, .string), (.duration, .duration, .duration),
        (.duration, .timestamp, .timestamp), (.timestamp, .duration, .timestamp),
      ]
    case .subtract:
      return numbers + [
        (.duration, .duration, .duration), (.timestamp, .duration, .timestamp),
        (.timestamp, .timestamp, .duration),
      ]
    case .multiply, .divide, .remainder:
      return numbers
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      let sides: [RulesType] = [.string, .bytes, .int, .float, .duration, .timestamp]
      return sides.map { ($0, $0, .bool) }
        + [(.constraint, .any, .bool), (.any, .constraint, .bool)]
    case .equal, .notEqual, .contained:
      return []
    }
  }
}
