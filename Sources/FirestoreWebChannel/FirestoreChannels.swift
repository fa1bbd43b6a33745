internal import Coding
package import FirestoreAPI
internal import FirestoreModel
internal import FirestoreProtocol
internal import FirestoreService
internal import HTTPServer
package import WebChannel

/// The streams of Firestore for browsers.
package struct FirestoreChannels: Sendable {
  /// As much as is encoded before it is sent.
  private static let batchBytes = 64 << 10

  private let methods: FirestoreMethods

  package init(_ methods: FirestoreMethods) {
    self.methods = methods
  }

  /// `Listen` and `Write` under their names.
  package var services: [String: ChannelService] {
    let service = V1.FirestoreMethod.service
    return ["\(service)/Listen": listen, "\(service)/Write": write]
  }

  @Sendable private func listen(_ session: ChannelSession) async {
    await serve(session) { (principal) throws(FirestoreError) in
      try await methods.listen(as: principal) { () throws(FirestoreError) in
        try await Self.next(session)
      } send: { (answers) throws(FirestoreError) in
        try await Self.send(answers, to: session)
      }
    }
  }

  /// Sends answers, of which no more is encoded than what is sent at once.
  private static func send(
    _ answers: [ListenAnswer], to session: ChannelSession
  ) async throws(FirestoreError) {
    var messages: [[UInt8]] = []
    var bytes = 0
    for answer in answers {
      let message = answer.jsonBytes()
      messages.append(message)
      bytes += message.count
      guard bytes >= batchBytes else { continue }
      try await send(messages, to: session)
      messages = []
      bytes = 0
    }
    try await send(messages, to: session)
  }

  @Sendable private func write(_ session: ChannelSession) async {
    await serve(session) { (principal) throws(FirestoreError) in
      try await methods.write(as: principal) { () throws(FirestoreError) in
        try await Self.next(session)
      } send: { (response) throws(FirestoreError) in
        try await Self.send([response.jsonBytes()], to: session)
      }
    }
  }

  /// Serves a session to its end; the error that ends it is its last message, since an HTTP status would tell the app nothing.
  private func serve(
    _ session: ChannelSession, _ body: (Principal) async throws(FirestoreError) -> Void
  ) async {
    do throws(FirestoreError) {
      try await body(methods.principal(authorization: session.fields.first("authorization")))
      session.finish()
    } catch {
      session.finish(error.channelBytes())
    }
  }

  private static func next<Request: Message>(
    _ session: ChannelSession
  ) async throws(FirestoreError) -> Request? {
    guard let bytes = await session.next() else { return nil }
    do {
      var reader = JSONReader(bytes.span, skipsUnknownNames: true)
      let request = try Request(json: &reader)
      try reader.finish()
      return request
    } catch {
      throw .invalidArgument("The request is no valid message.")
    }
  }

  private static func send(
    _ messages: [[UInt8]], to session: ChannelSession
  ) async throws(FirestoreError) {
    guard await session.send(messages) else {
      throw FirestoreError(.cancelled, "The client is gone.")
    }
  }
}

extension FirestoreError {
  /// `{"error":{"code":7,"message":"…","status":"PERMISSION_DENIED"}}`, with the number of the code and always a text: the web SDK
  /// reads `status` and `message`.
  func channelBytes() -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.writeKey("error")
    writer.beginObject()
    writer.writeKey("code")
    writer.writeInt32(code.number)
    writer.writeKey("message")
    writer.writeString(message)
    writer.writeKey("status")
    writer.writeString(code.name.description)
    writer.endObject()
    writer.endObject()
    return writer.bytes
  }
}
