internal import Coding
package import FirestoreModel
package import FirestoreService

extension Principal {
  /// Who sends `authorization`, the value of that header; `nil` or an empty one is nobody.
  ///
  /// No signature, issuer or expiry is checked, as in the official emulator: `owner` in any letter case and OAuth tokens
  /// (`ya29.`) are administrators, and so are service accounts, whose tokens name them as issuer and as subject; any other
  /// JWT is a user.
  ///
  /// - Throws: `INVALID_ARGUMENT` for a bearer token of another form, `UNAUTHENTICATED` for another scheme.
  package init(authorization: String?) throws(FirestoreError) {
    guard let authorization, !authorization.isEmpty else {
      self = .anonymous
      return
    }
    let parts = authorization.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "bearer" else {
      throw FirestoreError(.unauthenticated, "The authorization must be a bearer token.")
    }
    try self.init(token: parts[1].drop { $0 == " " })
  }

  /// Who `token` stands for, without its scheme.
  ///
  /// - Throws: `INVALID_ARGUMENT`.
  package init(token: Substring) throws(FirestoreError) {
    if token.lowercased() == "owner" || token.utf8.starts(with: "ya29.".utf8) {
      self = .administrator
      return
    }
    guard let token = WebToken(token) else { throw .invalidArgument("invalid jwt") }
    self = token.isOfServiceAccount ? .administrator : .user(UserToken(claims: token.claims))
  }
}
