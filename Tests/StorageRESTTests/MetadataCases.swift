import Foundation
import Testing

/// Metadata, lists, deletion and pages of other origins.
enum MetadataCases {
  static let all: [AcceptanceCase] = changes + lists + origins

  private static let changes = [
    AcceptanceCase(58, "a change") { (storage) async throws in
      let before = try await storage.put("a", Sample.hello, #"{"metadata":{"k":"v"}}"#)
      let after = try await storage.patch("a", #"{"cacheControl":"no-store","metadata":{"a":"1"}}"#)
      #expect(after.status == 200 && after.text("metageneration") == "2")
      #expect(after.text("generation") == before.text("generation"))
      #expect(after.text("timeCreated") == before.text("timeCreated"))
      #expect(after.text("etag") != before.text("etag"))
      #expect(after.text("cacheControl") == "no-store" && after["Cache-Control"] == "no-store")
      #expect(after.json["metadata"] as? [String: String] == ["k": "v", "a": "1"])
      #expect(try await storage.get("a")["Cache-Control"] == "no-store")
    },
    AcceptanceCase(59, "null clears, and other values become text") { (storage) async throws in
      try await storage.put(
        "a", Sample.hello, #"{"cacheControl":"x","metadata":{"k":"v","a":"1"}}"#)
      let after = try await storage.patch(
        "a", #"{"cacheControl":null,"metadata":{"a":null,"b":2,"c":true,"d":{},"e":1.50}}"#)
      #expect(after.json["cacheControl"] == nil)
      #expect(
        after.json["metadata"] as? [String: String]
          == ["k": "v", "b": "2", "c": "true", "e": "1.50"])
      let type = try await storage.patch("a", #"{"contentType":null,"contentDisposition":null}"#)
      #expect(type.text("contentType") == "application/octet-stream")
      #expect(type.json["contentDisposition"] == nil)
    },
    AcceptanceCase(60, "members that clients may not write") { (storage) async throws in
      let before = try await storage.put("a")
      let after = try await storage.patch(
        "a",
        #"{"kind":null,"etag":null,"crc32c":null,"downloadTokens":null,"storageClass":null,"size":"9","name":"b","bucket":7}"#
      )
      #expect(after.status == 200)
      for member in ["downloadTokens", "size", "name", "bucket", "crc32c", "storageClass"] {
        #expect(after.text(member) == before.text(member), "\(member)")
      }
    },
    AcceptanceCase(61, "custom metadata go, tokens stay") { (storage) async throws in
      let before = try await storage.put("a", Sample.hello, #"{"metadata":{"k":"v"}}"#)
      let after = try await storage.patch("a", #"{"metadata":null}"#)
      #expect(after.json["metadata"] == nil)
      #expect(after.text("downloadTokens") == before.text("downloadTokens"))
    },
    AcceptanceCase(62, "PUT and POST that mean PATCH") { (storage) async throws in
      try await storage.put("a")
      for method in ["PUT", "POST"] {
        let answer = try await storage.send(
          method, storage.path("a"), [("X-HTTP-Method-Override", "PATCH")],
          Array(#"{"contentLanguage":"ko"}"#.utf8))
        #expect(answer.status == 200 && answer.text("contentLanguage") == "ko")
      }
      #expect(try await storage.get("a").text == "hello")
    },
    AcceptanceCase(62, "changes that are refused") { (storage) async throws in
      try await storage.put("a")
      for json in ["[]", "{", #"{"metadata":{"k":"\#(String(repeating: "x", count: 40_000))"}}"#] {
        #expect(try await storage.patch("a", json).status == 400)
      }
      let deep = String(repeating: "[", count: 100_000)
      #expect(try await storage.patch("a", #"{"x":\#(deep)"#).status == 400)
      #expect(try await storage.patch("none", "{}").status == 404)
      #expect(try await storage.metadata("a").text("metageneration") == "1")
    },
    AcceptanceCase(62, "conditions on generations") { (storage) async throws in
      let generation = try await storage.put("a").text("generation") ?? ""
      let cases = [
        ("ifGenerationMatch=\(generation)", 200), ("ifGenerationMatch=1", 412),
        ("ifGenerationNotMatch=\(generation)", 412), ("ifMetagenerationMatch=2", 200),
        ("ifMetagenerationMatch=2", 412), ("ifMetagenerationNotMatch=3", 412),
        ("ifMetagenerationNotMatch=2", 200), ("ifGenerationMatch=x", 400),
        ("ifGenerationMatch=99999999999999999999", 400), ("ifMetagenerationMatch=-1", 412),
      ]
      for (condition, status) in cases {
        let answer = try await storage.send(
          "PATCH", storage.path("a", "?\(condition)"), [], Array("{}".utf8))
        #expect(answer.status == status, "\(condition)")
      }
      for (condition, status) in [("0", 412), (generation, 200)] {
        let answer = try await storage.send(
          "POST", storage.path(nil, "?name=a&ifGenerationMatch=\(condition)"), [], [1])
        #expect(answer.status == status)
      }
      let path = storage.path("a", "?ifGenerationMatch=\(generation)")
      #expect(try await storage.send("DELETE", path).status == 412)
    },
    AcceptanceCase(63, "deleting, and again") { (storage) async throws in
      try await storage.put("a")
      let answer = try await storage.send("DELETE", storage.path("a"))
      #expect(answer.status == 204 && answer.body.isEmpty && answer.value("content-length") == nil)
      let again = try await storage.send("DELETE", storage.path("a"))
      #expect(again.status == 404 && again.message == "Not Found.")
    },
  ]

  private static let lists = [
    AcceptanceCase(64, "the top of a bucket") { (storage) async throws in
      for name in ["d/1", "d/2", "d/s/x", "e/", "top"] { try await storage.put(name) }
      let answer = try await storage.send("GET", storage.path(nil, "?delimiter=%2F"))
      #expect(answer.names == ["top"] && answer.prefixes == ["d/", "e/"])
      #expect(answer.json["nextPageToken"] == nil)
      #expect(answer.text.contains(#""items":[{"name":"top","bucket":"bkt"}]"#))
      let flat = try await storage.send("GET", storage.path(nil, "?prefix="))
      #expect(flat.names == ["d/1", "d/2", "d/s/x", "top"] && flat.prefixes == [])
    },
    AcceptanceCase(65, "a folder") { (storage) async throws in
      for name in ["d/1", "d/2", "d/s/x", "d/s/y", "da"] { try await storage.put(name) }
      let answer = try await storage.send("GET", storage.path(nil, "?prefix=d/&delimiter=/"))
      #expect(answer.names == ["d/1", "d/2"] && answer.prefixes == ["d/s/"])
    },
    AcceptanceCase(66, "a folder that is only a name") { (storage) async throws in
      try await storage.put("e/")
      let answer = try await storage.send("GET", storage.path(nil, "?prefix=e/&delimiter=/"))
      #expect(answer.text == #"{"prefixes":[],"items":[]}"#)
    },
    AcceptanceCase(66, "prefixes with empty segments") { (storage) async throws in
      for name in ["listAll//foo", "listAll/bar//", "listAll/baz//qux"] {
        try await storage.put(name)
      }
      let answer = try await storage.send(
        "GET", storage.path(nil, "?prefix=listAll%2F&delimiter=%2F"))
      #expect(answer.prefixes == ["listAll/bar/", "listAll/baz/"] && answer.names == [])
    },
    AcceptanceCase(67, "a prefix that ends within a segment") { (storage) async throws in
      let answer = try await storage.send("GET", storage.path(nil, "?prefix=d"))
      #expect(answer.status == 400)
      #expect(
        answer.message
          == "The prefix parameter is required to be empty or ends with a single / character.")
    },
    AcceptanceCase(68, "pages of one") { (storage) async throws in
      for name in ["d/1", "d/2", "d/s/x", "d/s/y"] { try await storage.put(name) }
      var found: [String] = []
      var token = ""
      repeat {
        let page = try await storage.send(
          "GET", storage.path(nil, "?prefix=d/&delimiter=/&maxResults=1" + token))
        let entries = page.names + (page.prefixes ?? [])
        #expect(entries.count == 1)
        found += entries
        // What a page ended with may be gone when the next one is asked for.
        for name in page.names { try await storage.send("DELETE", storage.path(name)) }
        token = page.text("nextPageToken").map { "&pageToken=\($0)" } ?? ""
      } while !token.isEmpty
      #expect(found == ["d/1", "d/2", "d/s/"])
    },
    AcceptanceCase(68, "pages that nobody has given out, and sizes that are none") {
      (storage) async throws in
      try await storage.put("a")
      for query in [
        "pageToken=!", "pageToken=%ff", "maxResults=0",
        "maxResults=-1", "maxResults=x", "maxResults=99999999999999999999",
      ] {
        let answer = try await storage.send("GET", storage.path(nil, "?\(query)"))
        #expect(answer.status == 400, "\(query)")
      }
      let many = try await storage.send("GET", storage.path(nil, "?maxResults=100000"))
      #expect(many.status == 200 && many.names == ["a"])
    },
    AcceptanceCase(69, "an empty bucket, made on first use") { (storage) async throws in
      let answer = try await storage.send("GET", "/v0/b/new.appspot.com/o")
      #expect(answer.status == 200 && answer.text == #"{"prefixes":[],"items":[]}"#)
    },
  ]

  private static let origin = ("Origin", "https://app.example")

  private static let origins = [
    AcceptanceCase(70, "a preflight") { (storage) async throws in
      for target in [storage.path("a"), "/v0/b/bkt/o", "/", "/anything"] {
        let answer = try await storage.send(
          "OPTIONS", target,
          [
            origin, ("Access-Control-Request-Method", "PUT"),
            ("Access-Control-Request-Headers", "x"),
          ])
        #expect(200...204 ~= answer.status)
        #expect(answer.value("access-control-allow-origin") == "https://app.example")
        #expect(answer.value("access-control-allow-credentials") == "true")
        #expect(answer.value("access-control-allow-headers") == "x")
        let methods = answer.value("access-control-allow-methods")?.split(separator: ",") ?? []
        #expect(Set(methods).isSuperset(of: ["GET", "PUT", "PATCH", "POST", "DELETE"]))
        #expect(
          answer.value("vary") == "origin" && answer.value("access-control-max-age") == "3600")
        #expect(answer.value("access-control-allow-private-network") == nil)
      }
    },
    AcceptanceCase(71, "a preflight from a public page to a private network") {
      (storage) async throws in
      let answer = try await storage.send(
        "OPTIONS", storage.path("a"), [origin, ("Access-Control-Request-Private-Network", "true")])
      #expect(answer.value("access-control-allow-private-network") == "true")
    },
    AcceptanceCase(72, "every answer can be read by the page") { (storage) async throws in
      try await storage.put("a")
      let exposed: Set<String> = [
        "X-Goog-Upload-Status", "X-Goog-Upload-URL", "X-Goog-Upload-Size-Received", "ETag",
        "Content-Range", "Content-Disposition", "X-Goog-Hash", "X-GUploader-UploadID",
      ]
      let requests: [(String, String, [(String, String)], Int)] = [
        ("GET", storage.path("a"), [], 200), ("GET", storage.path("a", "?alt=media"), [], 200),
        ("GET", storage.path("a", "?alt=media"), [("Range", "bytes=1-")], 206),
        ("GET", storage.path("a", "?alt=media"), [("If-None-Match", "*")], 304),
        ("POST", storage.path(), [], 400), ("GET", storage.path("none"), [], 404),
        ("POST", storage.path("a", "?delete_token=x"), [("Authorization", "x")], 403),
        ("GET", storage.path("a", "?alt=media"), [("If-Match", "x")], 412),
        ("GET", storage.path("a", "?alt=media"), [("Range", "bytes=9-")], 416),
        ("DELETE", storage.path("a"), [], 204), ("GET", "/v0/nothing", [], 404),
        ("TRACE", storage.path("a"), [], 404), ("GET", "/", [], 200),
      ]
      for (method, target, fields, status) in requests {
        let isOwner = !fields.contains { $0.0 == "Authorization" }
        let answer = try await storage.send(
          method, target, fields + [origin], as: isOwner ? "Bearer owner" : nil)
        #expect(answer.status == status, "\(method) \(target)")
        #expect(answer.value("access-control-allow-origin") == "https://app.example", "\(status)")
        let names = answer.value("access-control-expose-headers")?.components(separatedBy: ", ")
        #expect(Set(names ?? []).isSuperset(of: exposed), "\(status)")
      }
    },
  ]
}
