/// Why an expression has no value. In a box, so that the frames of an evaluation stay small.
package enum EvaluationFailure: Error, Sendable {
  /// The value depends on a document that was not read, or on what no filter says.
  case unknown
  /// What went wrong, a sentence, and the expression that failed, once that is known.
  indirect case failed(String, at: SourceRange?)

  init(_ cause: String) {
    self = .failed(cause, at: nil)
  }

  /// What went wrong; `nil` if the value is unknown.
  package var cause: String? {
    switch self {
    case .unknown: nil
    case .failed(let cause, _): cause
    }
  }

  /// The expression that failed.
  package var range: SourceRange? {
    switch self {
    case .unknown: nil
    case .failed(_, let range): range
    }
  }

  static let null = EvaluationFailure("Null value error.")
  static let divideByZero = EvaluationFailure("Divide by zero error.")
  static let integerRange = EvaluationFailure(
    "Integer value is out of the [-9223372036854775808, 9223372036854775807] range.")
  static let durationRange = EvaluationFailure(
    "Duration is not valid. Seconds must be in range [-315,576,000,000, +315,576,000,000]. "
      + "Nanos must be in range [-999,999,999, +999,999,999]. "
      + "Nanos must have the same sign as seconds.")
  static let timestampRange = EvaluationFailure(
    "Timestamp is not valid. Seconds must be in range [-62,135,596,800, +253,402,300,799]. "
      + "Nanos must be in range [0, +999,999,999].")
  static let tooMany = EvaluationFailure(
    "Unable to evaluate the expression as the maximum of 1000 expressions to evaluate has been "
      + "reached.")

  static let tooLarge = EvaluationFailure(
    "Unable to evaluate the expression as the maximum memory usage of 1000 has been reached.")

  static func property(_ name: String) -> EvaluationFailure {
    EvaluationFailure("Property \(name) is undefined on object.")
  }

  static func noFunction(_ name: String) -> EvaluationFailure {
    EvaluationFailure("Function not found error: Name: [\(name)].")
  }

  static func type(_ received: String, _ expected: String) -> EvaluationFailure {
    EvaluationFailure("Type error. Received: [\(received)] Expected: [\(expected)].")
  }

  static func unsupported(_ received: String, _ expected: String) -> EvaluationFailure {
    EvaluationFailure(
      "Unsupported operation error. Received: \(received). Expected: \(expected).")
  }

  static func index(_ index: Int64, size: Int) -> EvaluationFailure {
    EvaluationFailure("Index out of bound error. Index: [\(index)] , size: [\(size)].")
  }

  static func pattern(_ pattern: String) -> EvaluationFailure {
    EvaluationFailure("Invalid regular expression pattern. Pattern: \(pattern).")
  }

  static func conversion(_ text: String, to type: String) -> EvaluationFailure {
    EvaluationFailure(
      "Type conversion error. Argument: [\(text)], From type: [string], To type: [\(type)].")
  }

  static func argumentCount(_ count: Int, _ expected: String) -> EvaluationFailure {
    EvaluationFailure(
      "Incorrect number of arguments. Received: \(count). Expected: \(expected).")
  }

  /// A function that reads documents could not.
  static func service(_ function: String, _ path: RulesPath) -> EvaluationFailure {
    EvaluationFailure(
      "Service call error. Function: [\(function)], Argument: [\(path.protobufText)].")
  }
}

extension RulesPath {
  /// The path in protocol buffers' text form, as it stands in messages.
  var protobufText: String {
    var text = "path_value {\n"
    for segment in flattened {
      text += "  segments {\n"
      switch segment {
      case .text(let value): text += "    simple: \"\(value)\"\n"
      case .capture(let name, _):
        text += "    capture {\n      variable_name: \"\(name)\"\n    }\n"
      case .glob(let name, _):
        text += "    glob_capture {\n      variable_name: \"\(name)\"\n    }\n"
      }
      text += "  }\n"
    }
    return text + "}\n"
  }
}
