import Hibachi
import Testing

@testable import HibachiCommand

@Suite struct FirebaseProjectTests {
  private func find(_ files: [String: String], from folder: String = "/app") throws
    -> FirebaseProject
  {
    try FirebaseProject.find(from: folder) { files[$0].map { Array($0.utf8) } }
  }

  private let settings = """
    {
      // the app's rules
      "firestore": { "rules": "firestore.rules", "indexes": "firestore.indexes.json" },
      "storage": { "rules": "storage.rules" /* with a // in it */ },
      "hosting": { "public": "http://not/*a comment*/" , "ignore": ["**/.*"] },
      "emulators": {
        "firestore": { "host": "0.0.0.0", "port": 8081, "websocketPort": 9151 },
        "storage": { "port": "9299" },
        "ui": { "enabled": true },
        "singleProjectMode": false
      }
    }
    """

  @Test("everything that is used")
  func everything() throws {
    let project = try find([
      "/app/firebase.json": settings, "/app/.firebaserc": #"{"projects":{"default":"demo-app"}}"#,
    ])
    var expected = FirebaseProject()
    expected.identifier = "demo-app"
    expected.firestore = .init(host: "0.0.0.0", port: 8081)
    expected.storage = .init(host: nil, port: 9299)
    expected.isSingleProject = false
    expected.folder = "/app/"
    expected.firestoreRules = "firestore.rules"
    expected.firestoreIndexes = "firestore.indexes.json"
    expected.storageRules = [.init(path: "storage.rules")]
    #expect(project == expected)
    var configuration = HibachiConfiguration()
    try project.applyTargets(to: &configuration)
    #expect(configuration.storageRules == .file("/app/storage.rules"))
  }

  @Test("rules for single buckets")
  func buckets() throws {
    let rules = """
      {"storage":[{"target":"main","rules":"a.rules"},{"bucket":"c","rules":"/b.rules"}]}
      """
    let targets = """
      {"projects":{"default":"p"},"targets":{"p":{"storage":{"main":["a","b"]}},
      "q":{"storage":{"main":["d"]}}}}
      """
    let project = try find(["/app/firebase.json": rules, "/app/.firebaserc": targets])
    var configuration = HibachiConfiguration()
    configuration.project = "p"
    try project.applyTargets(to: &configuration)
    #expect(
      configuration.storageRules
        == .files(["a": "/app/a.rules", "b": "/app/a.rules", "c": "/b.rules"]))
    configuration.project = "q"
    configuration.storageRules = nil
    try project.applyTargets(to: &configuration)
    #expect(configuration.storageRules == .files(["d": "/app/a.rules", "c": "/b.rules"]))
  }

  @Test("targets that stand for nothing: a demonstration is open, others are an error")
  func unknownTargets() throws {
    let project = try find([
      "/app/firebase.json": #"{"storage":[{"bucket":"c","rules":"b"},{"target":"x","rules":"x"}]}"#
    ])
    for name in ["demo-app", nil] {
      var configuration = HibachiConfiguration()
      configuration.project = name
      try project.applyTargets(to: &configuration)
      #expect(configuration.storageRules == nil)
    }
    var configuration = HibachiConfiguration()
    configuration.project = "app"
    let error = #expect(throws: UsageError.self) {
      try project.applyTargets(to: &configuration)
    }
    #expect(error?.message.contains("no buckets of the project app") == true)
    configuration.storagePort = nil
    try project.applyTargets(to: &configuration)
  }

  @Test("rules for single databases")
  func databases() throws {
    let project = try find([
      "/app/firebase.json": """
      {"firestore":[{"database":"(default)","rules":"a.rules","indexes":"i.json"},
      {"target":"more","rules":"b.rules"},{"database":"bare"}]}
      """,
      "/app/.firebaserc": #"{"targets":{"p":{"firestore":{"more":["x","y"]}}}}"#,
    ])
    var configuration = HibachiConfiguration()
    configuration.project = "p"
    project.apply(to: &configuration)
    try project.applyTargets(to: &configuration)
    #expect(configuration.rulesFile == nil)
    #expect(
      configuration.databaseRules
        == ["(default)": "/app/a.rules", "x": "/app/b.rules", "y": "/app/b.rules"])
    // A flag is for all databases.
    configuration.databaseRules = [:]
    configuration.rulesFile = "c.rules"
    try project.applyTargets(to: &configuration)
    #expect(configuration.databaseRules.isEmpty)
  }

  @Test("the nearest folder above", arguments: ["/app", "/app/web/src", "/"])
  func folders(folder: String) throws {
    let files = ["/app/firebase.json": #"{"emulators":{"firestore":{"port":1}}}"#]
    let project = try find(files, from: folder)
    #expect(project.firestore.port == (folder == "/" ? nil : 1))
  }

  @Test("shapes that nobody expects are passed over")
  func shapes() throws {
    for json in ["{}", #"{"emulators":[],"firestore":null,"storage":[{"rules":1},2]}"#] {
      #expect(try find(["/app/firebase.json": json]) == FirebaseProject())
    }
  }

  @Test("what is no JSON is said with its line")
  func broken() throws {
    let error = #expect(throws: UsageError.self) {
      try find(["/app/firebase.json": "{\n\"emulators\": {\n oops }}"])
    }
    #expect(error?.message == "firebase.json cannot be read: line 3 is not what it should be.")
  }

  @Test(
    "comments",
    arguments: [
      ("a//b\nc", "a   \nc"), ("a/*b*/c", "a     c"), (#""//""#, #""//""#), ("/*/*/1", "     1"),
      (#""\"//"//"#, #""\"//"  "#), ("/", "/"), ("/*", "  "), ("/*\n*/", "  \n  "),
    ])
  func comments(text: String, plain: String) {
    #expect(FirebaseProject.withoutComments(Array(text.utf8)) == Array(plain.utf8))
  }
}
