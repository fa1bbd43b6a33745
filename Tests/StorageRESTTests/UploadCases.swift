import Foundation
import Testing

/// Uploads in one request.
enum UploadCases {
  static let all: [AcceptanceCase] = forms + refusals + names

  private static let forms = [
    AcceptanceCase(1, "the banner") { (storage) async throws in
      let answer = try await storage.send("GET", "/v0/")
      #expect(answer.status == 200 && answer.text == #"{"emulator":"storage"}"#)
    },
    AcceptanceCase(2, "multipart: every member of the metadata") { (storage) async throws in
      let answer = try await storage.put(
        "a/b.txt", Sample.hello, #"{"contentType":"text/plain","metadata":{"k":"v"}}"#)
      #expect(answer.status == 200, "\(answer.text)")
      let expected = [
        "name": "a/b.txt", "bucket": "bkt", "size": "5", "contentType": "text/plain",
        "md5Hash": Sample.md5, "crc32c": Sample.crc32c, "metageneration": "1",
        "storageClass": "STANDARD", "contentEncoding": "identity", "contentDisposition": "inline",
      ]
      for (member, value) in expected { #expect(answer.text(member) == value, "\(member)") }
      #expect(answer.json["metadata"] as? [String: String] == ["k": "v"])
      #expect(UUID(uuidString: answer.text("downloadTokens") ?? "") != nil)
      let time = try #require(answer.text("timeCreated"))
      #expect(time.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil)
      #expect(answer.text("updated") == time)
      #expect((Int(answer.text("generation") ?? "") ?? 0) > 1_000_000_000_000_000)
      // 08 generation 10 metageneration
      let etag = try #require(Data(base64Encoded: answer.text("etag") ?? ""))
      #expect(etag.first == 8 && etag.suffix(2) == Data([0x10, 1]))
    },
    AcceptanceCase(3, "multipart: quoted boundaries, and lines that end in LF") {
      (storage) async throws in
      for type in [#"boundary="123""#, "boundary='123'", "charset=utf-8; Boundary=123"] {
        let answer = try await storage.put("q", type: "multipart/related; \(type)")
        #expect(answer.status == 200, "\(type): \(answer.text)")
      }
      for last in ["", "\n", "\r\n", "\r\nepilogue"] {
        let answer = try await storage.put("l", Array("a\n--12\r\n".utf8), end: "\n", last: last)
        #expect(answer.status == 200, "\(answer.text)")
        #expect(try await storage.get("l").text == "a\n--12\r\n")
      }
    },
    AcceptanceCase(8, "media: the body is the content") { (storage) async throws in
      let answer = try await storage.send(
        "POST", storage.path(nil, "?name=raw"), [("Content-Type", "image/png")], [1, 2, 3, 4])
      #expect(answer.text("contentType") == "image/png" && answer.text("size") == "4")
    },
    AcceptanceCase(9, "an empty object") { (storage) async throws in
      let answer = try await storage.put("empty", [])
      #expect(answer.text("size") == "0" && answer.text("crc32c") == "AAAAAA==")
      #expect(answer.text("md5Hash") == "1B2M2Y8AsgTpgAmY7PhCfg==")
      let content = try await storage.get("empty")
      #expect(
        content.status == 200 && content.value("Content-Length") == "0" && content.body.isEmpty)
    },
    AcceptanceCase(11, "no limit: 200 MB in one request") { (storage) async throws in
      let piece = [UInt8](repeating: 7, count: 4 << 20)
      let head =
        "POST \(storage.path(nil, "?name=big")) HTTP/1.1\r\nHost: \(storage.host)\r\n"
        + "Content-Length: \(50 * piece.count)\r\n\r\n"
      try await storage.client.send(Array(head.utf8))
      for _ in 0..<50 { try await storage.client.send(piece) }
      let answer = try await storage.client.answer()
      #expect(answer.status == 200 && answer.text("size") == String(50 * piece.count))
    },
    AcceptanceCase(12, "JSON that is none, as content") { (storage) async throws in
      let content = [UInt8](repeating: UInt8(ascii: "{"), count: 1_000_000)
      let answer = try await storage.send(
        "POST", storage.path(nil, "?name=j.json"), [("Content-Type", "application/json")], content)
      #expect(answer.status == 200)
      #expect(try await storage.get("j.json").body == content)
    },
    AcceptanceCase(13, "the metadata comes back") { (storage) async throws in
      let uploaded = try await storage.put("a/b.txt")
      #expect(try await storage.metadata("a/b.txt").body == uploaded.body)
    },
  ]

  private static let refusals = [
    AcceptanceCase(4, "multipart: one part only") { (storage) async throws in
      let answer = try await storage.send(
        "POST", storage.path(nil, "?name=x"),
        [
          ("X-Goog-Upload-Protocol", "multipart"),
          ("Content-Type", "multipart/related; boundary=b"),
        ],
        Array("--b\r\nContent-Type: application/json\r\n\r\n{}\r\n--b--".utf8))
      #expect(answer.status == 400)
      #expect(answer.message == "Unexpected number of parts in request body")
    },
    AcceptanceCase(5, "multipart: another content type") { (storage) async throws in
      let answer = try await storage.put("x", type: "text/plain")
      #expect(answer.status == 400 && answer.message == "Bad content type. text/plain")
    },
    AcceptanceCase(6, "multipart: a part without a content type") { (storage) async throws in
      let answer = try await storage.send(
        "POST", storage.path(nil, "?name=x"),
        [
          ("X-Goog-Upload-Protocol", "multipart"),
          ("Content-Type", "multipart/related; boundary=b"),
        ],
        Array("--b\r\nX: y\r\n\r\n{}\r\n--b\r\nContent-Type: a/b\r\n\r\nx\r\n--b--".utf8))
      #expect(answer.status == 400)
      #expect(
        answer.message
          == "Failed to parse multipart request body part. Missing content type.")
    },
    AcceptanceCase(7, "no name") { (storage) async throws in
      let answer = try await storage.send("POST", storage.path(), [], [1])
      #expect(answer.status == 400 && answer.message == "Bad Request")
    },
    AcceptanceCase(10, "other bytes than announced leave nothing") { (storage) async throws in
      let wrong = #"{"md5Hash":"1B2M2Y8AsgTpgAmY7PhCfg=="}"#
      #expect(try await storage.put("x", Sample.hello, wrong).status == 400)
      #expect(try await storage.metadata("x").status == 404)
      for hash in ["crc32c=AAAAAA==", "md5=\(Sample.md5), crc32c=AAAAAA==", "md5=x"] {
        let answer = try await storage.send(
          "POST", storage.path(nil, "?name=x"), [("x-goog-hash", hash)], Sample.hello)
        #expect(answer.status == 400, "\(hash)")
      }
      #expect(try await storage.metadata("x").status == 404)
      let right = [
        ("x-goog-hash", "crc32c=\(Sample.crc32c)"), ("X-Goog-Hash", "md5=\(Sample.md5)"),
        ("Content-MD5", Sample.md5),
      ]
      let answer = try await storage.send(
        "POST", storage.path(nil, "?name=x"), right, Sample.hello)
      #expect(answer.status == 200)
    },
    AcceptanceCase(14, "what is missing") { (storage) async throws in
      for query in ["", "?alt=media"] {
        let answer = try await storage.send("GET", storage.path("missing", query))
        #expect(answer.status == 404)
        #expect(answer.text == #"{"error":{"code":404,"message":"Not Found."}}"#)
      }
    },
  ]

  /// Names that are easily mistaken for others or for paths, each for itself.
  static let oddNames = [
    " sp ace", "a+b", "a b", "a%2Bb", "日本", "한국어/사진 1.jpg", "한국어", "a/../b", "../x", "./x",
    "a/./b", "q?#&=;", "x'()*!~", "nul\0name", "caf\u{e9}", "cafe\u{301}", "%", "%2F",
    "a/copyTo/b/c/o/d",
    "a\\b", "\u{1f600}", "\"quoted\"", String(repeating: "x", count: 1024),
    String(repeating: "é", count: 512), "C:", "COM1", "o", ".x",
  ]

  private static let names = [
    AcceptanceCase(15, "names in any script, and such as look like paths") {
      (storage) async throws in
      for name in oddNames {
        let answer = try await storage.put(name, Array(name.utf8))
        #expect(answer.status == 200 && answer.text("name")?.utf8.elementsEqual(name.utf8) == true)
      }
      for name in oddNames {
        #expect(try await storage.get(name).body == Array(name.utf8))
        #expect(
          try await storage.metadata(name).text("name")?.utf8.elementsEqual(name.utf8) == true)
      }
      let listed = try await storage.send("GET", storage.path()).names.map { Array($0.utf8) }
      let sorted = oddNames.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
      #expect(listed == sorted)
      for name in oddNames {
        #expect(try await storage.send("DELETE", storage.path(name)).status == 204)
        #expect(try await storage.metadata(name).status == 404)
      }
      #expect(try await storage.send("GET", storage.path()).names.isEmpty)
    },
    AcceptanceCase(15, "names with empty segments") { (storage) async throws in
      for name in ["a//b", "/a", "a/", "//", "/"] {
        #expect(try await storage.put(name, Array(name.utf8)).status == 200, "\(name)")
      }
      for name in ["a//b", "/a", "a/", "//", "/"] {
        #expect(try await storage.get(name).body == Array(name.utf8))
      }
      #expect(try await storage.send("GET", storage.path()).names == ["/a"])
    },
    AcceptanceCase(15, "names that no object can have") { (storage) async throws in
      let names = [
        ".", "..", "a\nb", "a\rb", String(repeating: "x", count: 1025),
        String(repeating: "é", count: 513), ".well-known/acme-challenge/x",
      ]
      for name in names {
        #expect(try await storage.put(name).status == 400, "\(name.prefix(40))")
        #expect(try await storage.send("GET", storage.path(name)).status == 400)
      }
      for target in ["/v0/b/bkt/o/%ff", "/v0/b/bkt/o/%f", "/v0/b/bkt/o/x?name=%C0%80"] {
        #expect(try await storage.send("GET", target).status == 400, "\(target)")
      }
    },
    AcceptanceCase(15, "slashes that are not escaped, and a plus that is none") {
      (storage) async throws in
      try await storage.put("a/b c")
      #expect(try await storage.send("GET", "/v0/b/bkt/o/a/b%20c").status == 200)
      let answer = try await storage.send(
        "POST", storage.path(nil, "?name=p+q%2Br"), [], Sample.hello)
      #expect(answer.text("name") == "p q+r")
      #expect(try await storage.send("GET", "/v0/b/bkt/o/p%20q+r").status == 200)
    },
  ]
}
