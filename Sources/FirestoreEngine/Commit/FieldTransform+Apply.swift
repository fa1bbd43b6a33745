internal import Coding
internal import FirestoreModel

extension FieldTransform {
  /// Changes `fields` and returns what the write answers for this transform: the new value, null for those of arrays.
  ///
  /// Source: comments of `DocumentTransform.FieldTransform`.
  func apply(to fields: inout MapValue, requestTime: Timestamp) -> Value {
    let stored = fields[path]
    switch operation {
    case .requestTime:
      return put(.timestamp(requestTime), into: &fields)
    case .increment(let operand):
      return put(stored.map { Self.sum($0, operand) } ?? operand, into: &fields)
    case .maximum(let operand):
      return put(Self.pick(stored, operand, replacing: .ascending), into: &fields)
    case .minimum(let operand):
      return put(Self.pick(stored, operand, replacing: .descending), into: &fields)
    case .appendMissingElements(let elements):
      var array = Self.elements(of: stored)
      for element in elements where !array.contains(where: { Value.isEquivalent($0, element) }) {
        array.append(element)
      }
      _ = put(.array(array), into: &fields)
      return .null
    case .removeAllFromArray(let elements):
      let array = Self.elements(of: stored).filter { element in
        !elements.contains { Value.isEquivalent($0, element) }
      }
      _ = put(.array(array), into: &fields)
      return .null
    }
  }

  private func put(_ value: Value, into fields: inout MapValue) -> Value {
    fields.set(path, to: value)
    return value
  }

  /// The sum, integers saturating; `operand` if `stored` is no number.
  private static func sum(_ stored: Value, _ operand: Value) -> Value {
    switch (stored, operand) {
    case (.integer(let left), .integer(let right)):
      let (sum, overflow) = left.addingReportingOverflow(right)
      return .integer(overflow ? (right < 0 ? .min : .max) : sum)
    case (.integer(let left), .double(let right)): return Value(Double(left) + right)
    case (.double(let left), .integer(let right)): return Value(left + Double(right))
    case (.double(let left), .double(let right)): return Value(left + right)
    default: return operand
    }
  }

  /// The operand if `stored` is no number or stands to it in `ordering`; the stored number otherwise, equal ones
  /// included. NaN wins always.
  private static func pick(
    _ stored: Value?, _ operand: Value, replacing ordering: Ordering
  ) -> Value {
    guard let stored, stored.typeClass == .number, !operand.isNaN else { return operand }
    guard !stored.isNaN else { return stored }
    return Value.compare(stored, operand) == ordering ? operand : stored
  }

  private static func elements(of stored: Value?) -> [Value] {
    if case .array(let elements) = stored { return elements }
    return []
  }
}
