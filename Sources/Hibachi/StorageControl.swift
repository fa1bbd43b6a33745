internal import AdminREST
internal import Coding
internal import HTTPServer
internal import Synchronization

/// What test libraries ask of fake-gcs-server below `/_internal`: whether it is there, and to tell clients of another address.
final class StorageControl: HTTPHandler {
  static let prefix = "/_internal/"
  private static let maximumSize = 64 << 10

  private let guardian: ControlGuard
  private let externalURL: Mutex<String?>

  init(guardian: ControlGuard, externalURL: String?) {
    self.guardian = guardian
    self.externalURL = Mutex(externalURL)
  }

  /// A request as if it had come by way of the address that clients are told.
  func addressed(_ request: HTTPRequestHead) -> HTTPRequestHead {
    guard let url = externalURL.withLock({ $0 }) else { return request }
    let parts = url.split(separator: "/", omittingEmptySubsequences: true)
    guard parts.count >= 2, let scheme = parts.first?.dropLast() else { return request }
    var request = request
    request.fields = HTTPFields(
      [("x-forwarded-proto", String(scheme)), ("x-forwarded-host", String(parts[1]))]
        + request.fields.lines.map { ($0.name, $0.value) })
    return request
  }

  func handle(_ exchange: HTTPExchange) async {
    let status: Int
    switch (exchange.request.method, exchange.request.target) {
    case _ where !guardian.allows(exchange.request): status = 403
    case ("GET", "\(Self.prefix)healthcheck"), ("HEAD", "\(Self.prefix)healthcheck"): status = 200
    case ("PUT", "\(Self.prefix)config"): status = await configure(exchange) ? 200 : 400
    default: status = 404
    }
    // An error here means that the peer is gone: nobody is left to tell.
    try? await exchange.response.respond(HTTPResponseHead(status: status), body: [])
  }

  /// `{"externalUrl":"http://HOST:PORT"}`; an empty one tells clients what they themselves say.
  private func configure(_ exchange: HTTPExchange) async -> Bool {
    guard let text = try? await exchange.body.collect(upTo: Self.maximumSize),
      let members = (try? JSONValue(text))?.members
    else { return false }
    if let url = members["externalUrl"]?.text {
      externalURL.withLock { $0 = url.isEmpty ? nil : url }
    }
    return true
  }
}
