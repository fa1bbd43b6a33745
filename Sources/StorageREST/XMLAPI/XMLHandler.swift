internal import Coding
package import HTTPServer
package import ObjectStorage
package import StorageService

/// Answers the XML API of Cloud Storage: `/bucket/name`, or `/name` at a host that is called like the bucket. Everybody is the
/// administrator there; signatures are looked at only where an account is configured, their time always.
package struct XMLHandler: HTTPHandler {
  let operations: StorageOperations
  let failed: @Sendable (HTTPRequestHead, StorageError) -> Void
  /// Seconds since 1970.
  let now: @Sendable () -> Int64
  /// Whose signatures count; `nil` for everybody's.
  let account: SigningAccount?

  /// `failed` is told of each request that is answered with an error.
  package init(
    _ operations: StorageOperations, account: SigningAccount? = nil,
    now: @escaping @Sendable () -> Int64,
    failed: @escaping @Sendable (HTTPRequestHead, StorageError) -> Void
  ) {
    self.operations = operations
    self.account = account
    self.now = now
    self.failed = failed
  }

  package func handle(_ exchange: HTTPExchange) async {
    var answer: StorageAnswer?
    do throws(XMLError) {
      answer = try await self.answer(exchange)
    } catch {
      answer = StorageAnswer(error)
    }
    await answer?.send(to: exchange)
  }

  /// - Returns: `nil` if the answer was sent already.
  private func answer(_ exchange: HTTPExchange) async throws(XMLError) -> StorageAnswer? {
    guard let target = HTTPTarget(exchange.request.target) else { throw .invalidArgument }
    var segments = target.decodedSegments[...]
    let bucket = bucket(ofHost: exchange.request.authority) ?? segments.popFirst() ?? ""
    let name = segments.joined(separator: "/")
    let call = StorageCall(
      exchange: exchange, bucket: UTF8String(bucket),
      pathName: name.utf8.isEmpty ? nil : UTF8String(name), query: target.query)
    try SignedTime(call).check(now: now())
    if let account { try URLSignature(call).check(by: account) }
    guard !bucket.isEmpty else { throw .notImplemented }
    let parts = [
      "acl", "cors", "lifecycle", "versioning", "tagging", "website", "logging",
      "storageClass", "location", "uploads", "policy", "encryption",
    ]
    if Self.isAboutParts(call) { return try await answerParts(call) }
    guard !target.query.contains(where: { parts.contains($0.name) }) else { throw .notImplemented }
    do throws(StorageError) {
      if call.pathName == nil, FormPost.isBrought(by: call) { return try await answerForm(call) }
      return call.pathName == nil ? try await answerBucket(call) : try await answerObject(call)
    } catch {
      failed(exchange.request, error)
      throw XMLError(error, call)
    }
  }

  /// Whether the host of a request says what bucket it is about.
  package func isAtBucket(_ request: HTTPRequestHead) -> Bool {
    bucket(ofHost: request.authority) != nil
  }

  /// The bucket that a host is called like: below a domain of ours, one that there is below any other, or one that is called like the
  /// whole domain.
  private func bucket(ofHost authority: String) -> String? {
    let host = authority.split(separator: ":").first ?? ""
    for domain in [".storage.googleapis.com", ".localhost"]
    where host.hasSuffix(domain) && host.utf8.count > domain.utf8.count {
      return String(host.dropLast(domain.count))
    }
    let last = host.split(separator: ".").last ?? ""
    guard last.utf8.count < host.utf8.count, last.utf8.contains(where: { !(0x30...0x39 ~= $0) }),
      !host.hasSuffix(".googleapis.com")
    else { return nil }
    return [host, host.prefix { $0 != "." }].map(String.init).first {
      (try? operations.getBucket(UTF8String($0))) != nil
    }
  }
}
