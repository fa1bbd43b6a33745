import Testing

/// Uploads in several requests.
enum ResumableCases {
  static let all: [AcceptanceCase] = start + bytes + end

  private static let granule = Sample.bytes(262_144)

  private static let start = [
    AcceptanceCase(41, "the answer to a start") { (storage) async throws in
      let upload = try await storage.start("r", #"{"contentType":"text/plain"}"#)
      #expect(upload.start.status == 200 && upload.start.body.isEmpty)
      #expect(upload.start["X-Goog-Upload-Status"] == "active")
      #expect(
        upload.url.hasPrefix("http://\(storage.host)/v0/b/bkt/o?name=r&upload_id="))
      #expect(upload.start["X-Goog-Upload-Chunk-Granularity"] == "262144")
      #expect(upload.start["X-Goog-Upload-Control-URL"] == upload.url)
      let id = upload.start["X-GUploader-UploadID"] ?? ""
      #expect(upload.url.contains("upload_id=\(id)&"))
      #expect(upload.start["X-GUpload-UploadID"] == id)
      #expect(upload.start.value("content-length") == "0")
    },
    AcceptanceCase(42, "the URL is where the client sees the server") { (storage) async throws in
      let upload = try await storage.start("a/b", "", [("Host", "10.0.2.2:9199")])
      #expect(upload.url.hasPrefix("http://10.0.2.2:9199/v0/b/bkt/o?name=a%2Fb&upload_id="))
      let proxied = try await storage.start(
        "a", "", [("X-Forwarded-Host", "app.example"), ("X-Forwarded-Proto", "https")])
      #expect(proxied.url.hasPrefix("https://app.example/v0/b/bkt/"))
    },
    AcceptanceCase(43, "starts without metadata, and with empty ones") { (storage) async throws in
      for json in ["", #"{"bucket":"","metadata":null}"#, "null", "{}", "\r\n"] {
        #expect(try await storage.start("r", json).start.status == 200, "\(json)")
      }
      for json in ["{", "[]", "1", "{}x"] {
        #expect(try await storage.start("r", json).start.status == 400, "\(json)")
      }
    },
    AcceptanceCase(43, "the spellings of the three SDKs") { (storage) async throws in
      let ios = try await storage.send(
        "POST", storage.path("i", "?uploadType=resumable&name=i"),
        [
          ("X-Goog-Upload-Protocol", "resumable"), ("X-Goog-Upload-Command", "start"),
          ("X-Goog-Upload-Content-Length", "5"), ("X-Goog-Upload-Content-Type", "image/jpeg"),
        ])
      let upload = ResumableClient(client: storage, start: ios)
      let last = try await upload("upload, finalize", Sample.hello, at: 0, method: "PUT", as: nil)
      #expect(last.text("contentType") == "image/jpeg" && last.text("name") == "i")
      let web = try await storage.start(
        "w", #"{"contentType":"a/b"}"#,
        [
          ("X-Goog-Upload-Header-Content-Length", "5"),
          ("X-Goog-Upload-Header-Content-Type", "image/png"),
        ])
      #expect(try await web("upload,finalize", Sample.hello).text("contentType") == "a/b")
    },
    AcceptanceCase(56, "commands need no protocol header") { (storage) async throws in
      let answer = try await storage.send(
        "POST", storage.path(nil, "?name=r"), [("x-goog-upload-command", "START")])
      let upload = ResumableClient(client: storage, start: answer)
      #expect(answer.uploadStatus == "active")
      #expect(try await upload("UPLOAD,  Finalize", Sample.hello).uploadStatus == "final")
    },
  ]

  private static let bytes = [
    AcceptanceCase(44, "a chunk") { (storage) async throws in
      let upload = try await storage.start("r")
      let answer = try await upload("upload", granule, at: 0)
      #expect(answer.status == 200 && answer.uploadStatus == "active")
      #expect(answer.received == "262144")
    },
    AcceptanceCase(45, "the last chunk, without credentials") { (storage) async throws in
      let upload = try await storage.start("r")
      try await upload("upload", granule, at: 0)
      let answer = try await upload(
        "upload, finalize", Sample.hello, at: 262_144, method: "PUT", as: nil)
      #expect(answer.status == 200 && answer.uploadStatus == "final")
      #expect(answer.text("size") == "262149")
      #expect(try await storage.get("r").body == granule + Sample.hello)
    },
    AcceptanceCase(46, "the last chunk again") { (storage) async throws in
      let upload = try await storage.start("r")
      let first = try await upload("upload, finalize", Sample.hello, at: 0)
      let again = try await upload("upload, finalize", Sample.hello, at: 0)
      #expect(again.status == 200 && again.uploadStatus == "final" && again.body == first.body)
      #expect(try await storage.metadata("r").text("generation") == first.text("generation"))
      #expect(try await storage.send("GET", storage.path()).names == ["r"])
    },
    AcceptanceCase(47, "how far it is") { (storage) async throws in
      let upload = try await storage.start("r")
      #expect(try await upload("query").received == "0")
      try await upload("upload", granule, at: 0)
      let answer = try await upload("query", as: nil)
      #expect(answer.status == 200 && answer.uploadStatus == "active")
      #expect(answer.received == "262144")
    },
    AcceptanceCase(48, "how far it is when it has ended") { (storage) async throws in
      let upload = try await storage.start("r")
      let last = try await upload("upload, finalize", Sample.hello)
      let answer = try await upload("query")
      #expect(answer.status == 200 && answer.uploadStatus == "final")
      #expect(answer.received == "5" && answer.body == last.body)
      let late = try await upload("upload", Sample.hello)
      #expect(late.status == 400 && late.uploadStatus == "final")
    },
    AcceptanceCase(49, "a chunk that is here already, whole or in part") { (storage) async throws in
      let upload = try await storage.start("r")
      try await upload("upload", granule, at: 0)
      #expect(try await upload("upload", granule, at: 0).received == "262144")
      let more = try await upload("upload", Array(granule.suffix(10)) + [1, 2], at: 262_134)
      #expect(more.received == "262146")
      let last = try await upload("upload, finalize", [2, 3], at: 262_145)
      #expect(last.text("size") == "262147")
      #expect(try await storage.get("r").body == granule + [1, 2, 3])
    },
    AcceptanceCase(50, "a gap, and offsets that are none") { (storage) async throws in
      let upload = try await storage.start("r")
      try await upload("upload", granule, at: 0)
      for offset: Any in [999_999, -1, "99999999999999999999", "x", "", Int64.max, Int64.min] {
        for command in ["upload", "upload, finalize"] {
          let answer = try await upload(command, Sample.hello, at: offset)
          #expect(answer.status == 400 && answer.uploadStatus == "active", "\(offset)")
          #expect(answer.received == "262144", "\(offset)")
        }
      }
    },
    AcceptanceCase(57, "a chunk is bytes, whatever its content type says") {
      (storage) async throws in
      let upload = try await storage.start("r", #"{"contentType":"image/png"}"#)
      let form = [("Content-Type", "application/x-www-form-urlencoded")]
      let content = Array("a=b&c=%41+d".utf8)
      let answer = try await upload("upload, finalize", content, at: 0, method: "PUT", form)
      #expect(answer.text("contentType") == "image/png")
      #expect(try await storage.get("r").body == content)
    },
  ]

  private static let end = [
    AcceptanceCase(51, "cancelling") { (storage) async throws in
      let upload = try await storage.start("r")
      try await upload("upload", Sample.hello)
      #expect(try await upload("cancel").uploadStatus == "cancelled")
      #expect(try await upload("cancel", method: "PUT").status == 200)
      for command in ["upload", "upload, finalize", "finalize"] {
        let answer = try await upload(command, Sample.hello)
        #expect(answer.status == 400 && answer.uploadStatus == "cancelled", "\(command)")
      }
      let answer = try await upload("query")
      #expect(answer.status == 200 && answer.uploadStatus == "cancelled" && answer.received == "5")
      #expect(try await storage.metadata("r").status == 404)
    },
    AcceptanceCase(52, "cancelling what has ended") { (storage) async throws in
      let upload = try await storage.start("r")
      try await upload("upload, finalize", Sample.hello)
      let answer = try await upload("cancel")
      #expect(answer.status == 400 && answer.uploadStatus == "final")
      #expect(try await storage.get("r").text == "hello")
    },
    AcceptanceCase(53, "no byte at all") { (storage) async throws in
      for command in ["finalize", "upload, finalize"] {
        let upload = try await storage.start("e")
        let answer = try await upload(command)
        #expect(
          answer.status == 200 && answer.text("size") == "0" && answer.uploadStatus == "final")
      }
      let upload = try await storage.start("f")
      try await upload("upload", Sample.hello)
      #expect(try await upload("finalize").text("md5Hash") == Sample.md5)
      let other = try await storage.start("g")
      #expect(try await other("finalize", Sample.hello).text("size") == "5")
    },
    AcceptanceCase(54, "uploads that are not known") { (storage) async throws in
      let path = storage.path(nil, "?name=r")
      for command in ["upload", "query", "finalize", "cancel", "upload, finalize"] {
        for id in [String(repeating: "0", count: 32), "x", "..%2Fx", "%00"] {
          let answer = try await storage.send(
            "POST", path + "&upload_id=\(id)", [("X-Goog-Upload-Command", command)])
          #expect(answer.status == 404, "\(command) \(id)")
        }
        let none = try await storage.send("POST", path, [("X-Goog-Upload-Command", command)])
        #expect(none.status == 400, "\(command)")
      }
      let upload = try await storage.start("r")
      #expect(try await upload("nothing").status == 400)
    },
    AcceptanceCase(55, "an end that is refused, and again") { (storage) async throws in
      let cases = [
        try await storage.start("s", "", [("X-Goog-Upload-Header-Content-Length", "6")]),
        try await storage.start("h", #"{"md5Hash":"1B2M2Y8AsgTpgAmY7PhCfg=="}"#),
        try await storage.start("x", "", [("X-Goog-Hash", "crc32c=AAAAAA==")]),
      ]
      for upload in cases {
        for _ in 0..<2 {
          let answer = try await upload("upload, finalize", Sample.hello, at: 0)
          #expect(answer.status == 400 && answer.uploadStatus == "final" && answer.message != nil)
        }
      }
      #expect(try await storage.send("GET", storage.path()).names.isEmpty)
      let last = try await storage.start("l")
      let wrong = [("X-Goog-Hash", "md5=1B2M2Y8AsgTpgAmY7PhCfg==")]
      #expect(try await last("upload, finalize", Sample.hello, wrong).status == 400)
      let right = try await storage.start("l")
      let hash = [("X-Goog-Hash", "md5=\(Sample.md5),crc32c=\(Sample.crc32c)")]
      #expect(try await right("upload, finalize", Sample.hello, hash).status == 200)
    },
  ]
}
