import Foundation

/// Plays the client of a transcript to a server and compares. It blocks.
final class TranscriptPlayer {
  private struct Conversation {
    let request: String
    let connection: RawConnection
    var recorded = AnswerReader()
    var arraysRecorded = 0
    var arraysSeen = 0

    var isPoll: Bool { request.contains("&CI=1&") }
    var isChannel: Bool { request.contains("/channel?") }
  }

  private let transcript: Transcript
  private let port: UInt16
  private var conversations: [String: Conversation] = [:]
  private var order: [String] = []
  private var recorded = ClientKnowledge()
  private var ours = ClientKnowledge()
  private var newestRecorded = 0
  private var newestOurs = 0
  private var hasGaps = false
  private var session: String?

  init(_ transcript: Transcript, port: UInt16) {
    self.transcript = transcript
    self.port = port
  }

  func play() throws {
    for step in transcript.steps {
      switch step {
      case .receive(let name, let bytes): try conversations[name]?.recorded.append(bytes)
      case .closed: continue
      case .send(let name, let bytes):
        try settle()
        try send(name, String(decoding: bytes, as: UTF8.self))
      case .close(let name):
        try settle()
        conversations[name] = nil
        try waitUntilDetached()
      case .write(let path, let json):
        try settle()
        _ = try ask(
          "PATCH /v1/projects/demo/databases/(default)/documents/\(path)", json,
          "Content-Type: application/json")
      }
    }
    try settle()
  }

  private func send(_ name: String, _ text: String) throws {
    var request = text
    if let session { request.replace(/SID=[^&\s]+/, with: "SID=\(session)") }
    if let match = request.firstMatch(of: /AID=(\d+)/), let id = Int(match.1), id <= newestRecorded
    {
      request.replace(/AID=\d+/, with: "AID=\(newestOurs - newestRecorded + id)")
    }
    let connection = try RawConnection(port: port)
    conversations[name] = Conversation(request: request, connection: connection)
    if !order.contains(name) { order.append(name) }
    try connection.send(Array(request.utf8))
  }

  /// A request beside the conversation; its answer.
  @discardableResult
  private func ask(_ line: String, _ body: String, _ field: String) throws -> AnswerReader {
    let connection = try RawConnection(port: port)
    try connection.send(
      Array(
        "\(line) HTTP/1.1\r\nHost: h\r\n\(field)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
          .utf8))
    try connection.read { $0.isEnded }
    return connection.answer
  }

  /// Waits until the server knows that the back channel is gone.
  private func waitUntilDetached() throws {
    for _ in 0..<1_000 {
      let answer = try ask(
        "POST /google.firestore.v1.Firestore/Listen/channel?VER=8&RID=9&AID=0&SID=\(session ?? "")",
        "count=0", "Content-Type: application/x-www-form-urlencoded")
      if answer.pieces.first?.hasPrefix("[0,") == true { return }
    }
    throw Failure(description: "the back channel never ends")
  }

  // MARK: - Comparison

  /// Waits until our side has come as far as the recorded one.
  private func settle() throws {
    for name in order { try learnRecorded(name) }
    for name in order {
      // A poll that is held gives nothing.
      guard let conversation = conversations[name], conversation.recorded.status != nil,
        conversation.recorded.isEnded || !conversation.isPoll
      else { continue }
      let isEnded = conversation.recorded.isEnded
      try conversation.connection.read { answer in
        learn(name, answer)
        return answer.status != nil && (!isEnded || answer.isEnded)
          && (isEnded || !conversation.isChannel || recorded == ours)
      }
      try compare(conversation)
      if conversation.isPoll, isEnded {
        recorded = ours
      } else if isEnded, recorded != ours, conversation.request.hasPrefix("GET") {
        throw Failure(description: "\(name): known \(ours), recorded \(recorded)")
      }
      if isEnded { conversations[name] = nil }
    }
  }

  private func learnRecorded(_ name: String) throws {
    guard let conversation = conversations[name] else { return }
    let arrays = conversation.recorded.arrays
    for array in arrays.dropFirst(conversation.arraysRecorded) where array.id > newestRecorded {
      newestRecorded = array.id
      recorded.learn(array.content)
    }
    conversations[name]?.arraysRecorded = arrays.count
  }

  private func learn(_ name: String, _ answer: AnswerReader) {
    let arrays = answer.arrays
    for array in arrays.dropFirst(conversations[name]?.arraysSeen ?? 0) where array.id > newestOurs
    {
      hasGaps = hasGaps || array.id != newestOurs + 1
      newestOurs = array.id
      ours.learn(array.content)
    }
    conversations[name]?.arraysSeen = arrays.count
  }

  private func compare(_ conversation: Conversation) throws {
    let recorded = conversation.recorded
    let answer = conversation.connection.answer
    func expect(_ condition: Bool, _ what: String) throws {
      guard condition else {
        throw Failure(
          description: "\(what): \(answer.status ?? 0) \(answer.fields) \(answer.pieces)\n"
            + conversation.request.prefix(200))
      }
    }
    try expect(!hasGaps, "numbers without gaps")
    let isPreflight = conversation.request.hasPrefix("OPTIONS")
    try expect(answer.status == recorded.status || (isPreflight && answer.status == 200), "status")
    try compareFields(conversation, expect)
    guard conversation.isChannel, recorded.status == 200, !isPreflight else { return }
    if conversation.request.contains("TYPE=terminate") {
      return try expect(answer.body.isEmpty, "body")
    }
    guard conversation.request.hasPrefix("POST") else {
      if conversation.isPoll { try expect(answer.pieces.count == 1, "one piece") }
      return
    }
    if let match = answer.pieces.first?.wholeMatch(
      of: /\[\[0,\["c","([\w-]+)","",8,12,30000\]\]\]/)
    {
      session = String(match.1)
      try expect(answer.fields["x-http-session-id"] != nil, "session id")
      try expect(recorded.pieces.first?.hasPrefix("[[0,") == true, "handshake")
    } else {
      try expect(recorded.pieces.count == 1 && answer.pieces.count == 1, "one piece")
      try expect(answer.pieces[0].prefix(2) == recorded.pieces[0].prefix(2), "attached")
      try expect(answer.pieces[0].wholeMatch(of: /\[[01],\d+,\d+\]/) != nil, "reply")
    }
  }

  private func compareFields(
    _ conversation: Conversation, _ expect: (Bool, String) throws -> Void
  ) throws {
    let recorded = conversation.recorded.fields
    let answer = conversation.connection.answer.fields
    guard conversation.request.contains("Origin: ") else {
      return try expect(answer["access-control-allow-origin"] == nil, "no origin")
    }
    var exact = [
      "access-control-allow-origin", "access-control-allow-credentials",
      "access-control-allow-headers", "access-control-allow-private-network",
    ]
    if conversation.isChannel { exact += ["content-type", "x-content-type-options", "vary"] }
    for name in exact
    where recorded[name] != nil && !(conversation.recorded.status == 400 && name == "content-type")
    {
      try expect(answer[name] == recorded[name], name)
    }
    for name in ["access-control-expose-headers", "access-control-allow-methods"] {
      let wanted = Self.list(recorded[name])
      if conversation.isChannel { try expect(wanted.isSubset(of: Self.list(answer[name])), name) }
    }
  }

  private static func list(_ value: String?) -> Set<String> {
    Set((value ?? "").lowercased().split { ", ".contains($0) }.map(String.init))
  }
}
