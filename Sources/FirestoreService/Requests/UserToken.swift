internal import SecurityRules

/// What the token of a signed-in user says: one object for the many requests that bring the same token.
package final class UserToken: Sendable {
  /// JSON text as it came: an object.
  package let claims: [UInt8]

  /// `request.auth` of rules: the `sub` as `uid`, and all claims; null if they are no object.
  let auth: RulesValue

  package init(claims: [UInt8]) {
    self.claims = claims
    auth =
      RulesMap(claims: claims).map {
        .map(["token": .map($0), "uid": $0["sub"] ?? .null])
      } ?? .null
  }
}

extension UserToken: Hashable {
  package static func == (left: UserToken, right: UserToken) -> Bool {
    left === right || left.claims == right.claims
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(claims)
  }
}
