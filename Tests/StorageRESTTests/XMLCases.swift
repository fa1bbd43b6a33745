import Foundation
import Testing

/// The XML API of Cloud Storage, signatures and forms.
enum XMLCases {
  static let all: [AcceptanceCase] = objects + parts + signed

  private static let objects = [
    AcceptanceCase(106, "an object") { (storage) async throws in
      try await storage.makeBucket()
      let answer = try await storage.send("PUT", "/bkt2/dir/x.txt", [], Sample.hello)
      #expect(answer.status == 200 && answer["ETag"] == "\"5d41402abc4b2a76b9719d911017c592\"")
      #expect(answer.value("x-goog-generation") != nil)
      let exists = try await storage.send(
        "PUT", "/bkt2/dir/x.txt", [("x-goog-if-generation-match", "0")], [1])  // 107
      #expect(exists.status == 412 && exists.xmlCode == "PreconditionFailed")
      let missing = try await storage.send("GET", "/bkt2/none")  // 108
      #expect(missing.status == 404 && missing.xmlCode == "NoSuchKey")
      let list = try await storage.send(
        "GET", "/bkt2?list-type=2&prefix=dir/&delimiter=/")  // 109
      #expect(list.element("Key") == "dir/x.txt" && list.element("Size") == "5")
    },
    AcceptanceCase(110, "escapes in the path") { (storage) async throws in
      try await storage.api("POST", "b?project=p", #"{"name":"bkt-2"}"#)
      #expect(try await storage.send("PUT", "/bkt%2D2/a/b%20c", [], [1]).status == 200)
      #expect(try await storage.send("GET", "/bkt-2/a%2Fb%20c").body == [1])
    },
  ]

  private static let parts = [
    AcceptanceCase(111, "numbered parts") { (storage) async throws in
      try await storage.makeBucket()
      let begun = try await storage.send("POST", "/bkt2/m?uploads")
      let id = try #require(begun.element("UploadId"))
      var list = ""
      for (number, text) in [(1, "hello"), (2, " world")] {
        let part = try await storage.send(
          "PUT", "/bkt2/m?partNumber=\(number)&uploadId=\(id)", [], Array(text.utf8))
        list +=
          "<Part><PartNumber>\(number)</PartNumber><ETag>\(part["ETag"] ?? "")</ETag></Part>"
      }
      let end = "<CompleteMultipartUpload>\(list)</CompleteMultipartUpload>"
      let whole = try await storage.send("POST", "/bkt2/m?uploadId=\(id)", [], Array(end.utf8))
      #expect(whole.status == 200 && whole.value("x-goog-generation") != nil)
      #expect(try await storage.send("GET", "/bkt2/m").text == "hello world")
      #expect(try await storage.send("DELETE", "/bkt2/m?uploadId=\(id)").status == 404)
      let other = try await storage.send("POST", "/bkt2/n?uploads").element("UploadId") ?? ""
      #expect(try await storage.send("DELETE", "/bkt2/n?uploadId=\(other)").status == 204)  // 112
    }
  ]

  private static let signed = [
    AcceptanceCase(113, "signatures and their time") { (storage) async throws in
      try await storage.makeBucket()
      let format = DateFormatter()
      format.locale = Locale(identifier: "en_US_POSIX")
      format.timeZone = TimeZone(secondsFromGMT: 0)
      format.dateFormat = "yyyyMMdd'T'HHmmss'Z'"
      let fresh = "X-Goog-Date=\(format.string(from: Date()))&X-Goog-Expires=600"
      let query = "X-Goog-Algorithm=GOOG4-RSA-SHA256&X-Goog-Signature=00&\(fresh)"
      // 114
      #expect(try await storage.send("PUT", "/bkt2/o?\(query)", [], Sample.hello).status == 200)
      #expect(try await storage.send("GET", "/bkt2/o?\(query)").text == "hello")
      let old = try await storage.send(
        "GET", "/bkt2/o?X-Goog-Signature=00&X-Goog-Date=20200101T000000Z&X-Goog-Expires=600")
      #expect(old.status == 400 && old.xmlCode == "ExpiredToken")
      let second = try await storage.send("GET", "/bkt2/o?Signature=x&Expires=1")
      #expect(second.status == 400 && second.xmlCode == "ExpiredToken")
      let start = try await storage.send(
        "POST", "/bkt2/r?\(query)", [("x-goog-resumable", "start")])
      #expect(start.status == 201)
      #expect(try await CloudUpload(client: storage, start: start)(nil, [1]).status == 200)
      #expect(try await storage.send("DELETE", "/bkt2/r?\(query)").status == 204)
    },
    AcceptanceCase(115, "forms") { (storage) async throws in
      try await storage.makeBucket()
      let answer = try await storage.form([
        ("key", "a/${filename}"), ("Content-Type", "text/x"), ("x-goog-meta-color", "red"),
      ])
      #expect(answer.status == 204)
      let object = try await storage.api("GET", storage.object("a/f.txt"))
      #expect(object.text("contentType") == "text/x")
      #expect(object.json["metadata"] as? [String: String] == ["color": "red"])
      #expect(try await storage.form([("Content-Type", "a/b")]).status == 400)
      let made = try await storage.form([("key", "b"), ("success_action_status", "201")])
      #expect(made.status == 201 && made.element("Key") == "b")
      let seen = try await storage.form([
        ("key", "b"), ("success_action_redirect", "http://x/?a=b"),
      ])
      #expect(
        seen.status == 303 && seen["Location"]?.hasPrefix("http://x/?a=b&bucket=bkt2") ?? false)
    },
    AcceptanceCase(115, "forms with a policy") { (storage) async throws in
      try await storage.makeBucket()
      func policy(_ conditions: String, until end: String = "2999-01-01T00:00:00Z") -> (
        String, String
      ) {
        let json = #"{"expiration":"\#(end)","conditions":[\#(conditions)]}"#
        return ("policy", Data(json.utf8).base64EncodedString())
      }
      let good = #"{"bucket":"bkt2"},["starts-with","$key","a/"],["eq","$acl","private"]"#
      let cases = [
        (policy(good), 204), (policy(good + #",["content-length-range",1,5]"#), 204),
        (policy(good + #",["content-length-range",6,9]"#), 400),
        (policy(good + #",["content-length-range",0,4]"#), 400),
        (policy(#"{"bucket":"other"}"#), 400), (policy(#"["starts-with","$key","b"]"#), 400),
        (policy(good, until: "2020-01-01T00:00:00Z"), 400), (("policy", "???"), 400),
        (policy(#"["what","$key","b"]"#), 400), (("x-goog-random", "x"), 400),
      ]
      for (field, status) in cases {
        let answer = try await storage.form([("key", "a/x"), ("acl", "private"), field])
        #expect(answer.status == status, "\(field) \(answer.text)")
        if status == 400 { #expect(answer.xmlCode == "InvalidPolicyDocument") }
      }
    },
  ]
}

extension StorageClient {
  /// Sends a form with a file as pages do.
  func form(_ fields: [(String, String)]) async throws -> RawClient.Answer {
    var body = ""
    for (name, value) in fields {
      body += "--b\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n"
    }
    body +=
      "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"f.txt\"\r\n"
      + "Content-Type: text/plain\r\n\r\nhello\r\n--b--\r\n"
    return try await send(
      "POST", "/\(Self.cloudBucket)", [("Content-Type", "multipart/form-data; boundary=b")],
      Array(body.utf8))
  }
}
