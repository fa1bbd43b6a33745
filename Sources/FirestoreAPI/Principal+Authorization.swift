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
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, Self.object(parts[0]) != nil, let payload = Self.object(parts[1]) else {
      throw .invalidArgument("invalid jwt")
    }
    let isServiceAccount =
      payload.issuer.map {
        $0.string.hasSuffix(".gserviceaccount.com") && $0 == payload.subject
      } ?? false
    self = isServiceAccount ? .administrator : .user(claims: payload.json)
  }

  /// A part of a JWT: base64url of a JSON object, with the two claims that matter here.
  private static func object(
    _ part: Substring
  ) -> (json: [UInt8], issuer: UTF8String?, subject: UTF8String?)? {
    guard let json = Base64.decode(String(part)) else { return nil }
    var reader = JSONReader(json.span)
    var issuer: UTF8String?
    var subject: UTF8String?
    do {
      try reader.beginObject()
      while let key = try reader.nextKey() {
        switch try reader.peek() {
        case .string where key == "iss": issuer = UTF8String(try reader.readString())
        case .string where key == "sub": subject = UTF8String(try reader.readString())
        case .string, .number, .boolean, .null, .object, .array: try reader.skipValue()
        }
      }
      try reader.finish()
    } catch {
      return nil
    }
    return (json, issuer, subject)
  }
}
