/// The variables that one statement or one call of a function sees. Arguments and bindings get their values when
/// they are first used, and keep them.
final class Frame {
  enum Slot {
    case pending(ExpressionID, Frame)
    case settled(Result<RulesValue, EvaluationFailure>)
  }

  /// The captures of the enclosing match blocks.
  let captures: Captures
  var parameters: [Slot]
  /// `nil` until used.
  var bindings: [Result<RulesValue, EvaluationFailure>?]
  /// The function that is called; `nil` in a statement.
  let function: FunctionID?

  init(
    captures: Captures, function: FunctionID? = nil, arguments: [Slot] = [],
    bindings: Int = 0
  ) {
    self.captures = captures
    self.function = function
    parameters = arguments
    self.bindings = Array(repeating: nil, count: bindings)
  }
}
