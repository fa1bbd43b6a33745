import NetIO
import Testing

@Suite struct SocketAddressTests {
  @Test(arguments: [
    ("127.0.0.1", ["127.0.0.1:80"]), ("0.0.0.0", ["0.0.0.0:80"]), ("::", ["[::]:80"]),
    ("[::1]", ["[::1]:80"]), ("localhost", ["127.0.0.1:80", "[::1]:80"]),
    ("LOCALHOST", ["127.0.0.1:80", "[::1]:80"]), ("2001:DB8:0::1", ["[2001:db8::1]:80"]),
  ])
  func resolves(_ host: String, _ expected: [String]) throws {
    #expect(try SocketAddress.resolve(host: host, port: 80).map(\.description) == expected)
  }

  @Test(arguments: ["example.com", "", "127.1", "1.2.3.4.5", "127.0.0.1\0", "::g", "0x7f.0.0.1"])
  func refuses(_ host: String) {
    let error = #expect(throws: NetIOError.self) {
      try SocketAddress.resolve(host: host, port: 80)
    }
    #expect(error?.code == .unknownHost)
  }

  @Test(arguments: [
    ("127.0.0.1", true), ("127.9.9.9", true), ("::1", true), ("::ffff:127.0.0.1", true),
    ("0.0.0.0", false), ("::", false), ("128.0.0.1", false),
  ])
  func knowsLoopback(_ host: String, _ isLoopback: Bool) {
    #expect(SocketAddress(literal: host, port: 1)?.isLoopback == isLoopback)
  }
}
