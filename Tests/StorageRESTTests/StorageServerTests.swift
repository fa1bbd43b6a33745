import Compression
import Foundation
import Hibachi
import HibachiTesting
import Testing

/// What several clients do at once, and what they break off.
@Suite struct StorageServerTests {
  @Test("of fifty that make the same object, one does")
  func onlyOne() async throws {
    try await withStorage { (storage) async throws in
      let clients = try (0..<50).map { _ in try storage.another() }
      let statuses = try await withThrowingTaskGroup(of: Int.self) { tasks in
        for client in clients {
          tasks.addTask {
            let path = client.path(nil, "?name=a&ifGenerationMatch=0")
            return try await client.send("POST", path, [], Sample.hello).status
          }
        }
        return try await tasks.reduce(into: []) { $0.append($1) }
      }
      #expect(statuses.filter { $0 == 200 }.count == 1)
      #expect(statuses.filter { $0 == 412 }.count == 49)
    }
  }

  @Test("who reads an old generation reads it to its end", arguments: ["DELETE", "POST"])
  func oldGeneration(method: String) async throws {
    let folder = try TemporaryFolder()
    let content = Sample.bytes(30 << 20)
    try await withStorage {
      $0.storage = .folder(folder.path, .full)
    } _: { (storage) async throws in
      try await storage.put("big", content)
      let reader = try storage.another()
      let request = "GET \(storage.path("big", "?alt=media")) HTTP/1.1\r\nHost: x\r\n\r\n"
      try await reader.client.send(Array(request.utf8))
      let (status, start) = try await reader.client.head()
      #expect(status == 200)
      if method == "POST" {
        try await storage.put("big", Sample.hello)
      } else {
        try await storage.send("DELETE", storage.path("big"))
      }
      let files = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/objects")
      #expect(files.count == (method == "POST" ? 1 : 0))
      #expect(try await start + reader.client.rest(content.count - start.count) == content)
      #expect(try await storage.get("big").status == (method == "POST" ? 200 : 404))
    }
  }

  @Test("big downloads, whole and in part, to clients that read slowly")
  func bigDownloads() async throws {
    let content = Sample.bytes(20 << 20)
    try await withStorage { (storage) async throws in
      try await storage.put("big", content)
      for _ in 0..<2 { #expect(try await storage.get("big").body == content) }
      let part = try await storage.get("big", [("Range", "bytes=1000001-9000000")])
      #expect(part.status == 206 && part.body == Array(content[1_000_001...9_000_000]))
      // It asks again before it has read the first answer.
      let request = "GET \(storage.path("big", "?alt=media")) HTTP/1.1\r\nHost: x\r\n\r\n"
      try await storage.client.send(Array((request + request).utf8))
      for _ in 0..<2 {
        let answer = try await storage.client.answer()
        #expect(answer.status == 200 && answer.body == content)
      }
    }
  }

  @Test("a download that is broken off ends, and others go on")
  func brokenDownload() async throws {
    try await withStorage { (storage) async throws in
      try await storage.put("big", Sample.bytes(20 << 20))
      for _ in 0..<20 {
        let reader = try storage.another()
        let request = "GET \(storage.path("big", "?alt=media")) HTTP/1.1\r\nHost: x\r\n\r\n"
        try await reader.client.send(Array(request.utf8))
        #expect(try await reader.client.head().status == 200)
      }
      #expect(try await storage.get("big", [("Range", "bytes=0-4")]).body.count == 5)
    }
  }

  @Test("an upload that is broken off leaves nothing, a resumable one what came")
  func brokenUpload() async throws {
    let folder = try TemporaryFolder()
    try await withStorage {
      $0.storage = .folder(folder.path, .normal)
    } _: { (storage) async throws in
      let head = "HTTP/1.1\r\nHost: x\r\nContent-Length: 9000000\r\n"
      do {
        let sender = try storage.another()
        try await sender.client.send(
          Array("POST \(storage.path(nil, "?name=a")) \(head)\r\n".utf8) + Sample.bytes(2_000_000))
      }
      let upload = try await storage.start("r")
      do {
        let sender = try storage.another()
        let command = "X-Goog-Upload-Command: upload, finalize\r\n"
        try await sender.client.send(
          Array("PUT \(upload.target) \(head)\(command)\r\n".utf8) + Sample.bytes(2_000_000))
      }
      var received = 0
      repeat {
        received = Int(try await upload("query").received ?? "") ?? 0
      } while received < 2_000_000
      let rest = Array(Sample.bytes(3_000_000).dropFirst(received))
      let last = try await upload("upload, finalize", rest, at: received)
      #expect(last.status == 200 && last.text("size") == "3000000")
      #expect(try await storage.get("r").body == Sample.bytes(3_000_000))
      #expect(try await storage.metadata("a").status == 404)
      let uploads = folder.path + "/uploads"
      while try !FileManager.default.contentsOfDirectory(atPath: uploads).isEmpty {
        #expect(try await storage.send("GET", "/v0/").status == 200)
      }
    }
  }

  @Test("a chunk that another one overtakes is told how far the upload is")
  func overtaken() async throws {
    try await withStorage { (storage) async throws in
      let upload = try await storage.start("r")
      let slow = try storage.another()
      let head =
        "PUT \(upload.target) HTTP/1.1\r\nHost: x\r\nContent-Length: 4000000\r\n"
        + "X-Goog-Upload-Command: upload, finalize\r\n\r\n"
      let content = Sample.bytes(4_000_000)
      try await slow.client.send(Array(head.utf8) + content.prefix(1_000_000))
      while try await upload("query").received == "0" {}
      let last = try await upload("upload, finalize", content, at: 0)
      #expect(last.status == 200 && last.text("size") == "4000000")
      try await slow.client.send(Array(content.dropFirst(1_000_000)))
      let answer = try await slow.client.answer()
      #expect(answer.status == 400 && answer.uploadStatus == "final")
      #expect(try await storage.get("r").body == content)
    }
  }

  @Test("big gzip to clients that take none")
  func bigGzip() async throws {
    let content = Array(String(repeating: "The quick brown fox. ", count: 300_000).utf8)
    let noise = Sample.bytes(3_000_000)
    try await withStorage { (storage) async throws in
      // Two members, one of them short for what it stands for and one not.
      let stored = GzipDeflater.deflate(content) + GzipDeflater.deflate(noise)
      try await storage.put("z", stored, #"{"contentEncoding":"gzip"}"#)
      #expect(try await storage.get("z").body == content + noise)
      #expect(try await storage.get("z", [("Accept-Encoding", "gzip")]).body == stored)
      // Broken behind what was sent already: the connection ends before the answer does.
      try await storage.put("y", Array(stored.dropLast(100)), #"{"contentEncoding":"gzip"}"#)
      let reader = try storage.another()
      await #expect(throws: (any Error).self) { try await reader.get("y") }
      #expect(try await storage.get("z").body.count == content.count + noise.count)
    }
  }

  @Test("what is sent before it is refused is read, so that the answer arrives")
  func refusedBody() async throws {
    try await withStorage { (storage) async throws in
      let body = [UInt8](repeating: 1, count: 8 << 20)
      let answer = try await storage.send("POST", storage.path(), [], body)
      #expect(answer.status == 400)
      #expect(try await storage.send("GET", "/v0/").status == 200)
      let expecting = [("Expect", "100-continue"), ("Content-Length", "\(body.count)")]
      let refused = try await storage.another().send("POST", storage.path(), expecting)
      #expect(refused.status == 400)
      let accepted = try await storage.send(
        "POST", storage.path(nil, "?name=e"), [("Expect", "100-continue")], body)
      #expect(accepted.status == 200)
    }
  }

  @Test("a body in chunks")
  func chunks() async throws {
    try await withStorage { (storage) async throws in
      let content = Sample.bytes(300_000)
      var body: [UInt8] = []
      for start in stride(from: 0, to: content.count, by: 70_000) {
        let piece = content[start..<min(start + 70_000, content.count)]
        body += Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + [13, 10]
      }
      let answer = try await storage.send(
        "POST", storage.path(nil, "?name=c"), [("Transfer-Encoding", "chunked")],
        body + Array("0\r\n\r\n".utf8))
      #expect(answer.text("size") == "300000")
      #expect(try await storage.get("c").body == content)
    }
  }

  @Test("Firestore alone")
  func noStorage() async throws {
    let folder = try TemporaryFolder()
    var configuration = HibachiConfiguration()
    configuration.port = 0
    configuration.storagePort = nil
    configuration.storage = .folder(folder.path, .normal)
    let emulator = Emulator(configuration)
    try await emulator.start()
    #expect(emulator.storagePort == 0 && emulator.storageAddress.isEmpty)
    let client = try RawClient(port: emulator.port)
    #expect(try await client.exchange("GET", "/", [("Host", "x")], []).status == 200)
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/objects"))
    await emulator.stop()
  }

  @Test("a storage port that is taken is named")
  func portTaken() async throws {
    try await withStorage { (storage) async throws in
      var configuration = HibachiConfiguration()
      configuration.port = 0
      configuration.storagePort = storage.emulator.storagePort
      let error = await #expect(throws: EmulatorError.self) {
        try await Emulator(configuration).start()
      }
      #expect(error?.code == .portTaken)
      #expect(
        error?.description.hasPrefix(
          "Port \(storage.emulator.storagePort) of 127.0.0.1 is already in use") == true)
    }
  }
}
