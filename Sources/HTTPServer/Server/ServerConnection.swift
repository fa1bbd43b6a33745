internal import NetIO

/// One accepted connection: finds out from its first bytes which version of HTTP the peer speaks, and hands over to it.
final class ServerConnection: TCPConnectionDelegate {
  /// RFC 9113 §3.4; nothing of HTTP/1.1 begins so. A request to upgrade to h2c is not one of these and is ignored.
  private static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

  private let transport: ConnectionTransport
  private let connections: LoopConnections
  private let began: Duration
  private var served: (any ProtocolConnection)?
  /// The first bytes, as long as they can still become the preface.
  private var sniffed: [UInt8] = []

  init(_ connection: TCPConnection, in connections: LoopConnections) {
    self.connections = connections
    transport = ConnectionTransport(connection, in: connections)
    began = transport.now
    connection.delegate = self
    connection.startReading()
  }

  func connectionReceived(_ bytes: Span<UInt8>) {
    guard !transport.isClosing else { return }
    if let served {
      served.received(bytes)
    } else if sniffed.isEmpty, bytes[0] != Self.preface[0] {
      serve(HTTP1Connection(transport)).received(bytes)
    } else {
      sniff(bytes)
    }
  }

  private func sniff(_ bytes: Span<UInt8>) {
    sniffed.append(bytes)
    if Self.preface.starts(with: sniffed.prefix(Self.preface.count)) {
      guard sniffed.count >= Self.preface.count else { return }
      serve(HTTP2Connection(transport)).received(sniffed.span)
    } else {
      serve(HTTP1Connection(transport)).received(sniffed.span)
    }
    sniffed = []
  }

  private func serve(_ connection: some ProtocolConnection) -> some ProtocolConnection {
    served = connection
    return connection
  }

  func connectionReceivedEnd() {
    transport.inputEnded()
    guard !transport.isClosing else { return }
    if let served {
      served.receivedEnd()
    } else {
      transport.close()
    }
  }

  func connectionDrained() {
    transport.drained()
    if !transport.isClosing { served?.drained() }
  }

  func connectionClosed(_ error: NetIOError?) {
    served?.closed()
    served = nil
    connections.remove(self)
  }

  func beginDraining() {
    guard !transport.isClosing else { return }
    if let served {
      served.beginDraining()
    } else {
      transport.close()
    }
  }

  func abort() { transport.abort() }

  func tick(now: Duration) {
    transport.tick(now: now)
    guard !transport.isClosing else { return }
    if let served {
      served.tick(now: now)
    } else if now - began >= transport.limits.headerTime {
      transport.close()
    }
  }
}
