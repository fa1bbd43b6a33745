import HTTPServer
import HibachiTesting
import Testing

@testable import WebChannel

/// A client as the web SDK is one, over a network that loses, repeats and delays its requests and cuts its answers off.
private struct BadNetworkClient {
  let handler: WebChannelHandler
  let session: String
  var generator: SeededGenerator
  /// How many messages there are, how many the client has sent at all, and how many it knows to have arrived.
  let count: Int
  var sent = 0
  var confirmed = 0
  /// What the server has of them without a gap.
  var arrived = 0
  var present: Set<Int> = []
  var newest = 0
  var answers: [String] = []
  /// Bodies that are still on their way, or come a second time.
  var delayed: [String] = []

  /// The body of a POST with everything that is not confirmed; names count from any number.
  private func body(_ range: Range<Int>) -> String {
    let offset = max(0, range.lowerBound - (range.lowerBound % 3) * 40)
    let parts = range.map { "req\($0 - offset)___data__=\($0)" }
    return (["count=\(range.count)", "ofs=\(offset)"] + parts).joined(separator: "&")
  }

  private mutating func deliver(_ body: String) async -> Bool {
    let response = await ask("POST", "AID=\(newest)", body)
    let offset = Int(body.firstMatch(of: /ofs=(\d+)/)?.1 ?? "") ?? 0
    for match in body.matches(of: /req(\d+)___/) { present.insert(offset + (Int(match.1) ?? 0)) }
    while present.contains(arrived) { arrived += 1 }
    return response.head?.status == 200
  }

  private func ask(_ method: String, _ query: String, _ body: String = "") async -> TestResponse {
    let response = TestResponse()
    let head = HTTPRequestHead(
      method: method, target: "/s/Echo/channel?VER=8&SID=\(session)&RID=1&\(query)", authority: "h",
      version: .http1_1, fields: HTTPFields())
    await handler.handle(
      HTTPExchange(request: head, body: TestBody(body), response: response))
    return response
  }

  mutating func post() async {
    let more = min(count, sent + generator.int(0...4))
    guard confirmed < more else { return }
    let body = body(confirmed..<more)
    sent = more
    switch generator.int(0...5) {
    case 0: break  // The request is lost.
    case 1: delayed.append(body)
    case 2: _ = await deliver(body)  // The answer is lost.
    case 3:
      delayed.append(body)
      if await deliver(body) { confirmed = more }
    default: if await deliver(body) { confirmed = more }
    }
  }

  mutating func deliverLate() async {
    guard let index = delayed.indices.randomElement(using: &generator) else { return }
    _ = await deliver(delayed.remove(at: index))
  }

  /// Asks for answers if some are to come; what is behind a cut is lost.
  mutating func poll() async {
    guard answers.count < arrived else { return }
    let late = generator.once(in: 4) ? generator.int(0...2) : 0
    let response = await ask("GET", "AID=\(max(0, newest - late))&CI=1")
    for match in response.text.matches(of: /\[(\d+),\["(\w*)"\]\]/) {
      if generator.once(in: 6) { return }
      guard let id = Int(match.1), id > newest else { continue }
      newest = id
      if match.2 != "noop" { answers.append(String(match.2)) }
    }
  }
}

@Suite("A client on a bad network")
struct BadNetworkTests {
  @Test("is served each message once and in order", arguments: 0..<100)
  func roundTrips(_ seed: Int) async throws {
    let handler = WebChannelHandler(
      [
        "s/Echo": { session in
          while let message = await session.next() {
            let text = "\"\(String(decoding: message, as: UTF8.self))\""
            guard await session.send([Array(text.utf8)]) else { return }
          }
        }
      ], time: .stopped, random: SeededGenerator(seed: seed))
    try await withThrowingTaskGroup { tasks in
      tasks.addTask { await handler.run() }
      let greeting = TestResponse()
      let head = HTTPRequestHead(
        method: "POST", target: "/s/Echo/channel?VER=8&RID=1", authority: "h", version: .http1_1,
        fields: HTTPFields())
      await handler.handle(
        HTTPExchange(request: head, body: TestBody("count=0"), response: greeting))
      var client = BadNetworkClient(
        handler: handler, session: try #require(greeting.head?.fields.first("x-http-session-id")),
        generator: SeededGenerator(seed: seed), count: 40)
      var steps = 0
      while client.answers.count < client.count, steps < 5_000 {
        steps += 1
        await client.post()
        if client.generator.once(in: 3) { await client.deliverLate() }
        await client.poll()
      }
      #expect(client.answers == (0..<client.count).map { "\($0)" })
      tasks.cancelAll()
    }
  }
}

extension ChannelTime {
  /// A clock that stands still; who waits for it waits to be cancelled.
  fileprivate static let stopped = ChannelTime(now: { .zero }) { _ in
    let never = AsyncStream<Void>.makeStream()
    for await _ in never.stream { continue }
    never.continuation.finish()
  }
}
