internal import SecurityRules

extension Principal {
  /// `request.auth`: null without a user, else the `sub` of the token as `uid`, and all claims.
  var rulesValue: RulesValue {
    guard case .user(let user) = self else { return .null }
    guard let token = RulesMap(claims: user.claims) else { return .null }
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
