import Coding
import FirestoreEngine
import FirestoreModel
import Foundation
import Hibachi
import HibachiTesting
import KeyValue
import KeyValueSQLite
import Testing

/// Data folders that earlier versions left. What they hold must be found for ever.
///
/// `RECORD_GOLDEN=1` makes a folder that is not there yet, and what is read from it; it never changes one.
@Suite("Stored formats")
struct StoredFormatTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "testdata/stores")

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test("is read by this version", arguments: [1])
  func format(_ number: Int) async throws {
    let stored = Self.root.appending(path: "format-\(number)")
    let golden = Self.root.appending(path: "format-\(number).txt")
    let isThere = FileManager.default.fileExists(atPath: stored.path)
    if !isThere, ProcessInfo.processInfo.environment["RECORD_GOLDEN"] == "1" {
      try await withEmulator {
        $0.storage = .folder(stored.path, .full)
      } _: { (emulator) async throws in
        try await Self.fill(emulator)
        try await Self.dump(emulator).write(to: golden, atomically: true, encoding: .utf8)
      }
      for name in ["lock", ".gitignore"] {
        try FileManager.default.removeItem(at: stored.appending(path: name))
      }
      Issue.record("recorded \(stored.path)")
    }
    for name in ["format", "store.sqlite"] {
      try FileManager.default.copyItem(
        atPath: stored.appending(path: name).path, toPath: folder.path + "/" + name)
    }
    try await history()
    try await withEmulator {
      $0.storage = .folder(folder.path, .normal)
    } _: { (emulator) async throws in
      let dump = try await Self.dump(emulator)
      #expect(dump == (try String(contentsOf: golden, encoding: .utf8)))
      let patched = try await send(
        "PATCH", Self.path("(default)", "/memos/新しい"), to: emulator, body: "{}")
      #expect(patched.status == 200)
    }
  }

  /// At the time of the folder, what a document was before its change can be read.
  private func history() async throws {
    let store = try await SQLiteStore.open(folder: folder.path, durability: .normal)
    let newest = try store.read { try $0.version }
    let engine = try Engine(store: store, now: { newest })
    let database = DatabaseName(project: "demo-stores", database: "(default)")
    let name = DocumentName(database: database, path: DocumentPath(segments: ["stores", "서울"]))
    let now = try #require(try engine.document(name))
    #expect(try now.fields.value(at: try FieldPath(parsing: "seats")) == .integer(14))
    let point = try await engine.point(at: Timestamp(microseconds: now.updateTime.microseconds - 1))
    let before = try engine.read(database, at: point) { try $0.document(name.path) }
    #expect(try before?.fields.value(at: try FieldPath(parsing: "seats")) == .integer(12))
    await store.close()
  }

  // MARK: - What is in them

  private static func path(_ database: String, _ rest: String) -> String {
    let path = "/v1/projects/demo-stores/databases/\(database)/documents\(rest)"
    return path.addingPercentEncoding(withAllowedCharacters: .urlQueryAllowed) ?? path
  }

  private static func fill(_ emulator: Emulator) async throws {
    func patch(_ path: String, _ fields: String, in database: String = "(default)") async throws {
      let answer = try await send(
        "PATCH", Self.path(database, path), to: emulator, body: #"{"fields":{\#(fields)}}"#)
      try #require(answer.status == 200, "\(answer.text)")
    }
    func delete(_ path: String) async throws {
      let answer = try await send("DELETE", Self.path("(default)", path), to: emulator)
      try #require(answer.status == 200)
    }
    for number in 0..<40 {
      try await patch("/memos/memo\(number)", #""n":{"integerValue":"\#(number)"}"#)
    }
    try await patch("/stores/서울", #""이름":{"stringValue":"서울"},"seats":{"integerValue":"12"}"#)
    try await patch("/stores/東京", #""名前":{"stringValue":"東京"},"seats":{"integerValue":"8"}"#)
    try await patch("/stores/東京/menus/焼き鳥", #""price":{"integerValue":"480"}"#)
    try await patch("/stores/東京/menus/ビビンバ", #""price":{"integerValue":"980"}"#)
    try await patch("/stores/無い/menus/떡볶이", #""price":{"integerValue":"6500"}"#)
    try await patch("/stores/서울", #""이름":{"stringValue":"서울"},"seats":{"integerValue":"14"}"#)
    try await delete("/memos/memo7")
    try await delete("/stores/東京/menus/ビビンバ")
    try await patch(
      "/values/all",
      """
      "null":{"nullValue":null},"true":{"booleanValue":true},"long":{"integerValue":"-9223372036854775808"},
      "double":{"doubleValue":-0.1},"nan":{"doubleValue":"NaN"},"time":{"timestampValue":"2020-02-29T23:59:59.123456Z"},
      "bytes":{"bytesValue":"AAEC/w=="},"geo":{"geoPointValue":{"latitude":37.5665,"longitude":126.978}},
      "reference":{"referenceValue":"projects/demo-stores/databases/second/documents/stores/서울"},
      "array":{"arrayValue":{"values":[{"stringValue":"あ"},{"mapValue":{}}]}},
      "map":{"mapValue":{"fields":{"`a.b`":{"mapValue":{"fields":{"深い":{"integerValue":"1"}}}}}}}
      """, in: "second")
    try await patch("/stores/서울", #""seats":{"integerValue":"1"}"#, in: "second")
    try await patch("/c/a", "", in: "cleared")
    let cleared = try await send(
      "DELETE", "/emulator/v1/projects/demo-stores/databases/cleared/documents", to: emulator)
    try #require(cleared.status == 200)
  }

  /// What every later version has to answer; the times of reads are not in it.
  private static func dump(_ emulator: Emulator) async throws -> String {
    let gets = [
      ("(default)", "/stores/서울"), ("(default)", "/stores/東京"), ("(default)", "/memos/memo7"),
      ("(default)", "/stores/東京/menus/焼き鳥"), ("(default)", "/stores/東京/menus/ビビンバ"),
      ("(default)", "/stores/無い"), ("(default)", "/stores/無い/menus/떡볶이"),
      ("(default)", "/memos?pageSize=100&orderBy=n desc&mask.fieldPaths=n"),
      ("(default)", "/stores"),
      ("(default)", "/stores?showMissing=true"), ("second", "/values/all"), ("second", "/stores"),
      ("cleared", "/c/a"),
    ]
    let menus = #"{"from":[{"collectionId":"menus","allDescendants":true}]}"#
    let count = #""aggregations":[{"alias":"n","count":{}}]"#
    let posts = [
      ("(default)", ":listCollectionIds", "{}"),
      ("(default)", "/stores/東京:listCollectionIds", "{}"), ("second", ":listCollectionIds", "{}"),
      ("(default)", ":runQuery", #"{"structuredQuery":\#(menus)}"#),
      (
        "(default)", ":runAggregationQuery",
        #"{"structuredAggregationQuery":{"structuredQuery":{"from":[{"collectionId":"memos"}]},\#(count)}}"#
      ),
    ]
    var text = ""
    for (database, path) in gets {
      let answer = try await send("GET", Self.path(database, path), to: emulator, fields: owner)
      text += "GET \(database) \(path)\n" + (try Self.timeless(answer))
    }
    for (database, path, body) in posts {
      let answer = try await send(
        "POST", Self.path(database, path), to: emulator, fields: owner, body: body)
      text += "POST \(database) \(path) \(body)\n" + (try Self.timeless(answer))
    }
    return text
  }

  /// An answer without the times of reads, in a form that does not depend on how it was written; of an error the status.
  private static func timeless(_ answer: Answer) throws -> String {
    guard answer.status == 200 else { return "\(answer.status)\n" }
    let data = try JSONSerialization.data(
      withJSONObject: timeless(answer.json),
      options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
    return String(decoding: data, as: UTF8.self) + "\n"
  }

  private static func timeless(_ json: Any) -> Any {
    switch json {
    case let array as [Any]: array.map(timeless)
    case let object as [String: Any]:
      object.filter { $0.key != "readTime" }.mapValues(timeless)
    default: json
    }
  }
}
