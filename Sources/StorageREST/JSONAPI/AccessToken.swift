internal import Coding

/// A token of this server's making, which says whose it is. It opens nothing: everybody may do everything.
struct AccessToken {
  private static let prefix = "hibachi."

  let email: String

  /// The token of an `Authorization`; `nil` for all others.
  init?(authorization: String) {
    let parts = authorization.split(separator: " ")
    guard parts.count == 2, parts[1].hasPrefix(Self.prefix),
      let email = Base64.decode(String(parts[1].dropFirst(Self.prefix.utf8.count)))
    else { return nil }
    self.email = String(decoding: email, as: UTF8.self)
  }

  /// The token for what an account signed (RFC 7523): its payload names the account, and nobody looks at the signature.
  init?(assertion: String) {
    let parts = assertion.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let payload = Base64.decode(String(parts[1])),
      let email = (try? JSONValue(payload))?["iss"]?.text
    else { return nil }
    self.email = email
  }

  var text: String { Self.prefix + Base64.encode(Array(email.utf8), alphabet: .urlSafe) }
}
