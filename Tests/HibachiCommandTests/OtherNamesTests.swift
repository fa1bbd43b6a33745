import Hibachi
import Testing

@testable import HibachiCommand

@Suite struct OtherNamesTests {
  private func parse(
    _ line: String, environment: [String: String] = [:]
  ) throws(UsageError) -> Command {
    let words = line.split(separator: " ").map(String.init)
    return try CommandLineParser(
      environment: { environment[$0] }, project: { FirebaseProject() }
    ).parse(words[0], Array(words.dropFirst()))
  }

  private func options(
    host: String, port: UInt16, prefix: String = "[firestore] "
  ) -> StartOptions {
    var configuration = HibachiConfiguration()
    configuration.host = host
    configuration.port = port
    configuration.storagePort = nil
    var options = StartOptions(configuration)
    options.linePrefix = prefix
    return options
  }

  @Test(
    "gcloud, as test libraries and compose files call it",
    arguments: [
      "gcloud beta emulators firestore start --host-port 0.0.0.0:8080",
      "gcloud emulators firestore start --host-port=0.0.0.0:8080 --project=test-project",
      "gcloud beta emulators firestore start --host-port 0.0.0.0:8080 --project=test-project",
      "gcloud emulators firestore start --project test-project --host-port=0.0.0.0:8080 --quiet",
      "/usr/bin/gcloud alpha emulators firestore start --host-port=0.0.0.0",
      "gcloud emulators firestore start --host-port=0.0.0.0: --database-mode=firestore-native",
    ])
  func gcloud(line: String) throws {
    #expect(try parse(line) == .start(options(host: "0.0.0.0", port: 8080)))
  }

  @Test("hosts and ports")
  func hostPorts() throws {
    let cases: [(String, String, UInt16)] = [
      ("[::1]:9", "::1", 9), ("[::1]", "::1", 8080), (":9", "127.0.0.1", 9),
      ("localhost:0", "localhost", 0),
    ]
    for (text, host, port) in cases {
      let command = try parse("gcloud emulators firestore start --host-port=\(text)")
      #expect(command == .start(options(host: host, port: port)), "\(text)")
    }
    #expect(throws: UsageError.self) {
      try parse("gcloud emulators firestore start --host-port=h:x")
    }
  }

  @Test("gcloud can do nothing else here", arguments: ["gcloud", "gcloud auth login"])
  func otherGcloud(line: String) {
    #expect(throws: UsageError.self) { try parse(line) }
  }

  @Test("flags without effect give one sentence each")
  func warnings() throws {
    let command = try parse(
      "gcloud emulators firestore start --import-data=r --database-mode datastore-mode --bogus")
    guard case .start(let options) = command else {
      Issue.record("\(command)")
      return
    }
    #expect(options.warnings.count == 3)
  }

  @Test("the official emulator's flags")
  func official() throws {
    var expected = options(host: "0.0.0.0", port: 8085, prefix: "")
    #expect(
      try parse("cloud_firestore_emulator --host=0.0.0.0 --port 8085 --websocket_port=9150")
        == .start(expected))
    expected.configuration.project = "p"
    expected.configuration.storage = .folder("d", .normal)
    #expect(
      try parse(
        "cloud_firestore_emulator start --host 0.0.0.0 --port=8085 --project_id p --single_project_mode true",
        environment: ["HIBACHI_DATA_DIR": "d"]) == .start(expected))
    expected.configuration.refusesOtherProjects = true
    #expect(
      try parse(
        "cloud_firestore_emulator --host 0.0.0.0 --port=8085 --project_id p --single_project_mode_error --data-dir d"
      ) == .start(expected))
    let error = #expect(throws: UsageError.self) {
      try parse("cloud_firestore_emulator --single_project_mode")
    }
    #expect(error?.message == "Expected project_id to be set for single_project_mode")
    #expect(error?.status == 1)
  }

  private func fakeGCS(
    _ change: (inout HibachiConfiguration) -> Void = { _ in }
  ) -> StartOptions {
    var configuration = HibachiConfiguration()
    configuration.port = 0
    configuration.storageHost = "0.0.0.0"
    configuration.storagePort = 4443
    configuration.storageStyle = .fakeGCSServer
    change(&configuration)
    var options = StartOptions(configuration)
    options.readyForm = .fakeGCSServer
    return options
  }

  @Test(
    "fake-gcs-server, as test libraries and compose files call it",
    arguments: [
      "fake-gcs-server -scheme http", "/bin/fake-gcs-server --scheme=http -port 4443",
      "fake-gcs-server -scheme http -backend memory -public-host localhost -host 0.0.0.0",
      "fake-gcs-server -scheme http -location us-east1 -cors-headers X-A -log-level info",
    ])
  func fakeGCSServer(line: String) throws {
    #expect(try parse(line) == .start(fakeGCS()))
  }

  @Test("what fake-gcs-server is told by flags and variables")
  func fakeGCSSettings() throws {
    let all = fakeGCS {
      $0.storageHost = "127.0.0.1"
      $0.storagePort = 9
      $0.storageURL = "http://gcs:9"
      $0.storageSeed = "/seed"
      $0.storage = .folder("/kept", .normal)
    }
    #expect(
      try parse(
        "fake-gcs-server -scheme http -host 127.0.0.1 -port 9 -external-url http://gcs:9 "
          + "-data /seed -backend filesystem -filesystem-root /kept") == .start(all))
    #expect(
      try parse(
        "fake-gcs-server",
        environment: [
          "FAKE_GCS_SCHEME": "http", "FAKE_GCS_HOST": "127.0.0.1", "FAKE_GCS_PORT": "9",
          "FAKE_GCS_EXTERNAL_URL": "http://gcs:9", "FAKE_GCS_DATA": "/seed",
          "FAKE_GCS_FILESYSTEM_ROOT": "/kept",
        ]) == .start(all))
    guard case .start(let options) = try parse("fake-gcs-server -scheme both -event.list finalize")
    else {
      Issue.record("no start")
      return
    }
    #expect(options.configuration.storagePort == 8000 && options.warnings.count == 2)
  }
}
