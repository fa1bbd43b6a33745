package import HTTPServer

/// Keeps pages from elsewhere away from the control endpoints.
///
/// A browser names the page in `Origin`, which must then be a loopback address or allowed. A server that only this
/// machine can reach also wants its `Host` to be an IP literal or `localhost`, so that a name that someone else made point
/// here (DNS rebinding) opens nothing.
package struct ControlGuard: Sendable {
  private let allowedOrigins: Set<String>
  private let isLoopback: Bool

  package init(allowedOrigins: [String], isLoopback: Bool) {
    self.allowedOrigins = Set(allowedOrigins)
    self.isLoopback = isLoopback
  }

  package func allows(_ request: HTTPRequestHead) -> Bool {
    if let origin = request.fields.first("origin"), !allowedOrigins.contains(origin) {
      let parts = origin.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3, parts[1].isEmpty, HostName(authority: parts[2]).isLoopback
      else { return false }
    }
    guard isLoopback else { return true }
    let host = HostName(authority: request.authority[...])
    return host.isLocalhost || host.isAddress
  }
}
