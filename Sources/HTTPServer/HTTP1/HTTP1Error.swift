/// Why a request of HTTP/1 is refused. The connection is closed after the answer, since nobody can say where the next request begins.
struct HTTP1Error: Error, Hashable {
  enum Code: Hashable, CaseIterable {
    case badRequest
    case requestTimeout
    case targetTooLong
    case expectationFailed
    case fieldsTooLarge
    case notImplemented
    case versionNotSupported
  }

  var code: Code
  /// One phrase for the peer, in ASCII.
  var message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  var status: Int {
    switch code {
    case .badRequest: 400
    case .requestTimeout: 408
    case .targetTooLong: 414
    case .expectationFailed: 417
    case .fieldsTooLarge: 431
    case .notImplemented: 501
    case .versionNotSupported: 505
    }
  }
}
