/// What a commit does to one document, all of its writes together.
package struct RulesWrite: Sendable {
  /// What is known of the method before the document is read.
  package enum Kind: Sendable {
    case create, update, delete
    /// A write without a precondition: which of the two shows the document.
    case createOrUpdate
    /// A read in the place of a write.
    case verify
  }

  /// The segments below `documents`.
  package var path: [String]
  package var kind: Kind
  /// The document after the commit, where that can be said without reading it.
  package var result: RulesMap?
  /// The fields that transforms change; empty if there are none.
  package var transformedFields: [String]
  /// The fields of the mask; `nil` for a write of the whole document.
  package var maskedFields: [String]?

  package init(
    path: [String], kind: Kind, result: RulesMap? = nil, transformedFields: [String] = [],
    maskedFields: [String]? = nil
  ) {
    self.path = path
    self.kind = kind
    self.result = result
    self.transformedFields = transformedFields
    self.maskedFields = maskedFields
  }
}

extension ServiceRules {
  /// Judges a commit: each document once, first all without reading, then those that this leaves open. The first
  /// refusal ends it.
  package func judgeWrites(
    _ writes: [RulesWrite], _ context: RulesRequestContext, _ documents: some RulesDocuments
  ) throws(Denial) {
    try judge { rules in
      let cache = Self.cache(writes, context, documents)
      var entries: [Denial.Entry]?
      return writes.allSatisfy { write in
        switch WriteJudgement(rules, write, context).withReading(cache, &entries) {
        case .granted: true
        case .refused, .open: false
        }
      }
    } inPhases: { (rules) throws(Denial) in
      try rules.judgeWritesInPhases(writes, context, Self.cache(writes, context, documents))
    }
  }

  private static func cache(
    _ writes: [RulesWrite], _ context: RulesRequestContext, _ documents: some RulesDocuments
  ) -> LookupCache {
    LookupCache(
      documents, database: context.database,
      limit: writes.count == 1 ? LookupCache.limitForOne : LookupCache.limitForAll)
  }

  private func judgeWritesInPhases(
    _ writes: [RulesWrite], _ context: RulesRequestContext, _ cache: LookupCache
  ) throws(Denial) {
    var entries: [Denial.Entry]? = []
    var open: [WriteJudgement] = []
    for write in writes {
      let judgement = WriteJudgement(self, write, context)
      switch judgement.withoutReading(cache, &entries) {
      case .granted: continue
      case .refused: throw Denial(entries: entries ?? [])
      case .open: open.append(judgement)
      }
    }
    for judgement in open {
      guard case .granted = judgement.withReading(cache, &entries) else {
        throw Denial(entries: entries ?? [])
      }
    }
  }
}

/// The judgement of one document of a commit.
private struct WriteJudgement {
  let write: RulesWrite
  let path: RulesPath
  let context: RulesRequestContext
  let judgement: Judgement

  init(_ rules: ServiceRules, _ write: RulesWrite, _ context: RulesRequestContext) {
    self.write = write
    self.context = context
    path = context.path(write.path)
    judgement = Judgement(rules, path: path)
  }

  private func variables(
    _ method: Method, resource: RulesValue, result: RulesValue
  ) -> Evaluator.Variables {
    var request = context.request(
      method, path: .path(path), fields: method == .get ? .null : nil)
    if method != .get {
      request["resource"] = method == .delete ? .null : result
      request["readFields"] = .null
      let transforms = write.transformedFields.map { RulesValue.string($0) }
      request["transforms"] = transforms.isEmpty ? .null : .list(transforms)
      let masked = write.maskedFields?.map { RulesValue.string($0) } ?? []
      request["writeFields"] =
        transforms.isEmpty && write.maskedFields == nil ? .null : .list(transforms + masked)
    }
    return Evaluator.Variables(request: request, resource: resource)
  }

  private func evaluate(
    _ method: Method, _ cache: LookupCache, _ entries: inout [Denial.Entry]?
  ) -> Judgement.Result {
    let result = write.result.map { RulesDocument(path: path, data: $0).value } ?? .unknown
    return judgement.evaluate(
      method, variables(method, resource: .unknown, result: result), entries: &entries,
      lookup: cache.notYet)
  }

  /// The first phase.
  func withoutReading(
    _ cache: LookupCache, _ entries: inout [Denial.Entry]?
  ) -> Judgement.Result {
    switch write.kind {
    case .create: return evaluate(.create, cache, &entries)
    case .update: return evaluate(.update, cache, &entries)
    case .delete: return evaluate(.delete, cache, &entries)
    case .verify: return evaluate(.get, cache, &entries)
    case .createOrUpdate:
      switch (evaluate(.create, cache, &entries), evaluate(.update, cache, &entries)) {
      case (.granted, .granted): return .granted
      case (.refused, .refused): return .refused
      case (.granted, _), (.refused, _), (.open, _): return .open
      }
    }
  }

  /// The second phase: with the document, by the method that it shows.
  func withReading(_ cache: LookupCache, _ entries: inout [Denial.Entry]?) -> Judgement.Result {
    cache.begin(path)
    let stored = cache.stored(path)
    let method: Method =
      switch write.kind {
      case .create: .create
      case .update: .update
      case .delete: .delete
      case .verify: .get
      case .createOrUpdate: stored == nil ? .create : .update
      }
    let variables = variables(
      method, resource: stored?.value ?? .null,
      result: cache.storedAfter(path)?.value ?? .null)
    return judgement.evaluate(method, variables, entries: &entries, lookup: cache.call)
  }
}
