import HTTPServer
import Testing

@testable import GRPC

@Suite struct GRPCHealthTests {
  private let health = GRPCHealth(services: ["a.B"])

  private func ask(_ method: String, _ name: String) async -> TestResponse.Record {
    let request: [UInt8] =
      name.isEmpty ? [] : [0x0a, UInt8(name.utf8.count)] + Array(name.utf8)
    let head = HTTPRequestHead(
      method: "POST", target: "/grpc.health.v1.Health/\(method)", authority: "",
      version: .http2, fields: HTTPFields([("content-type", "application/grpc")]))
    let response = TestResponse()
    await GRPCHandler([health.service]).handle(
      HTTPExchange(
        request: head, body: TestBody([GRPCMessageDecoder.encode(request)]), response: response))
    return response.record
  }

  @Test(arguments: ["", "a.B"]) func serving(_ name: String) async {
    #expect(await ask("Check", name).body.dropFirst(5) == [8, 1])
    health.stop()
    #expect(await ask("Check", name).body.dropFirst(5) == [8, 2])
  }

  @Test func unknown() async {
    let record = await ask("Check", "c.D")
    #expect(record.fields.contains("grpc-status: 5"))
    #expect(record.fields.contains("grpc-message: unknown service c.D"))
  }

  @Test func watchAfterTheEnd() async {
    health.stop()
    let record = await ask("Watch", "a.B")
    #expect(record.body.dropFirst(5) == [8, 2])
    #expect(record.trailers.first == "grpc-status: 14")
  }

  @Test func cancelledWatch() async {
    let watch = Task { await ask("Watch", "c.D") }
    watch.cancel()
    let record = await watch.value
    #expect(record.body.dropFirst(5) == [8, 3])
    #expect(record.trailers.first == "grpc-status: 1")
  }
}
