internal import SecurityRules

extension Principal {
  /// `request.auth`: null without a user.
  var rulesValue: RulesValue {
    guard case .user(let token) = self else { return .null }
    return token.auth
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
