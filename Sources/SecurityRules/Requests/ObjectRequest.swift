package import Coding

/// A request of Cloud Storage as rules see it.
package struct ObjectRequest: Sendable {
  package var method: Method
  package var bucket: String
  /// The name of the object, or what the names of a list begin with.
  package var name: String
  /// `{uid, token}`, or null for somebody who is not signed in.
  package var auth: RulesValue
  package var time: Timestamp
  /// The parameters of the query of the address.
  package var parameters: RulesMap
  /// The stored object, or null.
  package var resource: RulesValue
  /// The object as it will be; null for reads, lists and deletes.
  package var result: RulesValue

  package init(
    method: Method, bucket: String, name: String, auth: RulesValue, time: Timestamp,
    parameters: RulesMap = [:], resource: RulesValue = .null, result: RulesValue = .null
  ) {
    self.method = method
    self.bucket = bucket
    self.name = name
    self.auth = auth
    self.time = time
    self.parameters = parameters
    self.resource = resource
    self.result = result
  }

  /// `/b/{bucket}/o/…`, the name split at its slashes, without empty parts at the end.
  fileprivate var path: RulesPath {
    var parts = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    while parts.last == "" { parts.removeLast() }
    return RulesPath(["b", bucket, "o"] + parts)
  }
}

extension ServiceRules {
  /// Documents of Firestore that the rules of one request may look at.
  private static let documentLimit = 2

  /// Judges a request of Cloud Storage. `documents` are those of the project, of all its databases.
  package func judgeObject(
    _ object: ObjectRequest, _ documents: some RulesDocuments
  ) throws(Denial) {
    if object.method == .list, program.version == 1 {
      throw Denial(
        message: "Permission denied. List operations are only allowed for rules_version='2'.")
    }
    let path = object.path
    let request: RulesMap = [
      "auth": object.auth, "method": .string(object.method.rawValue),
      "params": .map(object.parameters), "path": .path(path),
      "resource": object.result, "time": .timestamp(object.time),
    ]
    let cache = LookupCache(documents, database: nil, limit: Self.documentLimit)
    let judgement = Judgement(self, path: path)
    var entries: [Denial.Entry]? = []
    let variables = Evaluator.Variables(request: request, resource: object.resource)
    let result = judgement.evaluate(object.method, variables, entries: &entries) {
      (builtin: DocumentFunction, path: RulesPath) throws(EvaluationFailure) -> RulesValue in
      guard builtin == .firestoreExists else { return try cache.call(.get, path) }
      // What cannot be read counts as missing.
      return (try? cache.call(.exists, path)) ?? .bool(false)
    }
    guard case .granted = result else { throw Denial(entries: entries ?? []) }
  }
}
