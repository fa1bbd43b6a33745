import Coding
import FirestoreEngine
import FirestoreModel
import Foundation
import HibachiTesting
import Testing

@testable import Hibachi
@testable import KeyValueSQLite

@Suite("A client that stops reading")
struct StalledStreamTests {
  private static let logBytes = 4 << 20
  private static let count = 500

  private let folder: TemporaryFolder
  private let database = DatabaseName(project: "p", database: "(default)")

  init() throws {
    folder = try TemporaryFolder()
  }

  /// An emulator whose log is short.
  private func start() async throws -> (Emulator, Engine) {
    var limits = StoreLimits()
    limits.checkpointBytes = 256 << 10
    limits.emptyLogBytes = 1 << 20
    limits.logBytes = Self.logBytes
    limits.logWait = .seconds(600)
    let store = try await SQLiteStore.open(
      folder: folder.path, durability: .normal, limits: limits)
    let engine = try Engine(
      store: store, now: { Int64(Date().timeIntervalSince1970 * 1_000_000) })
    var configuration = HibachiConfiguration()
    configuration.port = 0
    configuration.storagePort = 0
    configuration.logLevel = .error
    let emulator = Emulator(configuration)
    try await emulator.start(open: { Backend(engine: engine, store: store) })
    return (emulator, engine)
  }

  private func write(_ number: Int64, kibibytes: Int, id: (Int) -> String = { "d\($0)" })
    -> [FirestoreModel.Write]
  {
    let text = UTF8String(String(repeating: "x", count: kibibytes << 10))
    return (0..<20).map { index in
      let path = DocumentPath(segments: ["c", UTF8String(id(index))])
      let fields = MapValue([
        .init(name: "n", value: .integer(number)), .init(name: "text", value: .string(text)),
      ])
      return FirestoreModel.Write(
        .update(DocumentName(database: database, path: path), fields, nil))
    }
  }

  @Test(
    "stops no writer and no other reader, does not make the log grow, and gets all of its query")
  func stalledQuery() async throws {
    let (emulator, engine) = try await start()
    try await stop(emulator) { (emulator) async throws in
      for part in 0..<Self.count / 20 {
        let writes = write(0, kibibytes: 20) { "d\(part * 20 + $0)" }
        try await engine.commit(database, writes)
      }
      let body = #"{"structuredQuery":{"from":[{"collectionId":"c"}]}}"#
      let stalled = try SlowClient(port: emulator.port)
      try stalled.write(
        "POST \(documents):runQuery HTTP/1.0\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
          + body)
      var received = try stalled.receive(1_000)

      for number in 1...25 {
        try await engine.commit(database, write(Int64(number), kibibytes: 20))
        let read = try await send("GET", documents + "/c/d7?mask.fieldPaths=n", to: emulator)
        #expect(read.text.contains("\"\(number)\""))
        #expect(folder.size(of: "store.sqlite-wal") < Self.logBytes + 1 << 20)
      }

      while true {
        let part = try stalled.receive(1 << 20)
        if part.isEmpty { break }
        received += part
      }
      let text = String(decoding: received, as: UTF8.self)
      #expect(text.components(separatedBy: "\"createTime\"").count - 1 == Self.count)
      #expect(Set(text.matches(of: /"readTime": "([^"]+)"/).map(\.1)).count == 1)
      #expect(Set(text.matches(of: /"integerValue": "(\d+)"/).map(\.1)) == ["0"])
    }
  }
}
