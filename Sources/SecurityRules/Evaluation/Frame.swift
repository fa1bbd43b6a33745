/// The variables that one statement or one call of a function sees. Arguments and bindings get their values when
/// they are first used, and keep them.
final class Frame {
  enum Slot {
    case pending(ExpressionID, Frame)
    case settled(Result<RulesValue, EvaluationFailure>)
  }

  /// The captures of the enclosing match blocks; `nil` where the path is not known that far.
  let captures: [RulesValue?]
  var parameters: [Slot] = []
  /// `nil` until used.
  var bindings: [Result<RulesValue, EvaluationFailure>?] = []
  /// The function that is called.
  let function: FunctionDeclaration?

  init(captures: [RulesValue?], function: FunctionDeclaration? = nil) {
    self.captures = captures
    self.function = function
    if let function { bindings = Array(repeating: nil, count: function.bindings.count) }
  }
}
