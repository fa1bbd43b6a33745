import Coding
import Testing

@testable import SecurityRules

/// Rules of Cloud Storage.
@Suite struct ObjectTests {
  private func judge(
    _ statements: String, _ method: Method = .get, name: String = "dir/x.png", version: Int = 2,
    resource: RulesValue = .null, result: RulesValue = .null, auth: RulesValue = .null
  ) throws -> String? {
    let ruleset = Ruleset(
      name: "",
      content: """
        rules_version = '\(version)';
        service firebase.storage { match /b/{bucket}/o { match /{path=**} { \(statements) } } }
        """)
    let rules = try #require(ServiceRules(storage: ruleset), "\(ruleset.compileError)")
    let request = ObjectRequest(
      method: method, bucket: "B", name: name, auth: auth, time: Documents.context.time,
      resource: resource, result: result)
    do throws(Denial) {
      try rules.judgeObject(request, Documents())
      return nil
    } catch {
      return error.message
    }
  }

  @Test(
    "conditions that hold",
    arguments: [
      "request.path[3] == 'dir'", "request.path == path('/b/B/o/dir/x.png')", "bucket == 'B'",
      "path[1] == 'x.png'", "resource == null", "request.resource == null",
      "request.method == 'get'", "request.auth == null",
      "firestore.get(/databases/(default)/documents/t/e).data.a == 2",
      "firestore.exists(/databases/(default)/documents/t/e)",
      "!firestore.exists(/databases/(default)/documents/t/zz)", "!firestore.exists(/t/zz)",
    ])
  func holds(_ condition: String) throws {
    #expect(try judge("allow get: if \(condition);") == nil)
  }

  @Test("sizes of uploads")
  func sizes() throws {
    let statement = "allow create: if request.resource.size < 5 * 1024 * 1024;"
    #expect(try judge(statement, .create, result: .map(["size": .int(100)])) == nil)
    #expect(try judge(statement, .create, result: .map(["size": .int(10_000_000)])) != nil)
    #expect(try judge(statement, .create) == "\nNull value error. for 'create' @ L2")
  }

  @Test("lists need version 2")
  func lists() throws {
    #expect(try judge("allow list;", .list) == nil)
    #expect(try judge("allow read;", .list, version: 1)?.contains("only allowed for") == true)
  }

  @Test("a third document of Firestore is an error")
  func documents() throws {
    let lookups = ["t/d", "t/e", "t/f"].map {
      "!firestore.get(/databases/(default)/documents/\($0)).data.zz"
    }
    #expect(
      try judge("allow get: if \(lookups.joined(separator: " || ")) ;")?.contains("Property zz")
        == true)
    let exists = ["d", "e", "d"].map {
      "firestore.get(/databases/(default)/documents/t/\($0)).id == '\($0)'"
    }
    #expect(try judge("allow get: if \(exists.joined(separator: " && "));") == nil)
  }
}
