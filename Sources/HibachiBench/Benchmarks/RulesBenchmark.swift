/// What security rules of ten typical conditions, one of which reads another document, cost a read: beside the same read without rules.
enum RulesBenchmark: Benchmark {
  static let name = "rules"
  static let summary = "ten conditions with one get(), CPU per request beyond that without rules"

  /// Of the user `alice`, with the claims that SDKs send; not signed.
  private static let token =
    "eyJhbGciOiJub25lIiwidHlwZSI6IkpXVCJ9.eyJzdWIiOiJhbGljZSIsImVtYWlsIjoiYWxpY2VAZXh"
    + "hbXBsZS5jb20iLCJlbWFpbF92ZXJpZmllZCI6dHJ1ZSwiaWF0IjoxNzAwMDAwMDAwLCJleHAiOjE3MDA"
    + "wMDM2MDAsImZpcmViYXNlIjp7InNpZ25faW5fcHJvdmlkZXIiOiJjdXN0b20iLCJpZGVudGl0aWVzIjp7fX19."

  private static let rules = """
    rules_version = '2';
    service cloud.firestore {
      match /databases/{database}/documents {
        function signedIn() { return request.auth != null; }
        function profile() {
          return get(/databases/$(database)/documents/users/$(request.auth.uid)).data;
        }
        match /users/{uid} { allow read: if request.auth.uid == uid; }
        match /posts/{id} {
          allow read: if signedIn()
            && request.auth.token.email_verified == true
            && request.auth.token.email.matches('.*@example[.]com')
            && resource.data.state in ['open', 'closed']
            && resource.data.owner is string
            && resource.data.members.hasAny([request.auth.uid])
            && resource.data.count < 100
            && resource.data.keys().hasAll(['state', 'owner', 'count'])
            && request.time > resource.data.created
            && profile().role == 'editor';
          allow write: if request.auth.uid == resource.data.owner;
        }
        match /other/{id} { allow read: if false; }
      }
    }
    """

  private static let documents = [
    "users/alice": #"{"role":{"stringValue":"editor"},"name":{"stringValue":"Alice"}}"#,
    "posts/one": """
    {"state":{"stringValue":"open"},"owner":{"stringValue":"alice"},"count":{"integerValue":"5"},
    "members":{"arrayValue":{"values":[{"stringValue":"bob"},{"stringValue":"alice"}]}},
    "created":{"timestampValue":"2024-01-01T00:00:00Z"},"title":{"stringValue":"A title"},
    "body":{"stringValue":"Some text that is a little longer than the rest of it"}}
    """,
  ]

  static func run(_ plan: Plan) throws -> [Measurement] {
    let subject = try Subject(plan)
    let socket = try subject.connect()
    let root = "/v1/\(Subject.database)/documents"
    for (path, fields) in documents {
      let answer = try socket.exchange("PATCH", "\(root)/\(path)", body: "{\"fields\":\(fields)}")
      guard answer.status == 200 else { throw BenchError("a write was answered \(answer.status)") }
    }
    let count = plan.requests(100_000)
    func microseconds(_ authorization: String) throws -> Double? {
      let url = "http://127.0.0.1:\(subject.port)\(root)/posts/one"
      func load(_ count: Int) throws {
        _ = try Load.run(
          url, requests: count, http1: true, connections: 64,
          headers: ["authorization: Bearer \(authorization)"])
      }
      try load(count / 10)
      return try subject.cpu { try load(count) }.map { $0 / Double(count) / 1000 }
    }
    let without = try microseconds(token)
    try setRules(socket)
    let administrator = try microseconds("owner")
    guard let with = try microseconds(token), let without, let administrator else { return [] }
    return [
      Measurement("CPU without rules", without, "µs"),
      Measurement("CPU of an administrator with rules", administrator, "µs"),
      Measurement("CPU with rules", with, "µs"),
      Measurement("CPU of the rules", with - without, "µs", .atMost(30)),
    ]
  }

  private static func setRules(_ socket: HTTPSocket) throws {
    let text = rules.split(separator: "\n").map { $0.replacing("\\", with: "\\\\") }
      .joined(separator: "\\n")
    let body = "{\"rules\":{\"files\":[{\"name\":\"bench\",\"content\":\"\(text)\"}]}}"
    let answer = try socket.exchange("PUT", "/emulator/v1/projects/bench:securityRules", body: body)
    guard answer.status == 200 else { throw BenchError("rules were answered \(answer.status)") }
  }
}
