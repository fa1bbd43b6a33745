/// One way to use an operator or a function: the types that its operands may have, and those that it gives then.
struct TypeForm {
  /// Of each operand; `nil` for one that may be anything.
  var operands: [[RulesType]?]
  /// `nil` if it may be anything.
  var results: [RulesType]?

  init(_ operands: [[RulesType]?], _ results: [RulesType]?) {
    self.operands = operands
    self.results = results
  }

  /// Whether it may stand where `expected` is; among numbers none is told from another.
  func fits(_ expected: [RulesType]?) -> Bool {
    guard let results, let expected else { return true }
    return results.contains { result in
      expected.contains(result)
        || (result == .int || result == .float)
          && (expected.contains(.int) || expected.contains(.float))
    }
  }

  /// Each type of `lists` once; `nil` if one of them is.
  static func union(_ lists: some Sequence<[RulesType]?>) -> [RulesType]? {
    var union: [RulesType] = []
    for list in lists {
      guard let list else { return nil }
      for type in list where !union.contains(type) { union.append(type) }
    }
    return union
  }
}

extension TypeForm {
  private static let texts: [RulesType] = [.path, .null, .int, .float, .string, .bool]

  /// The forms of what is no name and no call; without any, the operands and the result may be anything.
  static func forms(of expression: Expression) -> [TypeForm] {
    let any = Array(repeating: [RulesType]?.none, count: expression.children.count)
    switch expression.kind {
    case .list: return [TypeForm(any, [.list])]
    case .map(let entries):
      return [TypeForm(entries.flatMap { _ in [[.string], nil] }, [.map])]
    case .path: return [TypeForm(any.map { _ in texts }, [.path])]
    case .member: return [TypeForm([[.map]], nil)]
    case .element:
      return [
        TypeForm([[.string], [.int]], [.string]), TypeForm([[.list], [.int]], nil),
        TypeForm([[.map], [.string]], nil), TypeForm([[.path], [.int]], [.string]),
        TypeForm([[.path], [.string]], nil),
      ]
    case .slice:
      return [RulesType.string, .list, .path].map { type in
        TypeForm([[type]] + any.dropFirst().map { _ in [.null, .int] }, [type])
      }
    case .not, .and, .or: return [TypeForm(any.map { _ in [.bool] }, [.bool])]
    case .negate: return [.int, .float, .duration].map { TypeForm([[$0]], [$0]) }
    case .binary(let sign, _, _): return forms(of: sign)
    case .typeTest: return [TypeForm(any, [.bool])]
    case .literal, .variable, .call, .method, .conditional: return []
    }
  }

  private static func forms(of sign: BinaryOperator) -> [TypeForm] {
    switch sign {
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
      [TypeForm([nil, nil], [.bool])]
    case .contained: [TypeForm([nil, [.list, .set, .map, .constraint]], [.bool])]
    case .add, .subtract, .multiply, .divide, .remainder:
      sign.overloads.map { TypeForm([[$0.left], [$0.right]], [$0.result]) }
    }
  }

  /// The forms of functions or methods with so many arguments; the receiver of a method is the first operand.
  static func forms(of builtins: [Builtin], arguments count: Int) -> [TypeForm] {
    builtins.flatMap { builtin in
      builtin.overloads(argumentCount: count).map {
        TypeForm($0.operands.map(operand), builtin.results)
      }
    }
  }

  private static func operand(_ type: RulesType) -> [RulesType]? {
    switch type {
    case .any: nil
    case .float: [.float, .int]
    case .bool, .duration, .int, .latlng, .map, .null, .string, .bytes, .timestamp, .path, .list,
      .vector, .set, .constraint, .mapDiff:
      [type]
    }
  }
}
