extension Evaluator {
  /// A map that is written out: a key and its value in turn.
  @inline(never)
  mutating func map(
    _ parts: [ExpressionID], _ frame: Frame
  ) throws(EvaluationFailure) -> RulesValue {
    var map: RulesMap = [:]
    for place in stride(from: 0, to: parts.count - 1, by: 2) {
      let key = try evaluate(parts[place], frame)
      guard case .string(let name) = key else { throw .type(key.typeName, "string") }
      map[name] = try evaluate(parts[place + 1], frame)
    }
    return .map(map)
  }

  @inline(never)
  mutating func values(
    _ expressions: [ExpressionID], _ frame: Frame
  ) throws(EvaluationFailure) -> [RulesValue] {
    var values: [RulesValue] = []
    values.reserveCapacity(expressions.count)
    for expression in expressions { values.append(try evaluate(expression, frame)) }
    return values
  }

  /// A path that is written out.
  @inline(never)
  mutating func path(
    _ parts: [Expression.PathPart], _ frame: Frame
  ) throws(EvaluationFailure) -> RulesValue {
    var segments: [RulesPath.Segment] = []
    segments.reserveCapacity(parts.count)
    for part in parts {
      switch part {
      case .text(let text): segments.append(.text(text))
      case .capture(let name): segments.append(.capture(name: name, value: nil))
      case .glob(let name): segments.append(.glob(name: name, value: nil))
      case .value(let expression):
        let value = try evaluate(expression, frame)
        if case .path(let inner) = value {
          segments += inner.segments
        } else {
          segments.append(.text(try Conversions.string(value)))
        }
      }
    }
    return .path(RulesPath(segments: segments))
  }

  /// `a[i]` and `a[i:j]`.
  mutating func part(_ id: ExpressionID, _ frame: Frame) throws(EvaluationFailure) -> RulesValue {
    switch program.expressions[id].kind {
    case .element(let base, let index):
      let value = try evaluate(base, frame)
      return try element(of: value, at: evaluate(index, frame))
    case .slice(let base, let start, let end):
      let value = try evaluate(base, frame)
      var bounds: [Int64?] = []
      for bound in [start, end] {
        guard let bound else {
          bounds.append(nil)
          continue
        }
        let index = try evaluate(bound, frame)
        guard case .int(let number) = index else {
          throw .unsupported("\(value.typeName)[\(index.typeName)]", "\(value.typeName)[int]")
        }
        bounds.append(number)
      }
      return try slice(of: value, from: bounds[0], to: bounds[1])
    case .literal, .list, .map, .path, .variable, .call, .method, .member, .not, .negate, .and, .or,
      .binary, .typeTest, .conditional:
      throw .null
    }
  }

  private func element(
    of base: RulesValue, at index: RulesValue
  ) throws(EvaluationFailure) -> RulesValue {
    switch (base, index) {
    case (.list(let list), .int(let index)):
      return list[try Self.position(index, in: list.count)]
    case (.string(let text), .int(let index)):
      let units = text.utf16
      let position = try Self.position(index, in: units.count)
      return .string(Self.text(units.dropFirst(position).prefix(1)))
    case (.map(let map), .string(let key)):
      guard let value = map[key] else { throw .property(key) }
      if case .unknown = value { throw .unknown }
      return value
    case (.path(let path), .int(let index)):
      let segments = path.flattened
      return Self.value(of: segments[try Self.position(index, in: segments.count)])
    case (.path(let path), .string(let name)):
      guard case .some(.some(let value)) = path.capture(named: name) else {
        throw .property(name)
      }
      return value
    case (.null, _): throw .null
    case (.list, _), (.string, _):
      throw .unsupported(indexing(base, index), "\(base.typeName)[int]")
    case (.map, _): throw .unsupported(indexing(base, index), "map[string]")
    case (.path, _): throw .unsupported(indexing(base, index), "path[int], path[string]")
    case (.bool, _), (.int, _), (.float, _), (.bytes, _), (.set, _), (.mapDiff, _), (.timestamp, _),
      (.duration, _), (.latlng, _), (.vector, _), (.constraint, _), (.unknown, _):
      throw .noFunction("[]")
    }
  }

  private func indexing(_ base: RulesValue, _ index: RulesValue) -> String {
    "\(base.typeName)[\(index.typeName)]"
  }

  private static func value(of segment: RulesPath.Segment) -> RulesValue {
    .string(String(RulesPath(segments: [segment]).description.dropFirst()))
  }

  private static func position(_ index: Int64, in size: Int) throws(EvaluationFailure) -> Int {
    guard 0..<Int64(size) ~= index else { throw .index(index, size: size) }
    return Int(index)
  }

  private mutating func slice(
    of base: RulesValue, from start: Int64?, to end: Int64?
  ) throws(EvaluationFailure) -> RulesValue {
    switch base {
    case .list(let list):
      return .list(Array(list[try Self.range(start, end, in: list.count)]))
    case .string(let text):
      let units = text.utf16
      let range = try Self.range(start, end, in: units.count)
      return .string(Self.text(units.dropFirst(range.lowerBound).prefix(range.count)))
    case .path(let path):
      let segments = path.flattened
      return .path(
        RulesPath(segments: Array(segments[try Self.range(start, end, in: segments.count)])))
    case .null: throw .null
    case .bool, .int, .float, .bytes, .map, .set, .mapDiff, .timestamp, .duration, .latlng, .vector,
      .constraint, .unknown:
      throw .noFunction("[]")
    }
  }

  private static func text(_ units: Substring.UTF16View) -> String {
    String(decoding: Array(units), as: UTF16.self)
  }

  /// The bounds of a slice: both within the size, and not the size itself at the start.
  private static func range(
    _ start: Int64?, _ end: Int64?, in size: Int
  ) throws(EvaluationFailure) -> Range<Int> {
    let start = start ?? 0
    let end = end ?? Int64(size)
    guard 0..<Int64(size) ~= start || start == 0 && end == 0 else {
      throw .index(start, size: size)
    }
    guard start <= end else {
      if end < 0 { throw .index(end, size: size) }
      throw EvaluationFailure(
        "Illegal range error. From index: [\(start)] , To index: [\(end)].")
    }
    guard end <= Int64(size) else { throw .index(end - 1, size: size) }
    return Int(start)..<Int(end)
  }
}
