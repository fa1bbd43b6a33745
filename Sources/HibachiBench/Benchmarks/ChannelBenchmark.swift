/// Streams of browsers: how soon a poll is answered, and what sessions take.
enum ChannelBenchmark: Benchmark {
  static let name = "channel"
  static let summary =
    "commits until a polling browser is told, memory of 1,000 sessions of browsers"

  static func run(_ plan: Plan) throws -> [Measurement] {
    raiseDescriptorLimit()
    return try polls(plan) + sessions(plan)
  }

  /// The time from the answer to a commit to that to the poll that was held for it.
  private static func polls(_ plan: Plan) throws -> [Measurement] {
    let subject = try Subject(plan)
    var listener = try Session(subject.port, collection: "told")
    while try !listener.poll().contains("CURRENT") {}
    let socket = try subject.connect()
    var times: [Double] = []
    for number in 0..<plan.requests(2_000) {
      try listener.begin(isPoll: true)
      // By the answer to this the poll is held.
      _ = try socket.exchange("GET", "/v1/\(Subject.database)/documents/told/one")
      let answer = try socket.exchange(
        "PATCH", "/v1/\(Subject.database)/documents/told/one",
        body: "{\"fields\":{\"n\":{\"integerValue\":\"\(number)\"}}}")
      guard answer.status == 200 else { throw BenchError("a write was answered \(answer.status)") }
      let committed = ContinuousClock.now
      guard try listener.end().contains("documentChange") else {
        throw BenchError("a poll was answered without the change")
      }
      times.append((ContinuousClock.now - committed) / .milliseconds(1))
    }
    times.sort()
    return [
      Measurement("commit to a held poll, median", times[times.count / 2], "ms"),
      Measurement("commit to a held poll, p99", times[times.count * 99 / 100], "ms", .atMost(5)),
    ]
  }

  /// 1,000 sessions, each with a response that stays open and a listener to a collection of its own.
  private static func sessions(_ plan: Plan) throws -> [Measurement] {
    let subject = try Subject(plan)
    guard let processID = subject.processID else { return [] }
    let usage = ProcessUsage(processID: processID)
    var sessions = try (0..<10).map { try Session(subject.port, collection: "first\($0)") }
    for index in sessions.indices { try sessions[index].attach() }
    let before = try usage.residentBytes().total
    let count = 1_000
    for number in 0..<count {
      let session = try Session(subject.port, collection: "idle\(number)")
      try session.attach()
      sessions.append(session)
    }
    let memory = Double(try usage.residentBytes().total - before) / Double(count) / 1024
    return [Measurement("session with an open response", memory, "KiB", .atMost(48))]
  }

  /// One session of Listen with a target.
  private struct Session {
    private let socket: HTTPSocket
    private let posts: HTTPSocket
    private let path: String
    private var acknowledged = 0

    init(_ port: Int, collection: String) throws {
      posts = try HTTPSocket(port: port)
      socket = try HTTPSocket(port: port)
      let path = "/google.firestore.v1.Firestore/Listen/channel?VER=8"
      let target = """
        {"database":"\(Subject.database)","addTarget":{"targetId":2,"query":{"parent":"\(Subject.database)/documents",\
        "structuredQuery":{"from":[{"collectionId":"\(collection)"}]}}}}
        """
      let answer = try posts.exchange(
        "POST", path + "&RID=1", body: "count=1&ofs=0&req0___data__=" + target)
      let text = String(decoding: answer.body, as: UTF8.self)
      guard let match = text.firstMatch(of: /"c","([^"]+)"/) else {
        throw BenchError("a handshake was answered \(answer.status) \(text)")
      }
      self.path = path + "&SID=\(match.1)"
    }

    /// Sends the request of a back channel.
    func begin(isPoll: Bool) throws {
      try socket.begin("GET", path + "&RID=rpc&CI=\(isPoll ? 1 : 0)&AID=\(acknowledged)")
    }

    /// The answer to a poll.
    mutating func end() throws -> String {
      let text = String(decoding: try socket.end().body, as: UTF8.self)
      for match in text.matches(of: /\[(\d+),\[/) {
        acknowledged = max(acknowledged, Int(match.1) ?? 0)
      }
      return text
    }

    mutating func poll() throws -> String {
      try begin(isPoll: true)
      return try end()
    }

    /// Opens a response that stays open.
    func attach() throws {
      try begin(isPoll: false)
      while true {
        let answer = try posts.exchange("POST", path + "&RID=2&AID=0", body: "count=0")
        if String(decoding: answer.body, as: UTF8.self).contains("[1,") { return }
      }
    }
  }
}
