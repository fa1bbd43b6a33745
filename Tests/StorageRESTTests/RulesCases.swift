import Foundation
import Hibachi
import Testing

/// Security rules.
enum RulesCases {
  static let all: [AcceptanceCase] = denials + conditions + uploads + control

  /// A ruleset with these statements for all objects.
  private static func rules(_ statements: String, version: Int = 2) -> String {
    """
    rules_version = '\(version)';
    service firebase.storage { match /b/{bucket}/o { match /{path=**} { \(statements) } } }
    """
  }

  /// An authorization as SDKs send it, with a token that is not signed.
  private static func user(_ claims: String) -> String {
    let parts = [#"{"alg":"none","type":"JWT"}"#, claims].map { part in
      Data(part.utf8).base64EncodedString().replacingOccurrences(of: "+", with: "-")
        .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
    }
    return "Firebase \(parts[0]).\(parts[1])."
  }

  private static let denials = [
    AcceptanceCase(27, "metadata without credentials") { (storage) async throws in
      try await storage.put("a")
      try await storage.load(rules("allow read, write: if false;"))
      let answer = try await storage.send("GET", storage.path("a"), as: nil)
      #expect(answer.status == 403)
      #expect(
        answer.text
          == #"{"error":{"code":403,"message":"Permission denied. No READ permission."}}"#)
      #expect(try await storage.metadata("a").status == 200)
      let write = "Permission denied. No WRITE permission."
      #expect(try await storage.put("a", as: nil).message == write)
      let patch = try await storage.send("PATCH", storage.path("a"), [], Array("{}".utf8), as: nil)
      #expect(patch.status == 403 && patch.message == write)
      let deletion = try await storage.send("DELETE", storage.path("a"), as: nil)
      #expect(deletion.status == 403 && deletion.message == write)
      let list = try await storage.send("GET", storage.path(), as: nil)
      #expect(list.status == 403 && list.message == "Permission denied. No LIST permission.")
      #expect(try await storage.metadata("a").text("metageneration") == "1")
    },
    AcceptanceCase(29, "tokens that do not open the object") { (storage) async throws in
      let token = try await storage.put("a").text("downloadTokens") ?? ""
      let other = try await storage.put("b").text("downloadTokens") ?? ""
      try await storage.load(rules("allow read, write: if false;"))
      for wrong in [other, String(token.dropLast()), "", token + "," + other] {
        let path = storage.path("a", "?alt=media&token=\(wrong)")
        #expect(try await storage.send("GET", path, as: nil).status == 403, "\(wrong)")
      }
      for media in ["alt=media&", ""] {
        let path = storage.path("a", "?\(media)token=\(token)")
        #expect(try await storage.send("GET", path, as: nil).status == 200)
      }
    },
    AcceptanceCase(30, "rules before existence") { (storage) async throws in
      try await storage.load(rules("allow get: if resource != null; allow delete;"))
      #expect(try await storage.send("GET", storage.path("none"), as: nil).status == 403)
      #expect(
        try await storage.send("GET", storage.path("none", "?alt=media"), as: nil).status == 403)
      #expect(try await storage.send("DELETE", storage.path("none"), as: nil).status == 404)
      #expect(try await storage.send("PATCH", storage.path("none"), as: nil).status == 403)
    },
  ]

  private static let conditions = [
    AcceptanceCase(37, "a rule about the user") { (storage) async throws in
      try await storage.put("a")
      try await storage.load(
        rules("allow get: if request.auth.uid == 'u' && request.auth.token.admin == true;"))
      for (authorization, status) in [
        (user(#"{"user_id":"u","admin":true}"#), 200), (user(#"{"sub":"u","admin":true}"#), 200),
        (user(#"{"user_id":"v","admin":true}"#), 403), ("Bearer garbage", 403),
        ("Bearer ya29.x", 403), (nil, 403), ("Firebase owner", 200),
        (
          user(
            #"{"iss":"a@p.iam.gserviceaccount.com","sub":"a@p.iam.gserviceaccount.com"}"#), 200
        ),
      ] {
        let answer = try await storage.send("GET", storage.path("a"), as: authorization)
        #expect(answer.status == status, "\(authorization ?? "")")
      }
    },
    AcceptanceCase(38, "an overwriting upload is create") { (storage) async throws in
      try await storage.load(rules("allow create: if resource == null;"))
      #expect(try await storage.put("a", as: nil).status == 200)
      #expect(try await storage.put("a", as: nil).status == 403)
    },
    AcceptanceCase(40, "a rule that reads a document") { (storage) async throws in
      let document = try RawClient(port: storage.emulator.port)
      let body = Array(#"{"fields":{"open":{"booleanValue":true}}}"#.utf8)
      let path = "/v1/projects/bkt/databases/(default)/documents/files/a"
      let fields = [
        ("Host", "127.0.0.1"), ("Content-Type", "application/json"),
        ("Authorization", "Bearer owner"),
      ]
      #expect(try await document.exchange("PATCH", path, fields, body).status == 200)
      try await storage.put("a")
      try await storage.put("b")
      let documents = "/databases/(default)/documents/files/$(path)"
      try await storage.load(
        rules(
          """
          allow get: if firestore.exists(\(documents)) && firestore.get(\(documents)).data.open;
          allow create: if firestore.get(\(documents)).data.open;
          """))
      let clients = try (0..<100).map { _ in try storage.another() }
      let statuses = try await withThrowingTaskGroup(of: Int.self) { tasks in
        for client in clients {
          tasks.addTask {
            try await client.send("GET", client.path("a", "?alt=media"), as: nil).status
          }
        }
        return try await tasks.reduce(into: []) { $0.append($1) }
      }
      #expect(statuses.allSatisfy { $0 == 200 })
      #expect(try await storage.send("GET", storage.path("b"), as: nil).status == 403)
      #expect(try await storage.put("a", as: nil).status == 200)
      #expect(try await storage.put("b", as: nil).status == 403)
    },
    AcceptanceCase(40, "lists need version 2 and see the prefix") { (storage) async throws in
      try await storage.put("dir/a")
      let statement =
        "allow list: if request.path == /b/bkt/o/dir && request.params.delimiter == '/';"
      func list(_ prefix: String) async throws -> RawClient.Answer {
        try await storage.send("GET", storage.path(nil, "?prefix=\(prefix)&delimiter=/"), as: nil)
      }
      try await storage.load(rules(statement))
      #expect(try await list("dir/").status == 200)
      #expect(try await list("").status == 403)
      try await storage.load(rules("allow read;", version: 1))
      #expect(try await list("dir/").status == 403)
    },
    AcceptanceCase(40, "a change shows the object before and after") { (storage) async throws in
      try await storage.put("a", Sample.hello, #"{"metadata":{"k":"1"}}"#)
      try await storage.load(
        rules(
          """
          allow update: if resource.metadata.k == '1' && request.resource.metadata.k == '2'
            && request.resource.contentType == resource.contentType && resource.size == 5
            && resource.md5Hash == '\(Sample.md5)' && resource.name == 'a' && resource.bucket == 'bkt'
            && resource.cacheControl == null && resource.timeCreated <= request.time
            && request.resource.metageneration == resource.metageneration + 1;
          allow delete: if request.resource == null && resource.contentType == 'text/plain';
          """))
      func patch(_ value: String) async throws -> RawClient.Answer {
        let body = Array(#"{"metadata":{"k":"\#(value)"}}"#.utf8)
        return try await storage.send("PATCH", storage.path("a"), [], body, as: nil)
      }
      #expect(try await patch("3").status == 403)
      #expect(try await patch("2").status == 200)
      #expect(try await patch("2").status == 403)
      #expect(try await storage.send("DELETE", storage.path("a"), as: nil).status == 204)
    },
  ]

  private static let uploads = [
    AcceptanceCase(39, "a rule about what is to be") { (storage) async throws in
      try await storage.load(rules("allow create: if request.resource.size < 3;"))
      let answer = try await storage.send(
        "POST", storage.path(nil, "?name=a"), [], Sample.hello, as: nil)
      #expect(answer.status == 403 && answer.message == "Permission denied. No WRITE permission.")
      #expect(try await storage.metadata("a").status == 404)
      let small = try await storage.send(
        "POST", storage.path(nil, "?name=a"), [], [1, 2], as: nil)
      #expect(small.status == 200)
    },
    AcceptanceCase(45, "who begins an upload is who ends it") { (storage) async throws in
      try await storage.load(
        rules("allow create: if request.auth.uid == 'u' && request.resource.size == 5;"))
      let upload = try await storage.start("r", as: user(#"{"user_id":"u"}"#))
      let end = try await upload("upload, finalize", Sample.hello, at: 0, method: "PUT", as: nil)
      #expect(end.status == 200 && end.uploadStatus == "final" && end.text("size") == "5")
      let other = try await storage.start("r", as: user(#"{"user_id":"v"}"#))
      let refused = try await other("upload, finalize", Sample.hello, at: 0)
      #expect(refused.status == 403)
    },
    AcceptanceCase(55, "a refused end") { (storage) async throws in
      try await storage.load(rules("allow create: if false;"))
      let upload = try await storage.start("r", as: nil)
      #expect(upload.start.status == 200)
      for _ in 0..<2 {
        let end = try await upload("upload, finalize", Sample.hello, at: 0, as: nil)
        #expect(end.status == 403 && end.uploadStatus == "final")
        #expect(end.message == "Permission denied. No WRITE permission.")
      }
      #expect(try await upload("query").uploadStatus == "final")
      #expect(try await storage.metadata("r").status == 404)
      let owned = try await storage.start("r")
      #expect(try await owned("upload, finalize", Sample.hello, at: 0, as: nil).status == 200)
    },
  ]

  private static let control = [
    AcceptanceCase(116, "rules are set for all buckets or for each") { (storage) async throws in
      func set(_ json: String) async throws -> RawClient.Answer {
        try await storage.send("PUT", "/internal/setRules", [], Array(json.utf8), as: nil)
      }
      func reads(_ bucket: String) async throws -> RawClient.Answer {
        try await storage.send("GET", "/v0/b/\(bucket)/o/a", as: nil)
      }
      for json in [
        "", "{}", #"{"rules":{}}"#, #"{"rules":{"files":{}}}"#, #"{"rules":{"files":[]}}"#,
      ] {
        let answer = try await set(json)
        #expect(answer.status == 400)
        #expect(answer.text("message") == "Request body must include 'rules.files' array")
      }
      let open = Self.quoted(rules("allow read;"))
      let closed = Self.quoted(rules("allow read: if false;"))
      let partial = try await set(#"{"rules":{"files":[{"content":\#(open)}]}}"#)
      #expect(
        partial.text("message")
          == "Each member of 'rules.files' array must contain 'name' and 'content'")
      let one = try await set(#"{"rules":{"files":[{"name":"s","content":\#(closed)}]}}"#)
      #expect(one.status == 200 && one.text("message") == "Rules updated successfully")
      #expect(try await reads("x").status == 403)
      let broken = try await set(#"{"rules":{"files":[{"name":"s","content":"service"}]}}"#)
      #expect(broken.status == 400)
      #expect(
        broken.text("message")
          == "There was an error updating rules, see logs for more details")
      #expect((broken.json["issues"] as? [Any])?.isEmpty == false)
      #expect(try await reads("x").message == "Permission denied. No READ permission.")
      let file = #"{"name":"s","content":\#(open)"#
      let without = try await set(#"{"rules":{"files":[\#(file)},\#(file),"resource":"b"}]}}"#)
      #expect(
        without.text("message")
          == "Each member of 'rules.files' array must contain 'name', 'content', and 'resource'")
      let several = try await set(
        #"{"rules":{"files":[\#(file),"resource":"a"},\#(file),"resource":"b"}]}}"#)
      #expect(several.status == 200)
      #expect(try await reads("a").status == 404)
      #expect(
        try await reads("c").message
          == "Permission denied. Storage Emulator has no loaded ruleset.")
      let page = try await storage.send(
        "PUT", "/internal/setRules", [("Origin", "https://elsewhere.example")], [])
      #expect(page.status == 403)
    }
  ]

  fileprivate static func quoted(_ text: String) -> String {
    let data = (try? JSONSerialization.data(withJSONObject: [text])) ?? Data()
    return String(decoding: data.dropFirst().dropLast(), as: UTF8.self)
  }
}

extension StorageClient {
  /// Puts rules in force for all buckets.
  fileprivate func load(_ rules: String) async throws {
    let body =
      #"{"rules":{"files":[{"name":"storage.rules","content":\#(RulesCases.quoted(rules))}]}}"#
    let answer = try await send("PUT", "/internal/setRules", [], Array(body.utf8), as: nil)
    #expect(answer.status == 200, "\(answer.text)")
  }
}
