import Foundation
import Hibachi
import HibachiTesting
import Testing

/// Where an emulator of a test keeps its documents.
enum Place: CaseIterable {
  case memory
  case folder
}

@Suite("Reads at an earlier time, over REST")
struct ReadTimeTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func withEmulator(
    _ place: Place, _ body: (Emulator) async throws -> Void
  ) async throws {
    try await HibachiTests.withEmulator {
      $0.storage =
        switch place {
        case .memory: .memory
        case .folder: .folder(folder.path, .normal)
        }
    } _: { (emulator) async throws in
      try await body(emulator)
    }
  }

  /// Commits writes in JSON; the time of the commit.
  private func commit(_ writes: String, to emulator: Emulator) async throws -> String {
    let answer = try await send(
      "POST", documents + ":commit", to: emulator, body: #"{"writes":[\#(writes)]}"#)
    return try #require(answer["commitTime"] as? String, "\(answer.text)")
  }

  private static let database = "projects/p/databases/(default)/documents"

  private static func update(_ path: String, _ number: Int) -> String {
    #"{"update":{"name":"\#(database)/\#(path)","fields":{"n":{"integerValue":"\#(number)"}}}}"#
  }

  /// The names and numbers of the documents in an answer, in its order.
  private static func found(_ json: Any) -> [String] {
    switch json {
    case let array as [Any]: return array.flatMap(found)
    case let object as [String: Any]:
      if let name = object["name"] as? String, let fields = object["fields"] as? [String: Any],
        let number = (fields["n"] as? [String: Any])?["integerValue"]
      {
        return ["\(name.dropFirst(database.count + 1)) \(number)"]
      }
      return ["document", "documents", "found"].flatMap { found(object[$0] as Any) }
    default: return []
    }
  }

  /// Every read that has a time, with what it finds at `time` or now.
  private func check(
    _ expected: [String], ids: [String], at time: String?, of emulator: Emulator,
    _ location: SourceLocation = #_sourceLocation
  ) async throws {
    let parameter = time.map { "?readTime=\($0)" } ?? ""
    let member = time.map { #","readTime":"\#($0)""# } ?? ""
    func ask(_ operation: String, _ body: String) async throws -> Answer {
      try await send(
        "POST", documents + operation, to: emulator, fields: owner, body: "{\(body)\(member)}")
    }
    for path in ["a", "b", "c"] {
      let answer = try await send("GET", documents + "/k/\(path)" + parameter, to: emulator)
      let found = expected.filter { $0.hasPrefix("k/\(path) ") }
      #expect(answer.status == (found.isEmpty ? 404 : 200), sourceLocation: location)
      #expect(Self.found(answer.json) == found, sourceLocation: location)
    }
    let list = try await send("GET", documents + "/k" + parameter, to: emulator)
    #expect(Self.found(list.json) == expected, sourceLocation: location)
    let names = ["a", "b", "c"].map { "\"\(Self.database)/k/\($0)\"" }.joined(separator: ",")
    let batch = try await ask(":batchGet", #""documents":[\#(names)]"#)
    #expect(Self.found(batch.json).sorted() == expected, sourceLocation: location)
    let listed = try await ask(":listCollectionIds", #""pageSize":10"#)
    #expect(listed["collectionIds"] as? [String] ?? [] == ids, sourceLocation: location)

    let all = #"{"from":[{"collectionId":"k"}],"orderBy":[{"field":{"fieldPath":"n"}}]}"#
    let query = try await ask(":runQuery", #""structuredQuery":\#(all)"#)
    #expect(Self.found(query.json).sorted() == expected, sourceLocation: location)
    let counting = #"{"structuredQuery":\#(all),"aggregations":[{"alias":"x","count":{}}]}"#
    let count = try await ask(":runAggregationQuery", #""structuredAggregationQuery":\#(counting)"#)
    #expect(
      count.text.contains("\"integerValue\": \"\(expected.count)\""), sourceLocation: location)
  }

  @Test("every read that has a time finds what was there then", arguments: Place.allCases)
  func reads(_ place: Place) async throws {
    try await withEmulator(place) { (emulator) async throws in
      let first = try await commit(
        Self.update("k/a", 1) + "," + Self.update("k/b", 2), to: emulator)
      let second = try await commit(
        Self.update("k/a", 3) + "," + Self.update("other/x", 0)
          + #",{"delete":"\#(Self.database)/k/b"}"#, to: emulator)
      let third = try await commit(Self.update("k/c", 4), to: emulator)
      let states: [(String?, [String], [String])] = [
        (first, ["k/a 1", "k/b 2"], ["k"]), (second, ["k/a 3"], ["k", "other"]),
        (third, ["k/a 3", "k/c 4"], ["k", "other"]), (nil, ["k/a 3", "k/c 4"], ["k", "other"]),
      ]
      for (time, expected, ids) in states {
        try await check(expected, ids: ids, at: time, of: emulator)
      }
    }
  }

  @Test("times that are too old or still to come are refused", arguments: Place.allCases)
  func refused(_ place: Place) async throws {
    try await withEmulator(place) { (emulator) async throws in
      _ = try await commit(Self.update("k/a", 1), to: emulator)
      let query = #""structuredQuery":{"from":[{"collectionId":"k"}]}"#
      let cases = [
        ("2001-01-01T00:00:00Z", "FAILED_PRECONDITION"),
        ("9000-01-01T00:00:00Z", "INVALID_ARGUMENT"),
        ("yesterday", "INVALID_ARGUMENT"),
      ]
      for (time, code) in cases {
        let answers = [
          try await send("GET", documents + "/k/a?readTime=\(time)", to: emulator),
          try await send("GET", documents + "/k?readTime=\(time)", to: emulator),
          try await send(
            "POST", documents + ":runQuery", to: emulator,
            body: #"{\#(query),"readTime":"\#(time)"}"#),
          try await send(
            "POST", documents + ":listCollectionIds", to: emulator, fields: owner,
            body: #"{"readTime":"\#(time)"}"#),
        ]
        for answer in answers {
          #expect(answer.status == 400 && answer.text.contains(code), "\(answer.text)")
        }
      }
    }
  }
}
