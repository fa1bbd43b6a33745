internal import Coding
internal import ObjectStorage
internal import SecurityRules

/// What somebody wants to do with objects, in the words of refusals.
enum StorageAccess: Sendable {
  case get, list, create, update, delete

  fileprivate var method: Method {
    switch self {
    case .get: .get
    case .list: .list
    case .create: .create
    case .update: .update
    case .delete: .delete
    }
  }

  fileprivate var denied: StorageError {
    let word =
      switch self {
      case .get: "READ"
      case .list: "LIST"
      case .create, .update, .delete: "WRITE"
      }
    return StorageError(.permissionDenied, "Permission denied. No \(word) permission.")
  }
}

extension StorageOperations {
  /// Admits who wants to read `object`, or a missing one, or throws. One of its download tokens opens it to everybody.
  ///
  /// - Throws: `.permissionDenied`.
  func authorizeRead(
    _ object: Object?, named name: ObjectName, by requester: StorageRequester
  ) throws(StorageError) {
    guard let bench = bench(for: name.bucket, requester) else { return }
    if let token = requester.downloadToken,
      object?.tokens.contains(where: { $0.utf8.elementsEqual(token.utf8) }) ?? false
    {
      return
    }
    try bench.judge(.get, name.name, before: object, after: nil)
  }

  /// Admits who wants to see the names of `bucket` that begin with `prefix`, or throws.
  ///
  /// - Throws: `.permissionDenied`.
  func authorizeList(
    of bucket: UTF8String, _ prefix: UTF8String, by requester: StorageRequester
  ) throws(StorageError) {
    try bench(for: bucket, requester)?.judge(.list, prefix, before: nil, after: nil)
  }

  /// What judges a change of an object when it is made; `nil` if nothing does.
  func review(
    _ access: StorageAccess, of name: ObjectName, by requester: StorageRequester
  ) -> ObjectReview? {
    guard let bench = bench(for: name.bucket, requester) else { return nil }
    return { (before, after) throws(StorageError) in
      try bench.judge(access, name.name, before: before, after: after)
    }
  }

  /// What judges the end of an upload by who began it.
  func uploadReview(_ author: String) -> ObjectReview? {
    guard let rules else { return nil }
    let requester = StorageRequester(StoragePrincipal(author: author))
    return { (before, after) throws(StorageError) in
      guard let name = after?.name, let bench = Bench(rules, name.bucket, requester) else { return }
      try bench.judge(.create, name.name, before: before, after: after)
    }
  }

  private func bench(for bucket: UTF8String, _ requester: StorageRequester) -> Bench? {
    rules.flatMap { Bench($0, bucket, requester) }
  }
}

/// Who is judged by which rules.
private struct Bench: Sendable {
  private let rules: StorageRules
  /// `nil` if no rules allow anything.
  private let entry: RulesInForce?
  private let bucket: UTF8String
  private let requester: StorageRequester

  /// `nil` if no rules bind the requester.
  init?(_ rules: StorageRules, _ bucket: UTF8String, _ requester: StorageRequester) {
    guard requester.principal != .administrator, let entry = rules.entry(for: bucket) else {
      return nil
    }
    self.rules = rules
    self.entry = entry
    self.bucket = bucket
    self.requester = requester
  }

  /// - Throws: `.permissionDenied`.
  func judge(
    _ access: StorageAccess, _ name: UTF8String, before: Object?, after: Object?
  ) throws(StorageError) {
    let token = requester.principal.webToken
    if token?.isOfServiceAccount ?? false { return }
    guard let entry, let judge = entry.rules else {
      throw StorageError(
        .permissionDenied, "Permission denied. Storage Emulator has no loaded ruleset.")
    }
    let claims = token.flatMap { RulesMap(claims: $0.claims) }
    let user = claims?["user_id"] ?? claims?["sub"] ?? .null
    var request = ObjectRequest(
      method: access.method, bucket: bucket.string, name: name.string,
      auth: claims.map { .map(["uid": user, "token": .map($0)]) } ?? .null,
      // Times of requests have milliseconds.
      time: Timestamp(microseconds: rules.now() / 1_000 * 1_000))
    for (name, value) in requester.parameters where request.parameters[name] == nil {
      request.parameters[name] = .string(value)
    }
    if let before { request.resource = .map(RulesMap(before)) }
    if let after { request.result = .map(RulesMap(after)) }
    let documents = rules.documents(bucket)
    do throws(Denial) {
      try judge.judgeObject(request, documents)
    } catch {
      if let report = rules.report {
        let lines = judge.explain(entry.ruleset) { (rules) throws(Denial) in
          try rules.judgeObject(request, documents)
        }
        let identity = claims == nil ? "nobody signed in" : user.identity
        report(DenialReport(place: "gs://\(bucket)/\(name)", identity: identity, lines: lines))
      }
      throw access.denied
    }
  }
}

extension RulesValue {
  /// A `uid` in the words of the log.
  fileprivate var identity: String {
    if case .string(let text) = self { text } else { "a user without uid" }
  }
}

extension RulesMap {
  /// The metadata of an object as rules see it; what is not set is null.
  fileprivate init(_ object: Object) {
    let attributes = object.attributes
    let texts: [(String, String?)] = [
      ("cacheControl", attributes.cacheControl),
      ("contentDisposition", attributes.contentDisposition),
      ("contentEncoding", attributes.contentEncoding ?? "identity"),
      ("contentLanguage", attributes.contentLanguage),
      ("contentType", attributes.contentType ?? "application/octet-stream"),
      ("crc32c", object.crc32cText), ("etag", object.etag), ("md5Hash", object.md5Text),
    ]
    self = [
      "bucket": .string(object.name.bucket.string), "generation": .int(object.generation),
      "metadata": .map(
        RulesMap(
          attributes.sortedCustom.map { .init(key: $0.key.string, value: .string($0.value)) })
      ),
      "metageneration": .int(object.metageneration), "name": .string(object.name.name.string),
      "size": .int(object.size),
      "timeCreated": .timestamp(Timestamp(microseconds: object.created)),
      "updated": .timestamp(Timestamp(microseconds: object.updated)),
    ]
    for (key, text) in texts { self[key] = text.map { .string($0) } ?? .null }
  }
}
