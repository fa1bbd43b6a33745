/// A method of a gRPC service with its HTTP bindings.
package protocol ServiceMethod: CaseIterable, Hashable, Sendable {
  /// The full name of the service.
  static var service: String { get }

  var name: String { get }
  var request: any Message.Type { get }
  var response: any Message.Type { get }
  var isClientStreaming: Bool { get }
  var isServerStreaming: Bool { get }
  var bindings: [HTTPBinding] { get }
}

extension ServiceMethod {
  /// `/google.firestore.v1.Firestore/GetDocument`.
  package var path: String { "/\(Self.service)/\(name)" }
}

/// How a method is called over HTTP and JSON.
package struct HTTPBinding: Hashable, Sendable {
  /// What the body of a request is.
  package enum Body: Hashable, Sendable {
    case absent
    case message
    /// One field of the request, by its name in the schema.
    case member(String)
  }

  package var verb: String
  /// A template in the syntax of `google.api.http`, such as `/v1/{name=projects/*/databases/*/documents/*/**}`.
  package var template: String
  package var body: Body

  package init(_ verb: String, _ template: String, body: Body) {
    self.verb = verb
    self.template = template
    self.body = body
  }
}
