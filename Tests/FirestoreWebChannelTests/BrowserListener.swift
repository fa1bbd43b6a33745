import Foundation

/// A Listen session as a browser has it. It blocks.
final class BrowserListener {
  private let port: UInt16
  private let database: String
  private let session: String
  private let channel: RawConnection
  private var requests = 1
  private var looked = 0

  /// Opens a session with these targets, as whoever an authorization names.
  init(_ port: UInt16, project: String, as authorization: String?, _ targets: [String]) throws {
    self.port = port
    database = "projects/\(project)/databases/(default)"
    let path = "/google.firestore.v1.Firestore/Listen/channel?VER=8&database=\(database)"
    var fields = "X-Goog-Api-Client:gl-js/ fire/12\r\nContent-Type:text/plain\r\n"
    if let authorization { fields += "Authorization:\(authorization)\r\n" }
    let greeting = RawConnection.answered(
      port, "\(path)&RID=1&CVER=22", Self.form(targets, database, from: 0, fields))
    guard
      let match = try greeting.get().pieces.first?.firstMatch(of: /\[\[0,\["c","([\w-]+)"/)
    else { throw Failure(description: "no session: \(try greeting.get().pieces)") }
    session = String(match.1)
    // Files are looked at by tasks, which have to wait for those of other tests.
    channel = try RawConnection(port: port, patience: 120)
    try channel.send(
      Array(
        "GET \(path)&RID=rpc&SID=\(session)&AID=0&CI=0&TYPE=xmlhttp HTTP/1.1\r\nHost: h\r\n\r\n"
          .utf8))
    sent = targets.count
  }

  private var sent: Int

  /// Adds a target.
  func add(_ target: String) throws {
    requests += 1
    let path =
      "/google.firestore.v1.Firestore/Listen/channel?VER=8&SID=\(session)&RID=\(requests)&AID=0"
    _ = try RawConnection.answered(port, path, Self.form([target], database, from: sent, nil)).get()
    sent += 1
  }

  /// What it was told since the last call, up to what begins so.
  func told(until start: String) throws -> [String] {
    try channel.read { answer in
      Self.lines(answer).dropFirst(looked).contains { $0.hasPrefix(start) }
    }
    let new = Self.lines(channel.answer).dropFirst(looked)
    let last = new.firstIndex { $0.hasPrefix(start) } ?? new.endIndex - 1
    looked = last + 1
    return Array(new[...last])
  }

  /// All messages but snapshots: documents by their ids, and what becomes of targets.
  private static func lines(_ answer: AnswerReader) -> [String] {
    answer.arrays.compactMap { array in
      guard let message = array.content as? [String: Any] else { return nil }
      if let change = message["targetChange"] as? [String: Any] {
        guard let kind = change["targetChangeType"] as? String else { return nil }
        let cause = (change["cause"] as? [String: Any])?["code"] as? Int
        return "\(kind) \(change["targetIds"] as? [Int] ?? [])\(cause.map { " \($0)" } ?? "")"
      }
      for (key, value) in message {
        guard let value = value as? [String: Any] else { continue }
        let name = (value["document"] as? [String: Any])?["name"] ?? value["document"] ?? ""
        let targets = value["targetIds"] ?? value["removedTargetIds"] ?? []
        return "\(key) \("\(name)".split(separator: "/").last ?? "") \(targets as? [Int] ?? [])"
      }
      return nil
    }
  }

  private static func form(
    _ targets: [String], _ database: String, from first: Int, _ fields: String?
  ) -> String {
    var parts = ["count=\(targets.count)", "ofs=\(first)"]
    if let fields { parts.append("headers=\(escaped(fields))") }
    for (number, target) in targets.enumerated() {
      let message = "{\"database\":\"\(database)\",\"addTarget\":\(target)}"
      parts.append("req\(number)___data__=\(escaped(message))")
    }
    return parts.joined(separator: "&")
  }

  private static func escaped(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
  }
}

extension RawConnection {
  /// The whole answer to a form on a connection of its own.
  static func answered(_ port: UInt16, _ path: String, _ form: String)
    -> Result<AnswerReader, any Error>
  {
    Result {
      try answered(port, "POST", path, form, ["Content-Type: application/x-www-form-urlencoded"])
    }
  }

  /// The whole answer to a request on a connection of its own.
  static func answered(
    _ port: UInt16, _ method: String, _ path: String, _ body: String, _ fields: [String]
  ) throws -> AnswerReader {
    let connection = try RawConnection(port: port, patience: 120)
    let head =
      ["\(method) \(path) HTTP/1.1", "Host: localhost", "Content-Length: \(body.utf8.count)"]
      + fields
    try connection.send(Array((head.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8))
    try connection.read { $0.isEnded }
    return connection.answer
  }
}
