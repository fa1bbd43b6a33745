package import FirestoreModel
package import FirestoreService
internal import Threading

/// Who the latest authorizations stand for: a client sends the same one with each of its requests. Each thread keeps its
/// own.
package final class RecentPrincipals: Sendable {
  private static let limit = 64
  /// A longer authorization is read each time.
  private static let longest = 8 << 10

  private let principals = PerThread<[String: Principal]>([:])

  package init() {}

  /// Who sends `authorization`, as `Principal.init(authorization:)` reads it.
  package func principal(authorization: String?) throws(FirestoreError) -> Principal {
    guard let authorization, authorization.utf8.count <= Self.longest else {
      return try Principal(authorization: authorization)
    }
    if let known = principals.withValue({ $0[authorization] }) { return known }
    let principal = try Principal(authorization: authorization)
    principals.withValue { principals in
      if principals.count >= Self.limit { principals = [:] }
      principals[authorization] = principal
    }
    return principal
  }
}
