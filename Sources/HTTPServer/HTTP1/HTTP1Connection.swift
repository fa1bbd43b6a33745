/// HTTP/1.1 on one connection.
final class HTTP1Connection: ProtocolConnection {
  private let transport: ConnectionTransport

  init(_ transport: ConnectionTransport) {
    self.transport = transport
  }

  func received(_ bytes: Span<UInt8>) { transport.close() }
  func receivedEnd() { transport.close() }
  func drained() {}
  func beginDraining() { transport.close() }
  func closed() {}
  func tick(now: Duration) {}
}
