internal import Coding
internal import FirestoreModel
internal import FirestoreProtocol
internal import HTTPServer

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
  static func rules(_ files: [RulesFile]) -> Answer {
    Answer(200) { $0.writeRules(files) }
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
