/// What peers may ask of a server before they are refused.
package struct HTTPLimits: Sendable {
  /// Bytes of all field lines of a head; more is answered with 431.
  package var headerBytes = 64 << 10
  /// Field lines of a head; more is answered with 431.
  package var fieldCount = 100
  /// Bytes of a request line; more is answered with 414.
  package var requestLineBytes = 16 << 10
  /// Open connections; one more is closed as soon as it is accepted.
  package var connections = 20_000
  /// Streams that one HTTP/2 connection may have open.
  package var concurrentStreams = 1_000
  /// How long a connection may be without a request, or an answer without a byte of progress, before it is closed.
  package var idleTime: Duration = .seconds(75)
  /// How long an HTTP/2 peer that was silent for `idleTime` has to answer a PING before its connection is cut.
  package var probeTime: Duration = .seconds(20)
  /// How long a head may take from its first byte; more is answered with 408.
  package var headerTime: Duration = .seconds(30)
  /// Bytes of a body that the handler left unread and that are read all the same, to keep the connection.
  package var unreadBodyBytes = 256 << 10

  package init() {}
}
