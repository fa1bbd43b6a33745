import Testing

/// Downloads, their tokens and who may do what.
enum DownloadCases {
  static let all: [AcceptanceCase] = content + conditions + tokens

  private static let content = [
    AcceptanceCase(16, "the content and what is said about it") { (storage) async throws in
      let object = try await storage.put("a/b.txt", Sample.hello, #"{"contentType":"text/plain"}"#)
      let answer = try await storage.get("a/b.txt")
      #expect(answer.status == 200 && answer.text == "hello")
      #expect(answer.value("Content-Length") == "5" && answer["Content-Type"] == "text/plain")
      #expect(answer["Accept-Ranges"] == "bytes")
      #expect(answer["X-Goog-Hash"] == "crc32c=\(Sample.crc32c),md5=\(Sample.md5)")
      #expect(answer["X-Goog-Generation"] == object.text("generation"))
      #expect(
        answer["X-Goog-Metageneration"] == "1" && answer["X-Goog-Storage-Class"] == "STANDARD")
      #expect(answer["X-Goog-Stored-Content-Length"] == "5")
      #expect(answer["X-Goog-Stored-Content-Encoding"] == "identity")
      #expect(answer["Cache-Control"] == "private, max-age=0" && answer["Last-Modified"] != nil)
      #expect(answer["ETag"] == "\"\(object.text("etag") ?? "")\"")
      #expect(answer["Content-Encoding"] == nil)
    },
    AcceptanceCase(17, "a range") { (storage) async throws in
      try await storage.put("a")
      let answer = try await storage.get("a", [("Range", "bytes=1-3")])
      #expect(answer.status == 206 && answer.text == "ell")
      #expect(answer["Content-Range"] == "bytes 1-3/5" && answer.value("Content-Length") == "3")
    },
    AcceptanceCase(18, "open ranges, and such as are too long") { (storage) async throws in
      try await storage.put("a")
      let cases = [
        ("3-", "lo", "3-4"), ("-2", "lo", "3-4"), ("0-999", "hello", "0-4"),
        ("-999", "hello", "0-4"), ("0-0", "h", "0-0"), ("0-99999999999999999999", "hello", "0-4"),
        ("-99999999999999999999", "hello", "0-4"), ("4-9223372036854775807", "o", "4-4"),
      ]
      for (range, text, given) in cases {
        let answer = try await storage.get("a", [("Range", "bytes=\(range)")])
        #expect(answer.status == 206 && answer.text == text, "\(range)")
        #expect(answer["Content-Range"] == "bytes \(given)/5", "\(range)")
      }
    },
    AcceptanceCase(19, "ranges behind the end") { (storage) async throws in
      try await storage.put("a")
      for range in ["5-", "5-6", "99999999999999999999-", "-0"] {
        let answer = try await storage.get("a", [("Range", "bytes=\(range)")])
        #expect(answer.status == 416 && answer["Content-Range"] == "bytes */5", "\(range)")
      }
      try await storage.put("empty", [])
      let first = try await storage.get("empty", [("Range", "bytes=0-")])
      #expect(first.status == 416 && first["Content-Range"] == "bytes */0")
      #expect(try await storage.get("empty", [("Range", "bytes=-5")]).status == 200)
    },
    AcceptanceCase(20, "ranges that mean nothing") { (storage) async throws in
      try await storage.put("a")
      for range in [
        "bytes=3-1", "bytes=x", "bytes=0-1,3-4", "bytes=-", "lines=1-2", "bytes=--1", "bytes=1-+3",
        "",
      ] {
        let answer = try await storage.get("a", [("Range", range)])
        #expect(answer.status == 200 && answer.text == "hello", "\(range)")
        #expect(answer["Content-Range"] == nil)
      }
    },
    AcceptanceCase(25, "a file name that is not ASCII") { (storage) async throws in
      try await storage.put("x/é.txt")
      let answer = try await storage.get("x/é.txt")
      #expect(answer["Content-Disposition"] == "inline; filename*=utf-8''%C3%A9.txt")
      _ = try await storage.patch("x/é.txt", #"{"contentDisposition":null}"#)
      let plain = try await storage.get("x/é.txt")
      #expect(plain["Content-Disposition"] == "attachment; filename*=utf-8''%C3%A9.txt")
      _ = try await storage.patch(
        "x/é.txt", #"{"contentDisposition":"attachment; filename=\"é\r\nX: y\""}"#)
      let own = try await storage.get("x/é.txt")
      #expect(own["Content-Disposition"] == #"attachment; filename="%C3%A9%0D%0AX: y""#)
      #expect(own["X"] == nil)
    },
    AcceptanceCase(26, "HEAD says what GET says") { (storage) async throws in
      try await storage.put("a")
      for fields in [[], [("Range", "bytes=1-2")], [("Range", "bytes=9-")]] {
        let got = try await storage.get("a", fields)
        let head = try await storage.send("HEAD", storage.path("a", "?alt=media"), fields)
        #expect(head.status == got.status && head.body.isEmpty)
        #expect(
          head.fields.filter { $0.name != "date" }.map { "\($0)" }
            == got.fields.filter { $0.name != "date" }.map { "\($0)" })
      }
      #expect(try await storage.send("HEAD", storage.path("none", "?alt=media")).status == 404)
      let metadata = try await storage.send("HEAD", storage.path("a"))
      #expect(
        metadata.status == 200 && metadata["Content-Type"]?.hasPrefix("application/json") == true)
    },
  ]

  private static let conditions = [
    AcceptanceCase(21, "a state that the client has") { (storage) async throws in
      try await storage.put("a")
      let before = try await storage.get("a")
      let (etag, date) = (before["ETag"] ?? "", before["Last-Modified"] ?? "")
      for condition in [
        ("If-None-Match", etag), ("If-None-Match", "\"x\", W/\(etag)"), ("If-None-Match", "*"),
        ("If-Modified-Since", date),
      ] {
        let answer = try await storage.get("a", [condition])
        #expect(answer.status == 304 && answer.body.isEmpty, "\(condition)")
      }
      for condition in [
        ("If-None-Match", "\"x\""), ("If-Match", etag), ("If-Match", "*"),
        ("If-Unmodified-Since", date), ("If-Modified-Since", "yesterday"),
        ("If-Modified-Since", "Sun, 06 Nov 1994 08:49:37 GMT"),
      ] {
        #expect(try await storage.get("a", [condition]).status == 200, "\(condition)")
      }
      for condition in [
        ("If-Match", "\"x\""), ("If-Unmodified-Since", "Sun, 06 Nov 1994 08:49:37 GMT"),
      ] {
        #expect(try await storage.get("a", [condition]).status == 412, "\(condition)")
      }
      _ = try await storage.patch("a", "{}")
      #expect(try await storage.get("a", [("If-None-Match", etag)]).status == 200)
    },
    AcceptanceCase(22, "a range of another state") { (storage) async throws in
      try await storage.put("a")
      let etag = try await storage.get("a")["ETag"] ?? ""
      let range = ("Range", "bytes=1-")
      #expect(try await storage.get("a", [range, ("If-Range", "\"other\"")]).status == 200)
      #expect(try await storage.get("a", [range, ("If-Range", etag)]).text == "ello")
    },
    AcceptanceCase(23, "gzip to clients that take it") { (storage) async throws in
      try await storage.put("z", Sample.gzip, #"{"contentEncoding":"gzip"}"#)
      for accepted in ["gzip", "gzip, deflate, br", "*", "identity;q=0.5, GZIP"] {
        let answer = try await storage.get("z", [("Accept-Encoding", accepted)])
        #expect(answer.status == 200 && answer.body == Sample.gzip, "\(accepted)")
        #expect(answer["Content-Encoding"] == "gzip" && answer.value("Content-Length") == "31")
        #expect(answer["Vary"] == "Accept-Encoding")
      }
      let part = try await storage.get(
        "z", [("Accept-Encoding", "gzip"), ("Range", "bytes=10-19")])
      #expect(part.status == 206 && part.body == Array(Sample.gzip[10..<20]))
      #expect(part["Content-Encoding"] == "gzip" && part["Content-Range"] == "bytes 10-19/31")
    },
    AcceptanceCase(24, "gzip to clients that take none") { (storage) async throws in
      try await storage.put(
        "z", Sample.gzip, #"{"contentEncoding":"gzip","contentType":"text/plain"}"#)
      for fields in [[], [("Range", "bytes=1-3")], [("Accept-Encoding", "deflate, gzip;q=0")]] {
        let answer = try await storage.get("z", fields)
        #expect(answer.status == 200 && answer.text == "hello world", "\(fields)")
        #expect(answer["Content-Encoding"] == nil && answer.value("Content-Length") == nil)
        #expect(answer["X-Goog-Stored-Content-Encoding"] == "gzip")
        #expect(answer["X-Goog-Hash"] == "crc32c=Z+QuMw==,md5=mExhQtsR0wcvnDGbNKTltw==")
        #expect(answer["X-GUploader-Response-Body-Transformations"] == "gunzipped")
        #expect(answer["Warning"] == "214 UploadServer gunzipped")
      }
      let head = try await storage.send("HEAD", storage.path("z", "?alt=media"))
      #expect(head.status == 200 && head["Content-Encoding"] == nil)
      let etag = try await storage.get("z")["ETag"] ?? ""
      #expect(try await storage.get("z", [("If-None-Match", etag)]).status == 304)
      _ = try await storage.patch("z", #"{"cacheControl":"public, No-Transform"}"#)
      let kept = try await storage.get("z")
      #expect(kept.body == Sample.gzip && kept["Content-Encoding"] == "gzip")
    },
    AcceptanceCase(24, "what is called gzip and is none") { (storage) async throws in
      for content in [Sample.hello, Array(Sample.gzip.dropFirst()), []] {
        try await storage.put("z", content, #"{"contentEncoding":"gzip"}"#)
        let answer = try await storage.get("z")
        #expect(answer.status == 200 && answer.body == content)
        #expect(answer.value("Content-Length") == String(content.count))
      }
    },
  ]

  private static let tokens = [
    AcceptanceCase(28, "a token opens the object") { (storage) async throws in
      let token = try await storage.put("a").text("downloadTokens") ?? ""
      let answer = try await storage.send(
        "GET", storage.path("a", "?alt=media&token=\(token)"), as: nil)
      #expect(answer.status == 200 && answer.text == "hello")
    },
    AcceptanceCase(31, "the administrator asks for what is missing") { (storage) async throws in
      let answer = try await storage.metadata("none")
      #expect(answer.status == 404)
    },
    AcceptanceCase(32, "one more token") { (storage) async throws in
      let first = try await storage.put("a").text("downloadTokens") ?? ""
      let answer = try await storage.send("POST", storage.path("a", "?create_token=true"))
      let tokens = answer.text("downloadTokens")?.split(separator: ",") ?? []
      #expect(answer.status == 200 && tokens.count == 2 && tokens.first == first[...])
      #expect(answer.text("metageneration") == "2")
    },
    AcceptanceCase(33, "tokens are the administrator's") { (storage) async throws in
      try await storage.put("a")
      for query in ["?create_token=true", "?delete_token=x"] {
        for authorization in [nil, "Firebase a.b.", "owner", "Bearer  owner"] {
          let answer = try await storage.send(
            "POST", storage.path("a", query), as: authorization)
          #expect(answer.status == 403 && answer.message == "Missing admin credentials.")
        }
      }
    },
    AcceptanceCase(34, "another word than true") { (storage) async throws in
      try await storage.put("a")
      for word in ["1", "TRUE", ""] {
        let answer = try await storage.send("POST", storage.path("a", "?create_token=\(word)"))
        #expect(answer.status == 400)
      }
    },
    AcceptanceCase(35, "a token goes, and the last one makes room for another") {
      (storage) async throws in
      let first = try await storage.put("a").text("downloadTokens") ?? ""
      let both = try await storage.send("POST", storage.path("a", "?create_token=true"))
      let second = both.text("downloadTokens")?.split(separator: ",").last.map(String.init) ?? ""
      func delete(_ token: String) async throws -> RawClient.Answer {
        try await storage.send("POST", storage.path("a", "?delete_token=\(token)"))
      }
      #expect(try await delete(first).text("downloadTokens") == second)
      let unchanged = try await delete("unknown")
      #expect(unchanged.status == 200 && unchanged.text("downloadTokens") == second)
      let last = try await delete(second).text("downloadTokens") ?? ""
      #expect(last != second && last != first && last.utf8.count == 36)
      #expect(try await storage.send("POST", storage.path("b", "?delete_token=x")).status == 404)
    },
    AcceptanceCase(36, "an object without tokens gets one when its metadata is read") {
      (storage) async throws in
      try await storage.put(
        "a", Sample.hello, #"{"metadata":{"firebaseStorageDownloadTokens":""}}"#)
      let given = try await storage.put(
        "b", Sample.hello, #"{"metadata":{"firebaseStorageDownloadTokens":"t1,t2","k":"v"}}"#)
      #expect(given.text("downloadTokens") == "t1,t2")
      #expect(given.json["metadata"] as? [String: String] == ["k": "v"])
    },
    AcceptanceCase(37, "who sends what it likes is a client like any other") {
      (storage) async throws in
      for authorization in [
        "Firebase eyJhbGciOiJub25lIn0.eyJ1c2VyX2lkIjoidSJ9.", "Bearer garbage", "x",
      ] {
        let answer = try await storage.send(
          "POST", storage.path(nil, "?name=a"), [], Sample.hello, as: authorization)
        #expect(answer.status == 200)
      }
    },
  ]
}
