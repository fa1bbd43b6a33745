import Foundation
import SQLite
import Synchronization
import Testing

@Suite struct ConnectionTests {
  private func memory() throws -> Connection {
    let connection = try Connection(path: ":memory:", exclusive: false)
    try connection.execute("CREATE TABLE t (key BLOB PRIMARY KEY, value) WITHOUT ROWID")
    return connection
  }

  @Test(arguments: [[], [0], [0, 255, 0], [UInt8](repeating: 7, count: 100_000)] as [[UInt8]])
  func blobsComeBack(_ bytes: [UInt8]) throws {
    let connection = try memory()
    var insert = try connection.prepare("INSERT INTO t VALUES (?1, ?2)")
    let isRow = try insert.lend(with: bytes) { (statement) throws(SQLiteError) in
      try statement.bind(2, Int64.min)
      return try statement.step()
    }
    #expect(!isRow)
    #expect(connection.changes == 1)
    var select = try connection.prepare("SELECT key, value, typeof(key) = 'blob' FROM t")
    let found = try select.step()
    #expect(found)
    let (key, number, isBlob) = (select.bytes(0), select.int64(1), select.int64(2))
    #expect(key == bytes)
    #expect(number == .min)
    #expect(isBlob == 1)
    let more = try select.step()
    #expect(!more)
  }

  @Test func lentBlobsAreForgotten() throws {
    let connection = try memory()
    var select = try connection.prepare("SELECT ?1 IS NULL, ?2 IS NULL, length(?1), length(?2)")
    let lengths = try select.lend(with: [1, 2], [3]) { (statement) throws(SQLiteError) in
      _ = try statement.step()
      return [statement.int64(2), statement.int64(3)]
    }
    #expect(lengths == [2, 1])
    let found = try select.step()
    #expect(found)
    let nulls = [select.int64(0), select.int64(1)]
    #expect(nulls == [1, 1])
  }

  @Test func errorsHaveCodes() throws {
    func code(_ body: () throws -> Void) -> SQLiteError.Code? {
      do {
        try body()
        return nil
      } catch {
        return (error as? SQLiteError)?.code
      }
    }
    #expect(code { _ = try Connection(path: "/nowhere/x", exclusive: false) } == .inputOutput)
    #expect(code { try memory().execute("SELEC") } == .other)
    #expect(code { _ = try memory().prepare("SELECT * FROM missing") } == .other)
    #expect(
      code {
        let connection = try memory()
        try connection.execute("PRAGMA max_page_count = 3; BEGIN")
        try connection.execute("INSERT INTO t VALUES (x'00', zeroblob(100000))")
      } == .full)
  }

  @Test func checkpointOfAnotherConnectionMovesPages() throws {
    let path = NSTemporaryDirectory() + "hibachi-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let writer = try Connection(path: path, exclusive: true)
    try writer.execute("PRAGMA journal_mode = WAL; CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    let pages = writer.logPages
    #expect(pages > 0)
    let other = try Connection(path: path, exclusive: true)
    let left = try other.checkpoint(.passive)
    #expect(left.logPages == pages && left.movedPages == pages)
    _ = try writer.checkpoint(.truncate)
    #expect(writer.logPages == 0)
  }

  @Test func notADatabase() throws {
    let path = NSTemporaryDirectory() + "hibachi-\(UUID().uuidString)"
    try String(repeating: "no database ", count: 500).write(
      toFile: path, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let error = #expect(throws: SQLiteError.self) {
      let connection = try Connection(path: path, exclusive: true)
      try connection.execute("SELECT * FROM sqlite_schema")
    }
    #expect(error?.code == .corrupt)
  }

  @Test func threadsReceiveInOrder() async {
    let mailbox = Mailbox<Int>()
    let received: [Int] = await withCheckedContinuation { continuation in
      let started = startThread {
        var all: [Int] = []
        while let some = mailbox.receive() { all += some }
        continuation.resume(returning: all)
      }
      #expect(started)
      for number in 0..<10_000 where !mailbox.send(number) { Issue.record("refused") }
      mailbox.close()
      #expect(!mailbox.send(1))
    }
    #expect(received == Array(0..<10_000))
  }
}
