import Foundation

/// Plays the steps of one case to a server and says where the answers differ.
///
/// The format of cases is described in `testdata/conformance/README.md`.
final class Player {
  /// An answer after normalisation.
  private struct Answer {
    var status: JSON
    var body: JSON = .null
    var headers: JSON?
    var streamed: [String: JSON] = [:]
  }

  private let subject: Subject
  private var connection: HTTPConnection?
  private var placeholders: Placeholders
  private var normalise: Normaliser
  private var running: [String: (step: JSON, request: BackgroundRequest)] = [:]

  private init(_ subject: Subject) {
    self.subject = subject
    let project = "demo-" + UUID().uuidString.lowercased().filter { $0 != "-" }.prefix(12)
    placeholders = Placeholders(project: project)
    normalise = Normaliser(project: project)
  }

  /// Plays a case; empty when every answer agrees.
  static func play(_ played: ConformanceCase, to subject: Subject) -> [String] {
    let player = Player(subject)
    return played.steps.enumerated().compactMap { index, step in
      do {
        return try player.difference(in: step, at: index)
      } catch {
        return "step \(index): \(error)"
      }
    }
  }

  private func difference(in step: JSON, at index: Int) throws -> String? {
    guard let answer = try answer(to: step) else { return nil }
    let expected = step["expect"] ?? .null
    guard !agrees(step, expected, answer) else { return nil }
    let shown = answer.streamed.isEmpty ? answer.body.text : "\(answer.streamed)"
    return """
      step \(index): \(step["method"]?.string ?? "await") \(step["path"]?.string ?? "")
        sent \((step["body"] ?? step["raw"] ?? .null).text.prefix(1500))
        expected \(expected.text.prefix(3000))
        answered \(answer.status.text) \(answer.headers?.text ?? "") \(shown.prefix(3000))
      """
  }

  private func answer(to step: JSON) throws -> Answer? {
    if let seconds = step["wait"]?.double {
      Thread.sleep(forTimeInterval: seconds)
      return nil
    }
    if let name = step["await"]?.string {
      guard let waited = running[name] else { return nil }
      guard let result = waited.request.result(within: step["within"]?.double ?? 5) else {
        return Answer(status: .string("pending"))
      }
      return normalised(waited.step, try result.get())
    }
    let request = try request(of: step)
    if let name = step["background"]?.string {
      running[name] = (step, BackgroundRequest(request, to: subject))
      return nil
    }
    return normalised(step, try send(request))
  }

  private func send(_ request: RecordedRequest) throws -> HTTPConnection.Response {
    if let kept = connection, kept.isReusable, let response = try? kept.exchange(request) {
      return response
    }
    let fresh = try subject.connect()
    connection = fresh
    return try fresh.exchange(request)
  }

  private func request(of step: JSON) throws -> RecordedRequest {
    let path = placeholders.fill(
      step["path"]?.string ?? "", quoting: Placeholders.percentEncoded)
    var payload: [UInt8]?
    if let body = step["body"] {
      payload = placeholders.fill(body.text, quoting: JSON.escaped)
    } else if let raw = step["raw"]?.string {
      payload = placeholders.fill(raw)
    }
    normalise.sent(path + Array("/".utf8) + Array((payload ?? []).prefix(100_000)))
    var headers: [(String, JSON)] = [("Authorization", .string("Bearer owner"))]
    if payload != nil { headers.append(("Content-Type", .string("application/json"))) }
    if let claims = step["auth"] {
      headers[0].1 = claims == .null ? .null : .string("Bearer " + unsignedToken(claims))
    }
    for (name, value) in step["headers"]?.members ?? [] {
      headers.removeAll { $0.0 == name }
      headers.append((name, value))
    }
    return RecordedRequest(
      method: step["method"]?.string ?? "GET", target: path,
      headers: headers.compactMap { name, value in
        value.string.map { (name, placeholders.fill($0)) }
      },
      body: payload)
  }

  private func unsignedToken(_ claims: JSON) -> String {
    func part(_ bytes: [UInt8]) -> String {
      Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
        .replacing("=", with: "")
    }
    let head = JSON.object([("alg", .string("none")), ("typ", .string("JWT"))])
    return part(Array(head.text.utf8)) + "."
      + part(placeholders.fill(claims.text, quoting: JSON.escaped)) + "."
  }

  private func normalised(_ step: JSON, _ response: HTTPConnection.Response) -> Answer {
    let blank = response.body.allSatisfy { $0 == 0x20 || (0x09...0x0D).contains($0) }
    let body: JSON =
      blank
      ? .null
      : JSONReader.read(response.body)
        ?? .object([("text", .string(String(decoding: response.body, as: UTF8.self)))])
    for (name, path) in step["capture"]?.members ?? [] {
      let value = body.reach(path.string ?? "")
      placeholders.captured[name] = value?.string ?? value?.text ?? ""
    }
    var answer = Answer(status: .number(String(response.status)))
    if let kept = step["keep"]?.array {
      answer.headers = .object(
        kept.compactMap(\.string).map { name in
          (name, response.headers[name].map(JSON.string) ?? .null)
        })
    }
    if ["expect_names", "expect_documents", "expect_skipped"].contains(where: { step[$0] != nil }) {
      answer.streamed = streamed(body)
    }
    answer.body = normalise(body)
    return answer
  }

  /// What a streamed query answer holds, under the names of the step fields that compare it.
  private func streamed(_ body: JSON) -> [String: JSON] {
    let items = body.array ?? []
    let documents = items.compactMap { $0["document"] }
    let names = documents.map { document in
      (document["name"]?.string ?? "").replacing(
        placeholders.database + "/documents/", with: "", maxReplacements: 1)
    }
    let skipped = items.compactMap { $0["skippedResults"] }.map {
      $0.int ?? Int($0.string ?? "") ?? 0
    }
    return [
      "expect_names": .array(names.map(JSON.string)),
      "expect_documents": .array(
        zip(names, documents).map { name, document in
          .object([
            ("name", .string(name)), ("fields", normalise(document["fields"] ?? .object([]))),
          ])
        }),
      "expect_skipped": .number(String(skipped.reduce(0, +))),
    ]
  }

  private func agrees(_ step: JSON, _ expected: JSON, _ answer: Answer) -> Bool {
    guard expected["status"] == answer.status, expected["headers"] == answer.headers else {
      return false
    }
    if step["loose"]?.bool == true { return true }
    if let status = expected["status"]?.int, status >= 400 {
      let wanted = Self.error(of: expected["body"])
      let given = Self.error(of: answer.body)
      guard wanted?["status"] == given?["status"] else { return false }
      guard step["any_message"]?.bool != true else { return true }
      guard wanted?["message"] != nil else { return true }
      return subject.body(for: wanted ?? .null)["message"] == given?["message"]
    }
    guard answer.streamed.isEmpty else {
      return answer.streamed.allSatisfy { name, value in step[name].map { $0 == value } ?? true }
    }
    return subject.body(for: expected["body"] ?? .null) == answer.body
  }

  private static func error(of body: JSON?) -> JSON? {
    (body?.array?.first ?? body)?["error"]
  }
}
