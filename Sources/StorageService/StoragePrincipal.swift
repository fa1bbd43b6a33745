/// Who asks. Every form of authorization is admitted; only the administrator may handle download tokens.
package enum StoragePrincipal: Hashable, Sendable {
  /// `owner`, as admin SDKs and tests send it.
  case administrator
  /// Anybody else, with or without a token.
  case client

  /// Who sends `authorization`, the value of that header.
  package init(authorization: String?) {
    switch authorization {
    case "Bearer owner", "Firebase owner": self = .administrator
    default: self = .client
    }
  }
}
