import Hibachi
import HibachiTesting
import Testing

@Suite struct EmulatorTests {
  @Test("a document is written, read and cleared")
  func document() async throws {
    try await withEmulator { (emulator) async throws in
      let body = #"{"fields":{"x":{"integerValue":"1"}}}"#
      let patched = try await send("PATCH", documents + "/c/a", to: emulator, body: body)
      #expect(patched.status == 200)
      let read = try await send("GET", documents + "/c/a", to: emulator)
      #expect(read.text == patched.text)
      let cleared = try await send(
        "DELETE", "/emulator/v1/projects/p/databases/(default)/documents", to: emulator)
      #expect(cleared.status == 200 && cleared.text == "{\n}\n")
      #expect(try await send("GET", documents + "/c/a", to: emulator).status == 404)
    }
  }

  @Test("the readiness probe, and a path that is nothing")
  func probe() async throws {
    try await withEmulator { (emulator) async throws in
      #expect(try await send("GET", "/", to: emulator).text == "Ok\n")
      let missing = try await send("GET", "/nothing", to: emulator)
      #expect(missing.status == 404 && missing.text == "Not Found\n")
    }
  }

  @Test("an origin comes back on every answer", arguments: ["/c/none", "", "/c"])
  func origin(path: String) async throws {
    try await withEmulator { (emulator) async throws in
      let answer = try await send(
        "GET", documents + path, to: emulator, fields: ["Origin": "https://app.example"])
      #expect(
        answer.field("access-control-allow-origin")
          == "https://app.example")
    }
  }

  @Test("preflights")
  func preflight() async throws {
    try await withEmulator { (emulator) async throws in
      let answer = try await send(
        "OPTIONS", documents + "/c/a", to: emulator,
        fields: [
          "Origin": "https://app.example", "Access-Control-Request-Headers": "x-a,x-b",
          "Access-Control-Request-Private-Network": "true",
        ])
      #expect(answer.status == 200 && answer.text.isEmpty)
      #expect(answer.field("access-control-allow-headers") == "x-a,x-b")
      #expect(
        answer.field("access-control-allow-private-network") == "true")
    }
  }

  @Test("control endpoints are not for pages from elsewhere, but for those that are allowed")
  func control() async throws {
    let path = "/emulator/v1/projects/p/databases/(default)/documents"
    try await withEmulator {
      $0.allowedOrigins = ["https://app.example"]
    } _: { (emulator) async throws in
      let evil = ["Origin": "https://evil.example"]
      #expect(try await send("DELETE", path, to: emulator, fields: evil).status == 403)
      let good = ["Origin": "https://app.example"]
      #expect(try await send("DELETE", path, to: emulator, fields: good).status == 200)
    }
  }

  @Test("rules are kept and given back")
  func rules() async throws {
    let path = "/emulator/v1/projects/p:securityRules"
    try await withEmulator { (emulator) async throws in
      #expect(try await send("GET", path, to: emulator).text.contains("OPEN_RULES"))
      let text = "service cloud.firestore { match /a/{b} { allow read: if b == \\\"x\\\"; } }"
      let rules = #"{"rules":{"files":[{"name":"a.rules","content":"\#(text)"}]}}"#
      #expect(try await send("PUT", path, to: emulator, body: rules).text.contains("old version"))
      let wrong = rules.replacing("allow", with: "alow")
      #expect(try await send("PUT", path, to: emulator, body: wrong).status == 400)
      let read = try await send("GET", path, to: emulator).text
      #expect(read.contains(#"b == \"x\""#) && read.contains("a.rules"))
      #expect(try await send("PUT", path, to: emulator, body: "{}").status == 400)
    }
  }

  @Test("POST /shutdown ends the emulator")
  func shutdown() async throws {
    try await withEmulator { (emulator) async throws in
      #expect(try await send("POST", "/shutdown", to: emulator).text == "Shutting down...\n")
      await emulator.run()
    }
  }

  @Test("documents outlive an emulator with a folder, which no other may use meanwhile")
  func folder() async throws {
    let folder = try TemporaryFolder()
    try await withEmulator {
      $0.storage = .folder(folder.path, .normal)
    } _: { (emulator) async throws in
      #expect(
        try await send("PATCH", documents + "/c/a", to: emulator, body: "{}").status == 200)
      var other = emulator.configuration
      other.port = 0
      other.storagePort = 0
      let error = await #expect(throws: EmulatorError.self) { try await Emulator(other).start() }
      #expect(error?.code == .storage)
    }
    try await withEmulator {
      $0.storage = .folder(folder.path, .full)
    } _: { (emulator) async throws in
      #expect(try await send("GET", documents + "/c/a", to: emulator).status == 200)
    }
  }

  @Test("a port that is taken is named")
  func portTaken() async throws {
    try await withEmulator { (emulator) async throws in
      var configuration = emulator.configuration
      configuration.port = emulator.port
      let error = await #expect(throws: EmulatorError.self) {
        try await Emulator(configuration).start()
      }
      #expect(error?.code == .portTaken)
      #expect(error?.description.contains("\(emulator.port)") == true)
    }
  }
}
