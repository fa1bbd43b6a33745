internal import Coding
internal import FirestoreModel
internal import FirestoreProtocol

/// What a request over HTTP gives to the message of its method.
struct RESTCall: Sendable {
  var match: Router.Match
  var query: [(name: String, value: String)]
  var body: [UInt8]

  /// The request of a method whose body is the whole message; `name` is what the path says too.
  func request<Request: Message>(
    _ name: WritableKeyPath<Request, String>
  ) throws(FirestoreError) -> Request {
    var request: Request = try decodeBody()
    try bind(&request[keyPath: name])
    return request
  }

  /// The request of a method without a body: path and query are all there is.
  func request<Request: Message>() throws(FirestoreError) -> Request {
    var request = Request()
    try addParameters(to: &request)
    return request
  }

  /// The request of CreateDocument and UpdateDocument, whose body is the member `document`.
  func request<Request: Message>(
    _ document: WritableKeyPath<Request, V1.Document?>
  ) throws(FirestoreError) -> Request {
    var request = Request()
    var content: V1.Document = try decodeBody()
    if match.variables.contains(where: { $0.name == "document.name" }) { try bind(&content.name) }
    request[keyPath: document] = content
    try addParameters(to: &request)
    return request
  }

  private func decodeBody<Body: Message>() throws(FirestoreError) -> Body {
    do {
      return try Body(json: body)
    } catch {
      throw FirestoreError(error)
    }
  }

  /// Gives a name in the body the value that the path has; another value than that is an error.
  private func bind(_ name: inout String) throws(FirestoreError) {
    guard let variable = match.variables.first else { return }
    guard name.isEmpty || UTF8String(name) == UTF8String(variable.value) else {
      throw .invalidArgument(
        "The body names \"\(name)\", but the path \"\(variable.value)\".")
    }
    name = variable.value
  }

  /// Sets what path and query say; query parameters that the message does not have are ignored.
  private func addParameters(to request: inout some Message) throws(FirestoreError) {
    for (name, value) in match.variables where name != "document.name" {
      try set(name, value, in: &request)
    }
    for (name, value) in query {
      try set(name, Self.booleans.contains(name) ? Self.boolean(value) : value, in: &request)
    }
  }

  private func set(
    _ name: String, _ value: String, in request: inout some Message
  ) throws(FirestoreError) {
    do {
      _ = try request.setParameter(name, value)
    } catch {
      throw .invalidArgument("Invalid value at '\(name)': \"\(value)\".")
    }
  }

  private static let booleans: Set<String> = [
    "currentDocument.exists", "current_document.exists", "showMissing", "show_missing",
  ]

  /// As a parameter everything but `true` is false in the official emulator.
  private static func boolean(_ value: String) -> String {
    value.lowercased() == "true" ? "true" : "false"
  }
}
