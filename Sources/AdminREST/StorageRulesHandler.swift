internal import Coding
package import HTTPServer
internal import SecurityRules
package import StorageService
package import Telemetry

/// Sets the rules of Cloud Storage, `PUT /internal/setRules`, and says what was evaluated of them:
/// `GET /internal/ruleCoverage` and `GET /internal/ruleCoverage.html`, with `?bucket=` where buckets have rules of their own.
package struct StorageRulesHandler: HTTPHandler {
  private let rules: StorageRules
  private let guardian: ControlGuard
  private let logger: Logger

  package init(rules: StorageRules, guardian: ControlGuard, logger: Logger) {
    self.rules = rules
    self.guardian = guardian
    self.logger = logger
  }

  /// Whether a request is for here.
  package static func handles(_ request: HTTPRequestHead) -> Bool {
    switch (request.method, request.target.prefix { $0 != "?" }) {
    case ("PUT", "/internal/setRules"), ("GET", "/internal/ruleCoverage"),
      ("GET", "/internal/ruleCoverage.html"):
      true
    default: false
    }
  }

  package func handle(_ exchange: HTTPExchange) async {
    let answer = await answer(exchange)
    let head = HTTPResponseHead(status: answer.status, fields: answer.fields)
    try? await exchange.response.respond(head, body: answer.body)
  }

  private func answer(_ exchange: HTTPExchange) async -> Answer {
    guard guardian.allows(exchange.request) else {
      return .message(
        403, "Control endpoints are for pages of this machine; --allow-origin names others.")
    }
    guard exchange.request.method == "PUT" else { return coverage(exchange.request.target) }
    guard let bytes = try? await exchange.body.collect(upTo: RulesUpload.largest) else {
      return .message(400, "The rules are too long or did not arrive whole.")
    }
    var reader = JSONReader(bytes.span)
    guard let upload = try? RulesUpload(&reader), !upload.files.isEmpty else {
      return .message(400, "Request body must include 'rules.files' array")
    }
    let (isOne, isWhole) = (upload.files.count == 1, upload.files.allSatisfy(\.isWhole))
    if isOne, !isWhole {
      return .message(400, "Each member of 'rules.files' array must contain 'name' and 'content'")
    }
    let buckets = upload.files.compactMap { $0.resource.map { UTF8String($0) } }
    guard isOne || isWhole && buckets.count == upload.files.count else {
      return .message(
        400, "Each member of 'rules.files' array must contain 'name', 'content', and 'resource'")
    }
    return setRules(upload.files, isOne ? nil : buckets)
  }

  private func coverage(_ target: String) -> Answer {
    let target = HTTPTarget(target)
    let bucket = target?.query.first { $0.name == "bucket" }.map { UTF8String($0.value) }
    guard let (ruleset, judge) = rules.ruleset(for: bucket) else {
      return .message(404, "There are no rules; where buckets have their own, ?bucket= names one.")
    }
    return target?.decodedSegments.last == "ruleCoverage"
      ? .coverage(ruleset, judge) : .coveragePage(ruleset, judge)
  }

  /// One file is for all buckets; of several each is for the one that it names.
  private func setRules(_ files: [RulesUpload.File], _ buckets: [UTF8String]?) -> Answer {
    let rulesets = files.map { Ruleset(name: $0.name, content: $0.content) }
    guard rulesets.allSatisfy(\.isValid) else {
      for ruleset in rulesets where !ruleset.isValid {
        logger.error("rules have errors", [.detail: .string(ruleset.compileError)])
      }
      return .message(
        400, "There was an error updating rules, see logs for more details", issuesOf: rulesets)
    }
    if let buckets {
      rules.set(Dictionary(zip(buckets, rulesets)) { $1 })
    } else {
      rules.set(rulesets[0])
    }
    logger.info("storage rules set", [.count: .int(rulesets.count)])
    return .message(200, "Rules updated successfully")
  }
}
