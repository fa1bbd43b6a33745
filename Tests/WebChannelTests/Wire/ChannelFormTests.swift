import HTTPServer
import HibachiTesting
import Testing

@testable import WebChannel

@Suite("Forms")
struct ChannelFormTests {
  private func read(_ text: String) throws -> ChannelForm {
    try ChannelForm(Array(text.utf8).span)
  }

  private func texts(_ form: ChannelForm) -> [Int: String] {
    Dictionary(
      uniqueKeysWithValues: form.messages.map {
        ($0.id, $0.bytes.map { String(decoding: $0, as: UTF8.self) } ?? "bad")
      })
  }

  @Test(
    "Messages by their numbers",
    arguments: [
      ("", [:]), ("count=0", [:]), ("count=0&ofs=0", [:]),
      ("count=1&ofs=0&req0___data__=%7B%7D", [0: "{}"]),
      ("count=2&ofs=3&req0___data__=a+b&req1___data__=%C3%A9%F0%9F%98%80", [3: "a b", 4: "é😀"]),
      ("count=2&ofs=5&req100___data__=y&req7___data__=x", [12: "x", 105: "y"]),
      ("req0___data__=x&ofs=2", [2: "x"]),
      ("count=1&ofs=1&req0_type=_badmap", [1: "bad"]),
      ("req0_type=_badmap&req0___data__=x", [0: "x"]),
      ("req0___data__=first&req0___data__=second", [0: "first"]),
      ("req0___data__=", [0: ""]), ("req0___data__", [0: ""]), ("&&req0___data__=x&", [0: "x"]),
      ("req___data__=x&reqA___data__=x&req-1___data__=x&other=1&req0", [:]),
      ("req99999999999___data__=x&req2147483648___data__=x", [:]),
    ] as [(String, [Int: String])])
  func messages(_ body: String, _ expected: [Int: String]) throws {
    #expect(texts(try read(body)) == expected)
  }

  @Test(
    "What breaks the protocol",
    arguments: [
      "count=-1", "count=1001", "count=x", "count=", "ofs=-1", "ofs=99999999999", "ofs=1.5",
      "req0___data__=%", "req0___data__=%4", "req0___data__=%zz", "headers=%ff", "%=1",
      (0...1_000).map { "req\($0)_x" }.joined(separator: "&"),
      String(repeating: "a&", count: 4_001), "headers=" + String(repeating: "a:b%0A", count: 101),
      "headers=" + String(repeating: "a", count: 65_537),
    ])
  func refused(_ body: String) {
    #expect(throws: ChannelError.self) { _ = try read(body) }
  }

  @Test func fieldsOfTheHandshake() throws {
    let form = try read(
      "headers=X-Goog-Api-Client%3Agl-js%2F%20fire%2F12%0D%0AAuthorization%3ABearer%20owner%0D%0Ano%20colon%0D%0A%20A%20%3A%20b%3Ac%20%0D%0Aempty%3A%0D%0A&count=0"
    )
    #expect(
      form.fields.lines.map { "\($0.name)=\($0.value)" } == [
        "x-goog-api-client=gl-js/ fire/12", "authorization=Bearer owner", "a=b:c", "empty=",
      ])
  }

  @Test("Damaged forms give a form or an error, within the bounds", arguments: 0..<500)
  func fuzz(_ seed: Int) {
    var generator = SeededGenerator(seed: seed)
    let sample = Array(
      "headers=A%3Ab%0D%0A&count=2&ofs=3&req0___data__=%7B%22x%22%3A1%7D&req1_type=_badmap".utf8)
    let body = generator.once(in: 4) ? generator.bytes(upTo: 200) : generator.mutated(sample)
    guard let form = try? ChannelForm(body.span) else { return }
    #expect(form.messages.count <= ChannelForm.messageLimit)
    #expect(zip(form.messages, form.messages.dropFirst()).allSatisfy { $0.id < $1.id })
    #expect(form.messages.allSatisfy { $0.id >= 0 && ($0.bytes?.count ?? 0) <= body.count })
  }

  @Test(
    "Requests by their parameters",
    arguments: [
      ("POST", "VER=8&RID=1", .handshake), ("POST", "RID=1&SID=null", .handshake),
      ("POST", "SID=s&RID=2&AID=3", .forward(session: "s", acknowledged: 3)),
      (
        "GET", "SID=s&RID=rpc&AID=3&CI=0&TYPE=xmlhttp",
        .back(session: "s", acknowledged: 3, .streamed)
      ),
      ("GET", "SID=s&RID=rpc", .back(session: "s", acknowledged: 0, .streamed)),
      ("GET", "SID=s&CI=1", .back(session: "s", acknowledged: 0, .polled(hold: .seconds(28)))),
      (
        "GET", "SID=s&CI=1&TO=7000",
        .back(session: "s", acknowledged: 0, .polled(hold: .seconds(7)))
      ),
      ("GET", "SID=s&CI=1&TO=1", .back(session: "s", acknowledged: 0, .polled(hold: .seconds(5)))),
      (
        "GET", "SID=s&CI=1&TO=999999",
        .back(session: "s", acknowledged: 0, .polled(hold: .seconds(28)))
      ),
      ("GET", "SID=s&TYPE=terminate&AID=x", .terminate(session: "s")),
      ("POST", "SID=s&TYPE=terminate", .terminate(session: "s")),
    ] as [(String, String, ChannelRequest)])
  func requests(_ method: String, _ query: String, _ expected: ChannelRequest) throws {
    let target = try #require(HTTPTarget("/x?" + query))
    #expect(try ChannelRequest(method: method, query: target.query) == expected)
  }

  @Test(
    "Requests that are none",
    arguments: [
      ("GET", "RID=rpc"), ("POST", "VER=7"), ("POST", "SID=s&AID=x"), ("GET", "SID=s&AID="),
    ])
  func noRequests(_ method: String, _ query: String) throws {
    let target = try #require(HTTPTarget("/x?" + query))
    #expect(throws: ChannelError.self) {
      try ChannelRequest(method: method, query: target.query)
    }
  }
}
