import Coding
import HTTPServer
import Testing

@testable import GRPC

@Suite struct GRPCReflectionTests {
  /// A file with a message in a message, an enumeration in each place, and a service.
  private static let file: [UInt8] = {
    func named(_ writer: inout ProtobufWriter, _ number: Int, _ name: String) {
      writer.writeMessage(number) { $0.writeString(1, name) }
    }
    var writer = ProtobufWriter()
    writer.writeString(1, "a/b.proto")
    writer.writeString(2, "a.b")
    writer.writeMessage(4) { message in
      message.writeString(1, "M")
      named(&message, 3, "N")
      named(&message, 4, "E")
    }
    named(&writer, 5, "F")
    writer.writeMessage(6) { service in
      service.writeString(1, "S")
      named(&service, 2, "Call")
    }
    return writer.bytes
  }()

  private func ask(_ number: Int, _ text: String) async throws -> (field: Int, content: [UInt8]) {
    var question = ProtobufWriter()
    question.writeString(number, text)
    let head = HTTPRequestHead(
      method: "POST", target: "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
      authority: "", version: .http2, fields: HTTPFields([("content-type", "application/grpc")]))
    let response = TestResponse()
    await GRPCHandler(GRPCReflection { [Self.file] }.services).handle(
      HTTPExchange(
        request: head, body: TestBody([GRPCMessageDecoder.encode(question.bytes)]),
        response: response))
    #expect(response.record.trailers == ["grpc-status: 0"])
    let answer = Array(response.record.body.dropFirst(5))
    var reader = ProtobufReader(answer.span)
    #expect(try reader.nextTag()?.number == 2)
    #expect(try reader.readBytes() == question.bytes)
    let field = try #require(try reader.nextTag()).number
    return (field, try reader.readBytes())
  }

  @Test(
    "what a file declares",
    arguments: ["a.b.M", "a.b.M.N", "a.b.M.E", "a.b.F", "a.b.S", "a.b.S.Call"])
  func symbol(name: String) async throws {
    let answer = try await ask(4, name)
    #expect(answer.field == 4)
    #expect(answer.content.suffix(Self.file.count) == Self.file[...])
  }

  @Test func fileByName() async throws {
    #expect(try await ask(3, "a/b.proto").field == 4)
  }

  @Test func services() async throws {
    let answer = try await ask(7, "")
    #expect(answer.field == 6 && answer.content == [10, 7, 10, 5] + Array("a.b.S".utf8))
  }

  @Test(
    "what is not there",
    arguments: [(3, "b.proto"), (4, "a.b.N"), (4, ""), (5, ""), (6, "a.b.M"), (9, "")])
  func missing(number: Int, text: String) async throws {
    #expect(try await ask(number, text).field == 7)
  }
}
