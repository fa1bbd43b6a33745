internal import Coding

/// Who asks through Firebase's API. The APIs of Cloud Storage are administrators' alone, whoever asks.
package enum StoragePrincipal: Hashable, Sendable {
  /// `owner`, as admin SDKs and tests send it, whom rules do not bind; the only one that may handle download tokens.
  case administrator
  /// Anybody else, with what stands behind the scheme of the authorization, a token as a rule; `nil` without authorization.
  case client(token: String?)

  /// Who sends `authorization`, the value of that header. Every form of it is admitted.
  package init(authorization: String?) {
    switch authorization {
    case "Bearer owner", "Firebase owner": self = .administrator
    case let text?:
      let parts = text.split(separator: " ", maxSplits: 1)
      self = .client(token: parts.count == 2 ? String(parts[1]) : nil)
    case nil: self = .client(token: nil)
    }
  }

  /// The same from what `author` gave.
  init(author: String) {
    self = .client(token: author.isEmpty ? nil : author)
  }

  /// By what name an upload remembers who began it; `nil` for the administrator.
  var author: String? {
    switch self {
    case .administrator: nil
    case .client(let token): token ?? ""
    }
  }

  /// What the token says; `nil` without one that can be read. No signature, issuer or expiry is checked.
  var webToken: WebToken? {
    switch self {
    case .administrator, .client(nil): nil
    case .client(let token?): WebToken(token[...])
    }
  }
}

/// A request through Firebase's API, as far as it matters for who is admitted.
package struct StorageRequester: Sendable {
  package var principal: StoragePrincipal
  /// The parameters of the query, which rules can look at.
  package var parameters: [(name: String, value: String)]

  package init(
    _ principal: StoragePrincipal, parameters: [(name: String, value: String)] = []
  ) {
    self.principal = principal
    self.parameters = parameters
  }

  /// What opens one object to everybody who knows it.
  var downloadToken: String? { parameters.first { $0.name == "token" }?.value }
}
