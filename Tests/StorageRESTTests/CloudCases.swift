import Foundation
import Testing

/// The JSON API of Cloud Storage.
enum CloudCases {
  static let all: [AcceptanceCase] = buckets + uploads + resumable + conditions + copies + more

  private static let buckets = [
    AcceptanceCase(73, "a bucket, and the same again") { (storage) async throws in
      let made = try await storage.makeBucket()
      #expect(made.status == 200 && made.text("kind") == "storage#bucket")
      #expect(made.text("location") == "US")
      let again = try await storage.makeBucket()
      #expect(again.status == 409 && again.reason == "conflict")
    },
    AcceptanceCase(74, "a bucket that is not there") { (storage) async throws in
      for path in ["/storage/v1/b/none", "/b/none"] {
        let answer = try await storage.send("GET", path)
        #expect(answer.status == 404 && answer.reason == "notFound")
      }
    },
    AcceptanceCase(102, "a bucket with objects stays") { (storage) async throws in
      try await storage.makeBucket()
      try await storage.insert("o")
      #expect(try await storage.api("DELETE", "b/bkt2").status == 409)
      try await storage.api("DELETE", storage.object("o"))
      #expect(try await storage.api("DELETE", "b/bkt2").status == 204)
    },
    AcceptanceCase(105, "JSON whatever its type says") { (storage) async throws in
      let answer = try await storage.api(
        "POST", "b?project=p", #"{"name":"form"}"#,
        [("Content-Type", "application/x-www-form-urlencoded")])
      #expect(answer.status == 200)
    },
  ]

  private static let uploads = [
    AcceptanceCase(75, "bytes alone") { (storage) async throws in
      try await storage.makeBucket()
      let answer = try await storage.insert("o")
      let generation = answer.text("generation") ?? ""
      #expect(answer.status == 200 && answer.text("kind") == "storage#object")
      #expect(answer.text("id") == "bkt2/o/\(generation)")
      #expect(
        answer.text("mediaLink")?.hasPrefix(
          "http://\(storage.host)/download/storage/v1/b/bkt2/o/o?generation=") ?? false)
    },
    AcceptanceCase(76, "a name in the metadata, a boundary in quotes") { (storage) async throws in
      try await storage.makeBucket()
      let answer = try await storage.insertMultipart(#"{"name":"o"}"#)
      #expect(answer.status == 200 && answer.text("name") == "o")
    },
    AcceptanceCase(77, "another hash than that of the content") { (storage) async throws in
      try await storage.makeBucket()
      let answer = try await storage.insertMultipart(
        #"{"name":"o","md5Hash":"1B2M2Y8AsgTpgAmY7PhCfg=="}"#)
      #expect(answer.status == 400 && answer.reason == "invalid")
      #expect(try await storage.api("GET", storage.object("o")).status == 404)
    },
    AcceptanceCase(105, "a request that is compressed") { (storage) async throws in
      try await storage.makeBucket()
      // `--b CRLF CRLF {"name":"o"} CRLF --b …`, compressed by zlib.
      let body = gzip(
        "--b\r\nContent-Type: application/json\r\n\r\n{\"name\":\"o\"}\r\n--b\r\n"
          + "Content-Type: text/plain\r\n\r\nhello\r\n--b--\r\n")
      let answer = try await storage.send(
        "POST", "/upload/storage/v1/b/bkt2/o?uploadType=multipart",
        [("Content-Type", "multipart/related; boundary=b"), ("Content-Encoding", "gzip")], body)
      #expect(answer.status == 200 && answer.json["contentEncoding"] == nil)
      let content = try await storage.api("GET", storage.object("o", "?alt=media"))
      #expect(content.text == "hello")
    },
  ]

  private static let resumable = [
    AcceptanceCase(78, "a start") { (storage) async throws in
      try await storage.makeBucket()
      let start = try await storage.begin("r").start
      #expect(start.status == 200 && start.body.isEmpty)
      #expect(
        start["Location"]?.hasPrefix("http://\(storage.host)/upload/storage/v1/b/bkt2/o?")
          ?? false)
    },
    AcceptanceCase(79, "chunks of a size that is not known yet") { (storage) async throws in
      try await storage.makeBucket()
      let upload = try await storage.begin("r")
      #expect(try await upload("*/*")["Range"] == nil)  // 80
      let first = try await upload("0-262143/*", Sample.bytes(262_144))
      #expect(first.status == 308 && first["Range"] == "bytes=0-262143")
      #expect(first["Location"] == nil)
      let query = try await upload("*/*")  // 80
      #expect(query.status == 308 && query["Range"] == "bytes=0-262143")
      let last = try await upload("262144-262146/262147", [1, 2, 3])  // 81
      #expect(last.status == 200 && last.text("size") == "262147")
      let again = try await upload("*/262147")  // 82
      #expect(again.status == 200 && again.text("generation") == last.text("generation"))
    },
    AcceptanceCase(83, "a stream to its end, and nothing at all") { (storage) async throws in
      try await storage.makeBucket()
      let whole = try await storage.begin("r")("0-*/*", Sample.hello)
      #expect(whole.status == 200 && whole.text("size") == "5")
      let empty = try await storage.begin("e")("*/0")  // 84
      #expect(empty.status == 200 && empty.text("size") == "0")
    },
    AcceptanceCase(85, "a client that wants no 308") { (storage) async throws in
      try await storage.makeBucket()
      let answer = try await storage.begin("r")(
        "0-4/*", Sample.hello, [("X-GUploader-No-308", "yes")])
      #expect(answer.status == 200 && answer["X-HTTP-Status-Code-Override"] == "308")
      #expect(answer["Range"] == "bytes=0-4")
    },
    AcceptanceCase(86, "ranges that are none") { (storage) async throws in
      try await storage.makeBucket()
      let upload = try await storage.begin("r")
      for range in ["x", "1-0/5", "a-b/c", "0-4"] {
        #expect(try await upload(range, [1]).status == 400, "\(range)")
      }
    },
    AcceptanceCase(87, "an upload that is given up") { (storage) async throws in
      try await storage.makeBucket()
      let upload = try await storage.begin("r")
      #expect(try await upload(nil, method: "DELETE").status == 499)
      #expect(try await upload("0-4/5", Sample.hello).status == 499)
      #expect(try await upload(nil, method: "DELETE").status == 404)
    },
  ]

  private static let conditions = [
    AcceptanceCase(88, "only if it is new") { (storage) async throws in
      try await storage.makeBucket()
      try await storage.insert("o")
      let media = try await storage.insert("o", Sample.hello, "&ifGenerationMatch=0")
      #expect(media.status == 412 && media.reason == "conditionNotMet")
      let upload = try await storage.begin("o", "&ifGenerationMatch=0")
      #expect(upload.start.status == 412)
      let later = try await storage.begin("p", "&ifGenerationMatch=0")
      try await storage.insert("p")
      #expect(try await later("0-4/5", Sample.hello).status == 412)
    },
    AcceptanceCase(89, "of many at once, one") { (storage) async throws in
      try await storage.makeBucket()
      let clients = try (0..<50).map { _ in try storage.another() }
      let statuses = try await withThrowingTaskGroup(of: Int.self) { tasks in
        for client in clients {
          tasks.addTask { try await client.insert("o", [1], "&ifGenerationMatch=0").status }
        }
        return try await tasks.reduce(into: []) { $0.append($1) }
      }
      #expect(statuses.filter { $0 == 200 }.count == 1)
      #expect(statuses.filter { $0 == 412 }.count == 49)
    },
    AcceptanceCase(90, "reads and changes with conditions") { (storage) async throws in
      try await storage.makeBucket()
      let generation = try await storage.insert("o").text("generation") ?? ""
      let same = try await storage.api(
        "GET", storage.object("o", "?ifGenerationNotMatch=\(generation)"))
      #expect(same.status == 304)
      let patch = try await storage.api(
        "PATCH", storage.object("o", "?ifMetagenerationMatch=99"), "{}")  // 91
      #expect(patch.status == 412)
      // 92
      #expect(try await storage.api("GET", storage.object("o", "?generation=1")).status == 404)
    },
  ]

  private static let copies = [
    AcceptanceCase(93, "copies") { (storage) async throws in
      try await storage.makeBucket()
      _ = try await storage.insertMultipart(
        #"{"name":"o","contentType":"a/b","metadata":{"k":"v","firebaseStorageDownloadTokens":"t"}}"#
      )
      let copy = try await storage.api("POST", storage.object("o", "/copyTo/b/bkt2/o/c"))
      #expect(copy.status == 200 && copy.text("kind") == "storage#object")
      let rewrite = try await storage.api("POST", storage.object("o", "/rewriteTo/b/bkt2/o/r"))
      #expect(rewrite.text("kind") == "storage#rewriteResponse")
      #expect(rewrite.json["done"] as? Bool == true && rewrite.json["rewriteToken"] == nil)
      let resource = try #require(rewrite.json["resource"] as? [String: Any])
      for object in [copy.json, resource] {
        #expect(object["contentType"] as? String == "a/b")
        #expect(
          object["metadata"] as? [String: String]
            == ["k": "v", "firebaseStorageDownloadTokens": "t"])
      }
    },
    AcceptanceCase(94, "a copy in several calls") { (storage) async throws in
      try await storage.makeBucket()
      try await storage.insert("o", Sample.bytes(3 << 20))
      let path = storage.object("o", "/rewriteTo/b/bkt2/o/r?maxBytesRewrittenPerCall=1048576")
      var token = ""
      for call in 1...3 {
        let answer = try await storage.api(
          "POST", path + (token.isEmpty ? "" : "&rewriteToken=\(token)"))
        #expect(answer.json["done"] as? Bool == (call == 3))
        #expect(answer.text("totalBytesRewritten") == "\(call << 20)")
        token = answer.text("rewriteToken") ?? ""
      }
    },
    AcceptanceCase(95, "one of two") { (storage) async throws in
      try await storage.makeBucket()
      try await storage.insert("a")
      try await storage.insert("b", Array(" world".utf8))
      let answer = try await storage.api(
        "POST", storage.object("c", "/compose"), #"{"sourceObjects":[{"name":"a"},{"name":"b"}]}"#)
      #expect(answer.status == 200 && answer.text("crc32c") == "yZRlqg==")
      #expect(answer.json["md5Hash"] == nil && answer.text("size") == "11")
      #expect(answer.json["componentCount"] as? Int == 2)
      let missing = try await storage.api(
        "POST", storage.object("d", "/compose"), #"{"sourceObjects":[{"name":"x"}]}"#)  // 96
      #expect(missing.status == 404)
    },
  ]

  private static let more = [
    AcceptanceCase(97, "lists with prefixes and delimiters") { (storage) async throws in
      try await storage.makeBucket()
      let (p, p1, p2) = ("prefix", "prefix/1.txt", "prefix/2.txt")
      let (pd, t) = ("prefix/dir/file.txt", "testing/shoveler.svg")
      for name in [p, p1, p2, pd, t] { try await storage.insert(name) }
      let table: [(String, String, [String], [String]?)] = [
        ("", "", [p, p1, p2, pd, t], nil), (p, "", [p, p1, p2, pd], nil),
        ("", "/", [p], ["prefix/", "testing/"]), ("", "dir", [p, p1, p2, t], ["prefix/dir"]),
        ("p", "p", [p, p1, p2, pd], nil), ("t", "t", [], ["test"]),
        ("p", "t", [p], ["prefix/1.t", "prefix/2.t", "prefix/dir/file.t"]),
        ("prefix/", "/", [p1, p2], ["prefix/dir/"]), ("prefix/", "", [p1, p2, pd], nil),
        ("testing/", "", [t], nil), ("blah/", "", [], nil), ("pref", "i", [], ["prefi"]),
        ("prefi", "i", [p, p1, p2], ["prefix/di"]),
      ]
      for (prefix, delimiter, items, prefixes) in table {
        let answer = try await storage.api(
          "GET", "b/bkt2/o?prefix=\(prefix)&delimiter=\(delimiter)")
        #expect(answer.names == items && answer.prefixes == prefixes, "\(prefix) \(delimiter)")
      }
      let page = try await storage.api("GET", "b/bkt2/o?maxResults=3")
      #expect(page.names == [p, p1, p2])
      let token = page.text("nextPageToken") ?? ""
      let next = try await storage.api("GET", "b/bkt2/o?maxResults=3&pageToken=\(token)")
      #expect(next.names == [pd, t] && next.json["nextPageToken"] == nil)
    },
    AcceptanceCase(98, "lists from and to a name, and parts of answers") { (storage) async throws in
      try await storage.makeBucket()
      for name in ["a", "b", "c", "d"] { try await storage.insert(name) }
      #expect(
        try await storage.api("GET", "b/bkt2/o?startOffset=b&endOffset=d").names == ["b", "c"])
      let part = try await storage.api(
        "GET", "b/bkt2/o?maxResults=2&fields=items(name),nextPageToken")  // 99
      #expect(Set(part.json.keys) == ["items", "nextPageToken"])
      #expect(part.items.allSatisfy { Set($0.keys) == ["name"] })
    },
    AcceptanceCase(100, "patterns") { (storage) async throws in
      try await storage.makeBucket()
      for name in ["a/b.txt", "a/c/d.txt", "e.md"] { try await storage.insert(name) }
      let deep = try await storage.api("GET", "b/bkt2/o?matchGlob=**%2F*.txt")
      #expect(deep.names == ["a/b.txt", "a/c/d.txt"])
      let shallow = try await storage.api("GET", "b/bkt2/o?matchGlob=a%2F*.txt")
      #expect(shallow.names == ["a/b.txt"])
    },
    AcceptanceCase(101, "generations") { (storage) async throws in
      try await storage.makeBucket(#""versioning":{"enabled":true}"#)
      let first = try await storage.insert("o")
      let second = try await storage.insert("o", [1])
      let items = try await storage.api("GET", "b/bkt2/o?versions=true").items
      #expect(
        items.map { $0["generation"] as? String }
          == [first.text("generation"), second.text("generation")])
      #expect(items.map { $0["timeDeleted"] != nil } == [true, false])
      let old = storage.object("o", "?alt=media&generation=\(first.text("generation") ?? "")")
      #expect(try await storage.api("GET", old).text == "hello")
    },
    AcceptanceCase(103, "who may read") { (storage) async throws in
      try await storage.makeBucket()
      try await storage.insert("o")
      let answer = try await storage.send(
        "POST", "/b/bkt2/o/o/acl", [], Array(#"{"entity":"allUsers","role":"READER"}"#.utf8))
      #expect(answer.status == 200 && answer.text("kind") == "storage#objectAccessControl")
      let list = try await storage.api("GET", storage.object("o", "/acl"))
      #expect(list.items.contains { $0["entity"] as? String == "allUsers" })
      #expect(try await storage.api("DELETE", storage.object("o", "/acl/allUsers")).status == 204)
      #expect(try await storage.api("GET", storage.object("o", "/acl/allUsers")).status == 404)
    },
    AcceptanceCase(104, "two calls in one") { (storage) async throws in
      try await storage.makeBucket()
      try await storage.insert("o")
      let parts = ["o", "none"].enumerated().map { index, name in
        "--b\r\nContent-Type: application/http\r\nContent-ID: <x+\(index)>\r\n\r\n"
          + "DELETE /storage/v1/b/bkt2/o/\(name) HTTP/1.1\r\n\r\n\r\n"
      }
      let answer = try await storage.send(
        "POST", "/batch/storage/v1", [("Content-Type", "multipart/mixed; boundary=\"b\"")],
        Array((parts.joined() + "--b--\r\n").utf8))
      #expect(answer.status == 200)
      let statuses = answer.text.components(separatedBy: "HTTP/1.1 ").dropFirst()
        .map { $0.prefix(3) }
      #expect(statuses == ["204", "404"])
    },
    AcceptanceCase(105, "an object that is held") { (storage) async throws in
      try await storage.makeBucket()
      try await storage.insert("o")
      try await storage.api("PATCH", storage.object("o"), #"{"temporaryHold":true}"#)
      let answer = try await storage.api("DELETE", storage.object("o"))
      #expect(answer.status == 403 && answer.reason == "forbidden")
    },
    AcceptanceCase(105, "a key of the customer's") { (storage) async throws in
      try await storage.makeBucket()
      let key = [
        ("x-goog-encryption-algorithm", "AES256"),
        ("x-goog-encryption-key", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="),
        ("x-goog-encryption-key-sha256", "Zmh6rfhivXdsj8GLjp+OIAiXFIVu4jOzkCpZHQ1fKSU="),
      ]
      let made = try await storage.insert("o", Sample.hello, "", key)
      #expect(made.status == 200 && made.text("md5Hash") == Sample.md5)
      let media = storage.object("o", "?alt=media")
      let without = try await storage.api("GET", media)
      #expect(without.status == 400)
      #expect(without.reason == "resourceIsEncryptedWithCustomerEncryptionKey")
      #expect(try await storage.api("GET", media, "", key).text == "hello")
      let shown = try await storage.api("GET", storage.object("o"))
      #expect(shown.status == 200 && shown.json["md5Hash"] == nil && shown.json["crc32c"] == nil)
      let wrong = key.dropLast() + [("x-goog-encryption-key-sha256", "AAAA")]
      let refused = try await storage.insert("p", Sample.hello, "", Array(wrong))
      #expect(refused.status == 400 && refused.reason == "customerEncryptionKeySha256IsInvalid")
    },
  ]

  /// A text as gzip, in blocks that are stored as they are.
  private static func gzip(_ text: String) -> [UInt8] {
    let bytes = Array(text.utf8)
    var crc: UInt32 = 0xffff_ffff
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc >> 1 ^ (crc & 1 == 1 ? 0xedb8_8320 : 0) }
    }
    func little(_ number: UInt32, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * UInt32($0))) }
    }
    let size = UInt32(bytes.count)
    return [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 1] + little(size, 2) + little(~size, 2) + bytes
      + little(~crc, 4) + little(size, 4)
  }
}
