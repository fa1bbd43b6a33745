/// Takes arguments one by one, flags in both of their forms: `--flag value` and `--flag=value`.
struct ArgumentReader {
  /// What is not taken yet.
  private(set) var rest: ArraySlice<String>

  init(_ arguments: [String]) {
    rest = arguments[...]
  }

  /// The next argument with what stands behind its `=`; `nil` at the end.
  mutating func next() -> (name: String, value: String?)? {
    guard let argument = rest.popFirst() else { return nil }
    guard argument.hasPrefix("-"), let equals = argument.firstIndex(of: "=") else {
      return (argument, nil)
    }
    return (String(argument[..<equals]), String(argument[argument.index(after: equals)...]))
  }

  /// The value of a flag that needs one.
  mutating func value(of name: String, _ given: String?) throws(UsageError) -> String {
    if let given { return given }
    guard let value = rest.popFirst() else { throw UsageError("\(name) needs a value.") }
    return value
  }

  /// The value of a flag that may stand alone, or before `true` or `false`.
  mutating func isOn(_ name: String, _ given: String?) throws(UsageError) -> Bool {
    if given == nil, let word = rest.first, Bool(word) != nil {
      return rest.removeFirst() == "true"
    }
    guard let isOn = Bool(given ?? "true") else {
      throw UsageError("\(name) must be true or false, not \"\(given ?? "")\".")
    }
    return isOn
  }
}
