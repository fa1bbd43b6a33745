internal import Coding
internal import FirestoreModel
internal import FirestoreProtocol
package import FirestoreService
package import HTTPServer
internal import SecurityRules
package import Telemetry

/// Answers the control endpoints: everything below `/emulator`, and `/shutdown`.
package final class AdminHandler: HTTPHandler {
  private let operations: FirestoreOperations
  private let guardian: ControlGuard
  private let logger: Logger
  private let status: ServerStatus
  private let shutDown: @Sendable () -> Void

  /// `status` is what the server says of itself; `shutDown` begins the end of the process and returns at once.
  package init(
    operations: FirestoreOperations, guardian: ControlGuard, logger: Logger,
    status: ServerStatus, shutDown: @escaping @Sendable () -> Void
  ) {
    self.operations = operations
    self.guardian = guardian
    self.logger = logger
    self.status = status
    self.shutDown = shutDown
  }

  package func handle(_ exchange: HTTPExchange) async {
    let answer: Answer
    do {
      answer = try await self.answer(exchange)
    } catch {
      answer = Answer(error)
    }
    let head = HTTPResponseHead(status: answer.status, fields: answer.fields)
    try? await exchange.response.respond(head, body: answer.body)
    if answer.endsServer { shutDown() }
  }

  private func answer(_ exchange: HTTPExchange) async throws(FirestoreError) -> Answer {
    let request = exchange.request
    guard guardian.allows(request) else {
      logger.warning(
        "control request refused",
        [.address: .string(request.authority), .path: .string(request.target)])
      throw FirestoreError(
        .permissionDenied,
        "Control endpoints are for pages of this machine; --allow-origin names others.")
    }
    let segments = HTTPTarget(request.target)?.decodedSegments ?? []
    switch (request.method, segments.count) {
    case ("POST", 1) where segments[0] == "shutdown":
      return .shuttingDown
    case ("GET", 3) where segments == ["emulator", "v1", "status"]:
      return Answer(200) { status.write(to: &$0) }
    case ("DELETE", 7...)
    where segments[0...2] == ["emulator", "v1", "projects"]
      && segments[4] == "databases" && segments[6] == "documents":
      return try await clear(segments)
    case (_, 4), (_, 6):
      guard segments[0...2] == ["emulator", "v1", "projects"],
        let colon = segments[segments.count - 1].lastIndex(of: ":")
      else { return .notFound }
      let method = segments[segments.count - 1][colon...]
      let scope = try Self.rulesScope(
        segments[3...].dropLast(), segments[segments.count - 1][..<colon])
      let ruleset = operations.rules.ruleset(for: scope) ?? .open
      switch (request.method, method) {
      case ("PUT", ":securityRules"): return try await setRules(for: scope, exchange.body)
      case ("GET", ":securityRules"): return .rules(ruleset)
      case ("GET", ":ruleCoverage"):
        return .coverage(ruleset, operations.rules.serviceRules(for: scope))
      case ("GET", ":ruleCoverage.html"):
        return .coveragePage(ruleset, operations.rules.serviceRules(for: scope))
      default: return .notFound
      }
    default:
      return .notFound
    }
  }

  /// `projects/P/databases/D/documents` with any path of ids behind it, which clears what begins with it.
  private func clear(_ segments: [String]) async throws(FirestoreError) -> Answer {
    let database = try DatabaseName(parsing: segments[2...5].joined(separator: "/"))
    let path = segments[7...].filter { !$0.isEmpty }.map { UTF8String($0) }
    try await operations.clear(database, below: path)
    return .empty
  }

  /// A project, or a database of it by `P/databases/D`.
  private static func rulesScope(
    _ segments: ArraySlice<String>, _ name: Substring
  ) throws(FirestoreError) -> RulesRegistry.Scope {
    guard !segments.isEmpty else { return .project(UTF8String(String(name))) }
    let path = ["projects"] + segments + [String(name)]
    return .database(try DatabaseName(parsing: path.joined(separator: "/")))
  }

  private func setRules(
    for scope: RulesRegistry.Scope, _ body: any HTTPRequestBody
  ) async throws(FirestoreError) -> Answer {
    let bytes: [UInt8]
    do {
      bytes = try await body.collect(upTo: RulesUpload.largest)
    } catch {
      throw .invalidArgument(
        "The rules are over \(RulesUpload.largest) bytes or did not arrive whole.")
    }
    var reader = JSONReader(bytes.span)
    let upload: RulesUpload
    do {
      upload = try RulesUpload(&reader)
    } catch {
      throw FirestoreError(error)
    }
    guard let file = upload.files.first else {
      throw FirestoreError.invalidArgument("The upload has no rules.files.")
    }
    let ruleset = Ruleset(name: file.name, content: file.content)
    guard ruleset.isValid || upload.ignoresErrors else {
      throw .invalidArgument(ruleset.compileError)
    }
    operations.rules.set(ruleset, for: scope)
    logger.info("security rules set", [.count: .int(ruleset.issues.count)])
    return .issues(of: ruleset)
  }
}
