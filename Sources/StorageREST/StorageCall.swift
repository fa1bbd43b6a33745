internal import Coding
internal import HTTPServer
internal import ObjectStorage
internal import StorageService

/// A request about a bucket or what is in it, in parts.
struct StorageCall {
  let exchange: HTTPExchange
  let bucket: UTF8String
  /// What stands behind `/o/`; `nil` if there is nothing.
  let pathName: UTF8String?
  let query: [(name: String, value: String)]

  var request: HTTPRequestHead { exchange.request }

  var fields: HTTPFields { exchange.request.fields }

  var principal: StoragePrincipal {
    StoragePrincipal(authorization: fields.first("authorization"))
  }

  /// Who asks through Firebase's API.
  var requester: StorageRequester { StorageRequester(principal, parameters: query) }

  /// The account that a token of this server's making was given to.
  var email: String? {
    fields.first("authorization").flatMap { AccessToken(authorization: $0) }?.email
  }

  /// The first value of a parameter.
  func parameter(_ name: String) -> String? {
    query.first { $0.name == name }?.value
  }

  /// The object that the path names.
  ///
  /// - Throws: `.invalidArgument`.
  func objectName() throws(StorageError) -> ObjectName {
    guard let pathName else { throw StorageError(.invalidArgument, "Bad Request") }
    return try ObjectName(bucket: bucket, name: pathName)
  }

  /// The object that an upload is to make: named by the path, else by the query, else by its metadata.
  ///
  /// - Throws: `.invalidArgument`.
  func uploadName(_ other: String? = nil) throws(StorageError) -> ObjectName {
    guard let name = pathName ?? (parameter("name") ?? other).map({ UTF8String($0) }) else {
      throw StorageError(.invalidArgument, "Bad Request")
    }
    return try ObjectName(bucket: bucket, name: name)
  }

  /// The conditions of the query, whose names begin with `prefix`.
  ///
  /// - Throws: `.invalidArgument` for what is no number.
  func preconditions(prefix: String = "if") throws(StorageError) -> Preconditions {
    var conditions = Preconditions()
    conditions.generation = try number("\(prefix)GenerationMatch")
    conditions.notGeneration = try number("\(prefix)GenerationNotMatch")
    conditions.metageneration = try number("\(prefix)MetagenerationMatch")
    conditions.notMetageneration = try number("\(prefix)MetagenerationNotMatch")
    return conditions
  }

  /// What `X-Goog-Hash` says that the checksums of the content are.
  var checksums: ExpectedChecksums {
    var checksums = ExpectedChecksums()
    for hash in fields.all("x-goog-hash").flatMap({ $0.split(separator: ",") }) {
      let parts = hash.trimmed.split(separator: "=", maxSplits: 1)
      guard parts.count == 2 else { continue }
      if parts[0] == "md5" { checksums.md5 = parts[1].trimmed }
      if parts[0] == "crc32c" { checksums.crc32c = parts[1].trimmed }
    }
    return checksums
  }

  func number(_ parameter: String) throws(StorageError) -> Int64? {
    guard let text = self.parameter(parameter) else { return nil }
    guard let number = Int64(text) else {
      throw StorageError(.invalidArgument, "Invalid value for \(parameter).")
    }
    return number
  }

  /// Whether the query says `true`, or `True`, as Python does.
  func flag(_ parameter: String) -> Bool { self.parameter(parameter)?.lowercased() == "true" }

  /// Where clients reach this server: what they themselves say.
  var origin: String {
    let scheme = fields.first("x-forwarded-proto") == "https" ? "https" : "http"
    let authority = fields.first("x-forwarded-host") ?? request.authority
    return "\(scheme)://\(authority)"
  }
}
