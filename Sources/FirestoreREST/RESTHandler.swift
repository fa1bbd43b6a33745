internal import Coding
package import FirestoreAPI
package import FirestoreModel
internal import FirestoreProtocol
internal import FirestoreService
package import HTTPServer

/// Answers the v1 API over HTTP and JSON.
package final class RESTHandler: HTTPHandler {
  /// JSON is longer than the 17 MiB that a message may have over gRPC.
  private static let bodyLimit = 32 << 20

  private let methods: FirestoreMethods
  private let router = Router()
  private let failed: @Sendable (HTTPRequestHead, FirestoreError) -> Void

  /// `failed` is told of each request that is answered with an error.
  package init(
    _ methods: FirestoreMethods,
    failed: @escaping @Sendable (HTTPRequestHead, FirestoreError) -> Void = { _, _ in }
  ) {
    self.methods = methods
    self.failed = failed
  }

  package func handle(_ exchange: HTTPExchange) async {
    var isPretty = true
    do throws(FirestoreError) {
      guard let target = HTTPTarget(exchange.request.target) else {
        throw .invalidArgument("The path or the query is no percent-encoded UTF-8.")
      }
      isPretty = target.parameter("prettyPrint") != "false"
      guard let match = router.match(exchange.request.method, target),
        Self.takesBody(of: exchange.request)
      else {
        try? await exchange.response.respondNotFound()
        return
      }
      let principal = try principal(of: exchange.request, target)
      try Self.checkSlashes(match)
      let call = RESTCall(
        match: match, query: target.query, body: try await Self.body(of: exchange))
      let answer = RESTAnswer(
        exchange.response, isPretty: isPretty,
        enumsAreNumbers: (target.parameter("$alt") ?? target.parameter("alt") ?? "")
          .hasSuffix("enum-encoding=int"))
      try await perform(call, as: principal, answer)
    } catch {
      failed(exchange.request, error)
      await RESTAnswer.refuse(error, exchange.response)
    }
  }

  private func perform(
    _ call: RESTCall, as principal: Principal, _ answer: RESTAnswer
  ) async throws(FirestoreError) {
    switch call.match.method {
    case .getDocument:
      try await answer.send(methods.getDocument(call.request(), as: principal))
    case .listDocuments:
      try await answer.send(methods.listDocuments(call.request(), as: principal))
    case .createDocument:
      try await answer.send(methods.createDocument(call.request(\.document), as: principal))
    case .updateDocument:
      try await answer.send(methods.updateDocument(call.request(\.document), as: principal))
    case .deleteDocument:
      try await answer.send(methods.deleteDocument(call.request(), as: principal))
    case .commit:
      try await answer.send(methods.commit(call.request(\.database), as: principal))
    case .batchGetDocuments:
      let request: V1.BatchGetDocumentsRequest = try call.request(\.database)
      try await answer.stream { (send) throws(FirestoreError) in
        try await methods.batchGetDocuments(request, as: principal, send: send)
      }
    case .listCollectionIDs:
      try await answer.send(methods.listCollectionIDs(call.request(\.parent), as: principal))
    case .batchWrite:
      try await answer.send(methods.batchWrite(call.request(\.database), as: principal))
    case .runQuery:
      let request: V1.RunQueryRequest = try call.request(\.parent)
      try await answer.stream { (send) throws(FirestoreError) in
        try await methods.runQuery(request, as: principal, send: send)
      }
    case .runAggregationQuery:
      let request: V1.RunAggregationQueryRequest = try call.request(\.parent)
      try await answer.stream(
        { (send) throws(FirestoreError) in
          try await methods.runAggregationQuery(request, as: principal, send: send)
        }, isDone: { $0.transaction.isEmpty })
    case .partitionQuery:
      try await answer.send(methods.partitionQuery(call.request(\.parent), as: principal))
    case .beginTransaction:
      try await answer.send(methods.beginTransaction(call.request(\.database), as: principal))
    case .rollback:
      try await answer.send(methods.rollback(call.request(\.database), as: principal))
    case .executePipeline, .write, .listen:
      throw methods.unimplemented(call.match.method)
    }
  }

  /// Who sends a request: the header counts, else the parameter `access_token`.
  private func principal(
    of request: HTTPRequestHead, _ target: HTTPTarget
  ) throws(FirestoreError) -> Principal {
    try methods.principal(
      authorization: request.fields.first("authorization")
        ?? target.parameter("access_token").map { "Bearer \($0)" })
  }

  /// Whether the body is of a type that is read: JSON, text, or none said. Web SDKs send JSON as text to spare
  /// preflights; the official emulator has nothing for other types, forms among them.
  private static func takesBody(of request: HTTPRequestHead) -> Bool {
    guard let type = request.fields.first("content-type") else { return true }
    let name = type.prefix { $0 != ";" && $0 != " " }.lowercased()
    return name.hasPrefix("text/") || name.hasSuffix("json")
  }

  private static func body(of exchange: HTTPExchange) async throws(FirestoreError) -> [UInt8] {
    do throws(HTTPStreamError) {
      return try await exchange.body.collect(upTo: bodyLimit)
    } catch {
      switch error.code {
      case .tooLarge:
        throw .invalidArgument("Request payload size exceeds the limit: \(bodyLimit) bytes.")
      case .malformed:
        throw .invalidArgument("The body is malformed.")
      case .disconnected, .cancelled:
        throw FirestoreError(.cancelled, "The request was cancelled.")
      case .draining:
        throw FirestoreError(.unavailable, "The server is shutting down.")
      }
    }
  }

  /// An encoded slash is part of an id, and no id may have one.
  private static func checkSlashes(_ match: Router.Match) throws(FirestoreError) {
    guard match.hasEncodedSlash else { return }
    for (name, value) in match.variables where name == "name" || name == "document.name" {
      _ = try DocumentName(parsing: value)
    }
    throw .invalidArgument("An id in the path is invalid because it contains \"/\".")
  }
}

extension HTTPTarget {
  /// The last value of a parameter.
  func parameter(_ name: String) -> String? {
    query.last { $0.name == name }?.value
  }
}
