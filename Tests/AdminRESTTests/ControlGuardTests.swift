import AdminREST
import HTTPServer
import Testing

@Suite struct ControlGuardTests {
  private func request(host: String, origin: String? = nil) -> HTTPRequestHead {
    HTTPRequestHead(
      method: "DELETE", target: "/", authority: host, version: .http1_1,
      fields: HTTPFields(origin.map { [("origin", $0)] } ?? []))
  }

  private let loopback = ControlGuard(allowedOrigins: ["https://app.example"], isLoopback: true)
  private let open = ControlGuard(allowedOrigins: [], isLoopback: false)

  @Test(
    "hosts of a loopback server",
    arguments: ["localhost:8080", "LOCALHOST", "127.0.0.1:8080", "[::1]:8080", "10.0.2.2:8080"])
  func host(host: String) {
    #expect(loopback.allows(request(host: host)))
  }

  @Test("hosts that could be rebound", arguments: ["evil.example:8080", "127.0.0.1.nip.io", ""])
  func rebound(host: String) {
    #expect(!loopback.allows(request(host: host)))
    #expect(open.allows(request(host: host)))
  }

  @Test(
    "origins of this machine, and the allowed one",
    arguments: [
      "http://localhost:5173", "http://127.0.0.1", "https://[::1]:3000", "http://app.localhost",
      "https://app.example",
    ])
  func origin(origin: String) {
    #expect(loopback.allows(request(host: "localhost", origin: origin)))
  }

  @Test(
    "other origins",
    arguments: [
      "https://evil.example", "null", "", "http://localhost.evil.example",
      "https://app.example.org",
      "http://127.evil.example", "localhost",
    ])
  func otherOrigin(origin: String) {
    #expect(!loopback.allows(request(host: "localhost", origin: origin)))
    #expect(!open.allows(request(host: "hibachi.example", origin: origin)))
  }

  @Test("bound hosts", arguments: ["127.0.0.1", "127.1.2.3", "::1", "localhost", "[::1]"])
  func bound(host: String) {
    #expect(HostName(host).isLoopback)
  }

  @Test("hosts that others can reach", arguments: ["0.0.0.0", "::", "10.0.0.1", "example.org"])
  func reachable(host: String) {
    #expect(!HostName(host).isLoopback)
  }
}
