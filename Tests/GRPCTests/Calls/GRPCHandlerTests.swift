import Compression
import HTTPServer
import Testing

@testable import GRPC

@Suite struct GRPCHandlerTests {
  static let message: [UInt8] = [0, 0, 0, 0, 2, 7, 8]
  static let head = ["content-type: application/grpc", "grpc-accept-encoding: identity,gzip"]

  static let services = [
    GRPCService(
      "test.Echo",
      [
        "Unary": .unary { (_, message) throws(GRPCStatus) in message.reversed() },
        "Fail": .unary { (_, _) throws(GRPCStatus) in
          throw GRPCStatus(.notFound, "no é", details: [1, 2])
        },
        "Stream": .serverStreaming { (call, message) throws(GRPCStatus) in
          for byte in message { try await call.send([byte]) }
        },
        "FailStream": .serverStreaming { (_, _) throws(GRPCStatus) in
          throw GRPCStatus(.permissionDenied, "no")
        },
        "Bidirectional": .bidirectional { (call) throws(GRPCStatus) in
          while let message = try await call.nextMessage() { try await call.send(message) }
        },
        "Metadata": .unary { (call, _) throws(GRPCStatus) in
          Array(call.method.utf8) + (call.binaryMetadata("x-bin") ?? [])
        },
        "Work": .unary { (_, _) throws(GRPCStatus) in
          throw GRPCStatus(.aborted, Task.isCancelled ? "cancelled" : "not cancelled")
        },
      ])
  ]

  private func answer(
    _ method: String, _ pieces: [[UInt8]] = [message],
    fields: [(name: String, value: String)] = [], type: String? = "application/grpc",
    verb: String = "POST", error: HTTPStreamError? = nil, limit: Int = 10
  ) async -> TestResponse.Record {
    var all = HTTPFields(fields)
    if let type { all.append("content-type", type) }
    let request = HTTPRequestHead(
      method: verb, target: method, authority: "test", version: .http2, fields: all)
    let response = TestResponse()
    await GRPCHandler(Self.services, messageLimit: limit).handle(
      HTTPExchange(request: request, body: TestBody(pieces, error: error), response: response))
    return response.record
  }

  @Test func unaryGoesOutAtOnce() async {
    let record = await answer("/test.Echo/Unary")
    #expect(record.calls == ["respond"])
    #expect(record.status == 200)
    #expect(record.fields == Self.head)
    #expect(record.body == [0, 0, 0, 0, 2, 8, 7])
    #expect(record.trailers == ["grpc-status: 0"])
  }

  @Test func failedUnaryIsOneBlockOfFields() async {
    let record = await answer("/test.Echo/Fail")
    #expect(record.calls == ["respond"])
    #expect(
      record.fields == Self.head + [
        "grpc-status: 5", "grpc-message: no %C3%A9", "grpc-status-details-bin: AQI=",
      ])
    #expect(record.body.isEmpty && record.trailers.isEmpty)
  }

  @Test func streamSendsEachMessage() async {
    let record = await answer("/test.Echo/Stream")
    #expect(record.calls == ["send", "write", "write", "finish"])
    #expect(record.body == [0, 0, 0, 0, 1, 7, 0, 0, 0, 0, 1, 8])
    #expect(record.trailers == ["grpc-status: 0"])
  }

  @Test func streamWithoutMessagesHasAHead() async {
    let record = await answer("/test.Echo/Stream", [[0, 0, 0, 0, 0]])
    #expect(record.calls == ["send", "finish"])
  }

  @Test func failedStreamHasAHeadFirst() async {
    let record = await answer("/test.Echo/FailStream")
    #expect(record.calls == ["send", "finish"])
    #expect(record.fields == Self.head)
    #expect(record.trailers == ["grpc-status: 7", "grpc-message: no"])
  }

  @Test func bidirectional() async {
    let record = await answer("/test.Echo/Bidirectional", [Self.message, Self.message])
    #expect(record.body == Self.message + Self.message)
    #expect(record.trailers == ["grpc-status: 0"])
  }

  @Test func metadata() async {
    let record = await answer("/test.Echo/Metadata", fields: [("x-bin", "AQI")])
    #expect(Array(record.body.dropFirst(5)) == Array("test.Echo/Metadata".utf8) + [1, 2])
  }

  static let refused: [(name: String, pieces: [[UInt8]], code: Int, message: String)] = [
    ("none", [], 13, "Half-closed without a request"),
    ("two", [message + message], 13, "Too many requests"),
    ("cut", [[0, 0, 0, 0, 2, 7]], 13, "The request ends within a message"),
    ("cut prefix", [[0, 0]], 13, "The request ends within a message"),
    (
      "compressed", [[1, 0, 0, 0, 0]], 13,
      "Compressed message without a compression in grpc-encoding"
    ),
    ("flags", [[2, 0, 0, 0, 0]], 13, "Invalid flags before a message: 2"),
    ("long", [[0, 0, 0, 0, 11]], 8, "gRPC message exceeds maximum size 10: 11"),
    ("huge", [[0, 255, 255, 255, 255]], 8, "gRPC message exceeds maximum size 10: 4294967295"),
  ]

  @Test(arguments: GRPCHandlerTests.refused.indices)
  func refusedRequest(_ index: Int) async {
    let refused = Self.refused[index]
    let record = await answer("/test.Echo/Unary", refused.pieces)
    #expect(record.fields.contains("grpc-status: \(refused.code)"), "\(refused.name)")
    #expect(record.fields.contains("grpc-message: \(refused.message)"), "\(refused.name)")
  }

  @Test func unknownMethod() async {
    let record = await answer("/test.Echo/No")
    #expect(
      record.fields.dropFirst(2) == [
        "grpc-status: 12", "grpc-message: Method not found: test.Echo/No",
      ])
  }

  @Test func unknownEncoding() async {
    let record = await answer("/test.Echo/Unary", fields: [("grpc-encoding", "snappy")])
    #expect(record.fields.contains("grpc-status: 12"))
    #expect(record.fields.contains("grpc-accept-encoding: identity,gzip"))
    let identity = await answer("/test.Echo/Unary", fields: [("grpc-encoding", "identity")])
    #expect(identity.trailers == ["grpc-status: 0"])
  }

  private func compressed(_ message: [UInt8]) -> [UInt8] {
    let content = GzipDeflater.deflate(message)
    return [1, 0, 0, 0, UInt8(content.count)] + content
  }

  @Test func compressedMessages() async {
    for message in [[], [7, 8]] as [[UInt8]] {
      let record = await answer(
        "/test.Echo/Unary", [compressed(message)], fields: [("grpc-encoding", "gzip")],
        limit: 30)
      #expect(record.fields == Self.head + ["grpc-encoding: gzip"])
      #expect(record.body == GRPCMessageDecoder.encode(message.reversed()))
    }
    let plain = await answer("/test.Echo/Unary", fields: [("grpc-encoding", "gzip")])
    #expect(plain.body == [0, 0, 0, 0, 2, 8, 7])
  }

  @Test func badCompressedMessages() async {
    let fields = [(name: "grpc-encoding", value: "gzip")]
    let long = await answer(
      "/test.Echo/Unary", [compressed([UInt8](repeating: 0, count: 31))], fields: fields,
      limit: 30)
    #expect(long.fields.contains("grpc-status: 8"))
    for bad in [[1, 0, 0, 0, 1, 9], Array(compressed([7, 8]).dropLast())] as [[UInt8]] {
      let record = await answer("/test.Echo/Unary", [bad], fields: fields, limit: 30)
      #expect(record.fields.contains("grpc-status: 13"))
    }
  }

  @Test(arguments: ["GET", "PUT", "OPTIONS"])
  func otherVerbs(_ verb: String) async {
    let record = await answer("/test.Echo/Unary", verb: verb)
    #expect(record.status == 405)
    #expect(record.fields == ["allow: POST"])
  }

  @Test(arguments: [
    nil, "text/plain", "application/json", "application/grpcx", "application/grpc-web",
  ])
  func otherTypes(_ type: String?) async {
    #expect(await answer("/test.Echo/Unary", type: type).status == 415)
  }

  @Test(arguments: ["application/grpc", "application/grpc+proto", "application/grpc;charset=utf-8"])
  func types(_ type: String) async {
    #expect(await answer("/test.Echo/Unary", type: type).status == 200)
  }

  @Test func timeoutSetsADeadline() async {
    let record = await answer("/test.Echo/Unary", fields: [("grpc-timeout", "5S")])
    #expect(record.deadline == .seconds(5))
  }

  @Test func timeoutThatIsOver() async {
    let record = await answer("/test.Echo/Unary", fields: [("grpc-timeout", "0n")])
    #expect(record.fields.contains("grpc-status: 4"))
  }

  @Test func timeoutThatIsNone() async {
    let record = await answer("/test.Echo/Unary", fields: [("grpc-timeout", "soon")])
    #expect(record.fields.contains("grpc-status: 13"))
  }

  /// Cancelled work is past its deadline if it has one.
  @Test(arguments: [("5S", "grpc-status: 4"), (nil, "grpc-status: 10")] as [(String?, String)])
  func cancelledWork(_ timeout: String?, _ status: String) async {
    let task = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return await answer("/test.Echo/Work", fields: timeout.map { [("grpc-timeout", $0)] } ?? [])
    }
    #expect(await task.value.fields.contains(status))
  }

  static let broken: [(HTTPStreamError.Code, Int)] = [
    (.disconnected, 1), (.cancelled, 1), (.malformed, 13), (.tooLarge, 8), (.draining, 14),
  ]

  @Test(arguments: GRPCHandlerTests.broken.indices)
  func brokenBody(_ index: Int) async {
    let (code, status) = Self.broken[index]
    let record = await answer("/test.Echo/Unary", [[0]], error: HTTPStreamError(code))
    #expect(record.fields.contains("grpc-status: \(status)"))
  }
}
