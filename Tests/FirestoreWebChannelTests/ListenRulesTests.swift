import Foundation
import Hibachi
import HibachiTesting
import Testing

/// Listeners of browsers under rules, with the calls of `@firebase/rules-unit-testing` for all the rest.
@Suite("Browsers that listen under rules")
struct ListenRulesTests {
  private static let project = "demo"
  private static let documents = "/v1/projects/demo/databases/(default)/documents"

  private static func rules(_ body: String) -> String {
    "rules_version = '2';\nservice cloud.firestore { match /databases/{database}/documents {\n\(body)\n} }"
  }

  private static let owners = rules(
    "match /users/{uid} { allow read, write: if request.auth.uid == uid; }\n"
      + "match /posts/{id} { allow read: if resource.data.owner == request.auth.uid; }")

  /// A context of the package: its token has no signature.
  private static func context(_ uid: String) -> String {
    func part(_ json: String) -> String {
      Data(json.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
        .replacing("=", with: "")
    }
    let claims =
      "{\"iss\":\"https://securetoken.google.com/demo\",\"aud\":\"demo\",\"iat\":0,\"exp\":3600,\"auth_time\":0,"
      + "\"sub\":\"\(uid)\",\"user_id\":\"\(uid)\","
      + "\"firebase\":{\"sign_in_provider\":\"custom\",\"identities\":{}}}"
    return "Bearer \(part("{\"alg\":\"none\",\"type\":\"JWT\"}")).\(part(claims))."
  }

  /// The status of an answer.
  @discardableResult
  private static func ask(
    _ port: UInt16, _ method: String, _ path: String, _ body: String = "",
    as authorization: String? = nil
  ) throws -> Int? {
    try RawConnection.answered(
      port, method, path, body, authorization.map { ["Authorization: \($0)"] } ?? []
    ).status
  }

  /// Loads rules as the package does: with no content type, nor a name.
  private static func load(_ rules: String, _ port: UInt16, ignoringErrors: Bool = false) throws
    -> Int?
  {
    var object: [String: Any] = ["rules": ["files": [["content": rules]]]]
    if ignoringErrors { object["ignore_errors"] = true }
    let body = try JSONSerialization.data(withJSONObject: object)
    return try ask(
      port, "PUT", "/emulator/v1/projects/demo:securityRules",
      String(decoding: body, as: UTF8.self))
  }

  private static func target(_ id: Int, _ path: String) -> String {
    "{\"targetId\":\(id),\"documents\":{\"documents\":[\"projects/demo/databases/(default)/documents/\(path)\"]}}"
  }

  private static func target(_ id: Int, postsOf owner: String) -> String {
    "{\"targetId\":\(id),\"query\":{\"parent\":\"projects/demo/databases/(default)/documents\",\"structuredQuery\":"
      + "{\"from\":[{\"collectionId\":\"posts\"}],\"where\":{\"fieldFilter\":{\"field\":{\"fieldPath\":\"owner\"},"
      + "\"op\":\"EQUAL\",\"value\":{\"stringValue\":\"\(owner)\"}}}}}}"
  }

  private static func post(owner: String, title: String = "") -> String {
    "{\"fields\":{\"owner\":{\"stringValue\":\"\(owner)\"},\"title\":{\"stringValue\":\"\(title)\"}}}"
  }

  private static let targets = [
    target(2, "users/alice"), target(4, "posts/a"), target(6, postsOf: "alice"),
  ]
  private static let posts = documents + "/posts"

  @Test("of alice, bob, nobody and the owner those listen whom the rules let")
  func contexts() async throws {
    try await withEmulator { emulator in
      let port = emulator.port
      try await onThread {
        #expect(try Self.load(Self.owners, port) == 200)
        #expect(
          try Self.ask(
            port, "PATCH", Self.posts + "/a", Self.post(owner: "alice"), as: "Bearer owner")
            == 200)
        for who in [Self.context("bob"), nil] {
          let refused = try BrowserListener(port, project: Self.project, as: who, Self.targets)
          #expect(
            try refused.told(until: "REMOVE [6]") == [
              "ADD [2]", "REMOVE [2] 7", "ADD [4]", "REMOVE [4] 7", "ADD [6]", "REMOVE [6] 7",
            ])
          // The session goes on.
          try refused.add(Self.target(8, "users/alice"))
          #expect(try refused.told(until: "REMOVE") == ["ADD [8]", "REMOVE [8] 7"])
        }
        for who in [Self.context("alice"), "Bearer owner"] {
          let listener = try BrowserListener(port, project: Self.project, as: who, Self.targets)
          #expect(
            try listener.told(until: "CURRENT [6]") == [
              "ADD [2]", "documentDelete alice [2]", "CURRENT [2]", "ADD [4]",
              "documentChange a [4]", "CURRENT [4]", "ADD [6]", "documentChange a [6]",
              "CURRENT [6]",
            ])
        }
      }
    }
  }

  @Test(
    "alice and the owner listen while rules are loaded and documents change hands and are cleared")
  func changes() async throws {
    try await withEmulator { emulator in
      let port = emulator.port
      try await onThread {
        #expect(try Self.load(Self.owners, port) == 200)
        func write(_ path: String, _ body: String = "{}", as who: String = "Bearer owner") throws {
          #expect(try Self.ask(port, "PATCH", path, body, as: who) == 200)
        }
        try write(Self.posts + "/a", Self.post(owner: "alice"))
        func open(_ who: String) throws -> BrowserListener {
          let listener = try BrowserListener(port, project: Self.project, as: who, Self.targets)
          _ = try listener.told(until: "CURRENT [6]")
          return listener
        }
        let (alice, owner) = (try open(Self.context("alice")), try open("Bearer owner"))
        try write(Self.documents + "/users/alice", as: Self.context("alice"))
        #expect(try alice.told(until: "document") == ["documentChange alice [2]"])

        // Rules that do not compile change nothing.
        #expect(try Self.load("service cloud.firestore {", port) == 400)
        try write(Self.posts + "/a", Self.post(owner: "alice", title: "new"))
        #expect(try alice.told(until: "document") == ["documentChange a [4, 6]"])

        try write(Self.posts + "/a", Self.post(owner: "bob"))
        #expect(
          try alice.told(until: "documentRemove") == ["REMOVE [4] 7", "documentRemove a [6]"])

        let cleared = "/emulator/v1/projects/demo/databases/(default)/documents"
        #expect(try Self.ask(port, "DELETE", cleared) == 200)
        #expect(
          try alice.told(until: "CURRENT [6]") == [
            "RESET [6]", "documentDelete alice [2]", "CURRENT [6]",
          ])

        #expect(
          try Self.load(Self.rules("match /users/{uid} { allow read: if false; }"), port) == 200)
        #expect(try alice.told(until: "REMOVE [6]") == ["REMOVE [2] 7", "REMOVE [6] 7"])
        try write(Self.documents + "/users/alice")
        let told =
          try owner.told(until: "documentDelete") + owner.told(until: "documentChange alice")
        #expect(!told.contains { $0.hasPrefix("REMOVE") })
      }
    }
  }

  @Test("rules with errors that are put in force all the same end targets as invalid")
  func errors() async throws {
    try await withEmulator { emulator in
      let port = emulator.port
      try await onThread {
        #expect(try Self.load(Self.owners, port) == 200)
        let listener = try BrowserListener(
          port, project: Self.project, as: Self.context("alice"), [Self.target(2, "users/alice")])
        #expect(try listener.told(until: "CURRENT").count == 3)
        #expect(try Self.load("service cloud.firestore {", port, ignoringErrors: true) == 200)
        #expect(try listener.told(until: "REMOVE") == ["REMOVE [2] 3"])
        #expect(try Self.load(Self.owners, port) == 200)
        try listener.add(Self.target(4, "users/alice"))
        #expect(
          try listener.told(until: "CURRENT")
            == ["ADD [4]", "documentDelete alice [4]", "CURRENT [4]"])
      }
    }
  }

  @Test("a file of rules that is written anew reaches those who listen")
  func file() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/my.rules"
    try Self.owners.write(toFile: path, atomically: true, encoding: .utf8)
    try await withEmulator {
      $0.rulesFile = path
    } _: { emulator in
      let port = emulator.port
      try await onThread {
        let listener = try BrowserListener(
          port, project: Self.project, as: Self.context("alice"),
          [Self.target(2, "users/alice"), Self.target(4, "posts/none")])
        #expect(
          try listener.told(until: "REMOVE") == [
            "ADD [2]", "documentDelete alice [2]", "CURRENT [2]", "ADD [4]", "REMOVE [4] 7",
          ])
        try Self.rules("match /posts/{id} { allow read; }")
          .write(toFile: path, atomically: true, encoding: .utf8)
        #expect(try listener.told(until: "REMOVE") == ["REMOVE [2] 7"])
        try listener.add(Self.target(6, "posts/none"))
        #expect(
          try listener.told(until: "CURRENT")
            == ["ADD [6]", "documentDelete none [6]", "CURRENT [6]"])
      }
    }
  }
}
