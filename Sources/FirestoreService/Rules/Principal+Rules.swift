internal import Coding
internal import SecurityRules

extension Principal {
  /// `request.auth`: null without a user, else the `sub` of the token as `uid`, and all claims.
  var rulesValue: RulesValue {
    guard case .user(let claims) = self else { return .null }
    var reader = JSONReader(claims.span)
    guard let value = try? reader.readRulesValue(), case .map(let token) = value else {
      return .null
    }
    return .map(["uid": token["sub"] ?? .null, "token": .map(token)])
  }
}

extension Principal {
  /// Who it is, for the log.
  var identity: String {
    switch self {
    case .anonymous: return "nobody signed in"
    case .administrator: return "an administrator"
    case .user:
      guard case .map(let auth) = rulesValue, case .string(let identifier)? = auth["uid"] else {
        return "a user without uid"
      }
      return identifier
    }
  }
}

extension JSONReader {
  /// Reads a value of any kind; the reader itself bounds the depth. Whole numbers are integers, however they
  /// are written.
  fileprivate mutating func readRulesValue() throws(JSONError) -> RulesValue {
    switch try peek() {
    case .null:
      try readNull()
      return .null
    case .boolean: return .bool(try readBool())
    case .string: return .string(try readString())
    case .number:
      let text = try readNumber()
      if let number = Int64(decimal: text) { return .int(number) }
      return .float(Double(decimal: text) ?? .infinity)
    case .array:
      var values: [RulesValue] = []
      try beginArray()
      while try nextElement() { values.append(try readRulesValue()) }
      return .list(values)
    case .object:
      var map: RulesMap = [:]
      try beginObject()
      while let key = try nextKey() { map[key] = try readRulesValue() }
      return .map(map)
    }
  }
}
