/// What a request to a channel wants, by its method and the parameters of its URL.
package enum ChannelRequest: Hashable, Sendable {
  /// How long a polled response may be held, by default and at most, and at least.
  static let pollTime: ClosedRange<Duration> = .seconds(5) ... .seconds(28)

  /// A POST without a session.
  case handshake
  /// A POST with messages; all arrays up to `acknowledged` have arrived.
  case forward(session: String, acknowledged: Int)
  case back(session: String, acknowledged: Int, BackChannelMode)
  case terminate(session: String)

  /// - Throws: for another version, a method that is neither GET nor POST, a GET without a session, bad numbers.
  package init(method: String, query: [(name: String, value: String)]) throws(ChannelError) {
    func parameter(_ name: String) -> String? { query.first { $0.name == name }?.value }
    guard parameter("VER").map({ $0 == "8" }) ?? true else {
      throw ChannelError(text: "Unsupported version")
    }
    let session = parameter("SID").flatMap { $0.isEmpty || $0 == "null" ? nil : $0 }
    guard let session else {
      guard method == "POST" else { throw .unknownSession }
      self = .handshake
      return
    }
    if parameter("TYPE") == "terminate" {
      self = .terminate(session: session)
      return
    }
    guard let acknowledged = Int(parameter("AID") ?? "0") else {
      throw ChannelError(text: "Bad AID")
    }
    if method == "POST" {
      self = .forward(session: session, acknowledged: acknowledged)
    } else if parameter("CI") == "1" {
      let wish = parameter("TO").flatMap { Int32($0) }.map { Duration.milliseconds($0) }
      let hold = wish.map { min(max($0, Self.pollTime.lowerBound), Self.pollTime.upperBound) }
      self = .back(
        session: session, acknowledged: acknowledged,
        .polled(hold: hold ?? Self.pollTime.upperBound))
    } else {
      self = .back(session: session, acknowledged: acknowledged, .streamed)
    }
  }
}

/// How a back channel delivers.
package enum BackChannelMode: Hashable, Sendable {
  /// The response stays open.
  case streamed
  /// The response ends with the first piece, or with a filler after `hold`.
  case polled(hold: Duration)
}

extension ChannelError {
  /// The words are what clients look for, anywhere but at the beginning of the body.
  static let unknownSession = ChannelError(text: "Unknown SID")
}
