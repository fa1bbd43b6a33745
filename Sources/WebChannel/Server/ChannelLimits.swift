/// What clients may make a server hold, and its patience with them.
package struct ChannelLimits: Sendable {
  /// Sessions at a time; a handshake beyond is refused.
  package var sessions = 4_096
  /// Bytes of the body of a POST. Percent-encoding makes three of one.
  package var bodyBytes = 32 << 20
  /// Messages, and their bytes, that wait for the service; beyond it POSTs wait before they are read.
  package var waitingMessages = 2_000
  package var waitingBytes = 16 << 20
  /// Messages, and their bytes, that wait for earlier ones; beyond it the session ends.
  package var parkedMessages = 1_000
  package var parkedBytes = 10 << 20
  /// Bytes, and number, of arrays that are kept until the client has them; beyond it the service waits.
  package var keptBytes = 1 << 20
  package var keptArrays = 16_384
  /// Bytes of arrays that are sent at once.
  package var pieceBytes = 256 << 10
  /// Bytes, and age, of a streamed response. Clients acknowledge with their next request, so responses must end.
  package var responseBytes = 512 << 10
  package var responseTime: Duration = .seconds(300)
  /// The silence on a streamed response after which a filler is sent. Clients are told `keepaliveMilliseconds` and wait half
  /// as long again.
  package var keepaliveTime: Duration = .seconds(25)
  package let keepaliveMilliseconds = 30_000
  /// How long a session lives without a back channel, and after its service has ended.
  package var sessionTime: Duration = .seconds(120)
  package var endedTime: Duration = .seconds(30)

  package init() {}
}
