internal import Coding
internal import FirestoreModel
internal import FirestoreProtocol
internal import HTTPServer

/// Writes the answer to one request as JSON.
struct RESTAnswer {
  private let response: any HTTPResponseWriter
  private let isPretty: Bool
  private let enumsAreNumbers: Bool

  init(_ response: any HTTPResponseWriter, isPretty: Bool, enumsAreNumbers: Bool) {
    self.response = response
    self.isPretty = isPretty
    self.enumsAreNumbers = enumsAreNumbers
  }

  /// Answers with one message.
  func send(_ message: some Message) async {
    let body = message.jsonBytes(isPretty: isPretty, enumsAreNumbers: enumsAreNumbers)
    // An error here means that the peer is gone: nobody is left to tell.
    try? await response.respond(Self.head(200), body: body)
  }

  /// Answers with the messages that `body` sends, as one array.
  ///
  /// What fits into `StreamBuffer.size` goes out as one piece, so that an error up to there is an answer of its own; one
  /// that comes later ends the array.
  ///
  /// Where `isDone` holds, the member `done` is added, which the official emulator gives aggregations though their message
  /// has none.
  func stream<Element: Message>(
    _ body: (
      (Element) async throws(FirestoreError) -> Void
    ) async throws(FirestoreError) -> Void, isDone: @escaping (Element) -> Bool = { _ in false }
  ) async throws(FirestoreError) {
    var buffer = StreamBuffer()
    do throws(FirestoreError) {
      try await body { (message) throws(FirestoreError) in
        buffer.add { bytes in
          var writer = JSONWriter(bytes, isPretty: isPretty, enumsAreNumbers: enumsAreNumbers)
          bytes = []
          writer.beginObject()
          message.writeMembers(to: &writer)
          if isDone(message) {
            writer.writeKey("done")
            writer.writeBool(true)
          }
          writer.endObject()
          bytes = writer.bytes
        }
        let isFirst = !buffer.hasBegun
        guard let piece = buffer.takePiece() else { return }
        do throws(HTTPStreamError) {
          if isFirst { try await response.send(Self.head(200)) }
          try await response.write(piece)
        } catch {
          throw FirestoreError(.cancelled, "The client is gone.")
        }
      }
    } catch {
      guard buffer.hasBegun else { throw error }
      buffer.add { $0 += error.jsonBytes() }
    }
    let rest = buffer.end()
    if buffer.hasBegun {
      try? await response.write(rest)
      try? await response.finish(HTTPFields())
    } else {
      try? await response.respond(Self.head(200), body: rest)
    }
  }

  /// Answers with an error.
  static func refuse(_ error: FirestoreError, _ response: any HTTPResponseWriter) async {
    try? await response.respond(head(error.code.httpStatus), body: error.jsonBytes())
  }

  private static let fields = HTTPFields([("content-type", "application/json")])

  private static func head(_ status: Int) -> HTTPResponseHead {
    HTTPResponseHead(status: status, fields: fields)
  }
}
