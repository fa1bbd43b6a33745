internal import Coding
internal import FirestoreModel
internal import FirestoreProtocol
internal import HTTPServer
internal import SecurityRules

/// A whole answer of a control endpoint.
struct Answer {
  var status: Int
  var fields: HTTPFields
  var body: [UInt8]
  /// Whether the server ends after it.
  var endsServer = false

  static let notFound = Answer(404, text: "Not Found\n")

  static var shuttingDown: Answer {
    var answer = Answer(200, text: "Shutting down...\n")
    answer.endsServer = true
    return answer
  }

  static var empty: Answer {
    Answer(200) { body in
      body.beginObject()
      body.endObject()
    }
  }

  /// The rules as an upload has them.
  static func rules(_ ruleset: Ruleset) -> Answer {
    Answer(200) { $0.writeRules(ruleset) }
  }

  /// The rules and what was evaluated of them.
  static func coverage(_ ruleset: Ruleset, _ rules: ServiceRules?) -> Answer {
    Answer(200) { body in
      body.beginObject()
      rules?.coverage.write(to: &body, key: "report")
      body.writeKey("rules")
      body.writeFiles(of: ruleset)
      body.endObject()
    }
  }

  /// The same as a page.
  static func coveragePage(_ ruleset: Ruleset, _ rules: ServiceRules?) -> Answer {
    let unjudged = ruleset.isValid ? "Everything is allowed.\n" : ruleset.compileError + "\n"
    guard let page = rules?.coveragePage(of: ruleset) else { return Answer(200, text: unjudged) }
    var answer = Answer(200, text: page)
    answer.fields = HTTPFields([("content-type", "text/html; charset=utf-8")])
    return answer
  }

  /// What the compiler has to say; an empty object if nothing.
  static func issues(of ruleset: Ruleset) -> Answer {
    Answer(200) { body in
      body.beginObject()
      body.writeIssues(of: [ruleset])
      body.endObject()
    }
  }

  /// A sentence, with what the compiler has to say of `rulesets`.
  static func message(
    _ status: Int, _ text: String, issuesOf rulesets: [Ruleset] = []
  ) -> Answer {
    Answer(status) { body in
      body.beginObject()
      body.writeKey("message")
      body.writeString(text)
      body.writeIssues(of: rulesets)
      body.endObject()
    }
  }

  init(_ error: FirestoreError) {
    self.init(error.code.httpStatus) { error.write(to: &$0) }
  }

  private init(_ status: Int, text: String) {
    self.status = status
    self.fields = HTTPFields()
    self.body = Array(text.utf8)
  }

  init(_ status: Int, json write: (inout JSONWriter) -> Void) {
    var writer = JSONWriter(isPretty: true)
    write(&writer)
    writer.finish()
    self.status = status
    self.fields = HTTPFields([("content-type", "application/json")])
    self.body = writer.bytes
  }
}
