internal import Coding
internal import FirestoreEngine
internal import FirestoreModel
internal import SecurityRules

/// What somebody wants to do.
enum Access: Sendable {
  /// Documents of one database, at least one.
  case get([DocumentName], DatabaseName)
  case query(Query)
  case list(ListDocumentsRequest, [ListOrder], pageSize: Int)
  /// Reads what rules do not speak of: ids of collections, missing documents.
  case metadata(ParentName)
  /// Writes that succeed or fail each on its own.
  case batchWrite(DatabaseName)

  var database: DatabaseName {
    switch self {
    case .get(_, let database): database
    case .query(let query): query.database
    case .list(let request, _, _): request.parent.database
    case .metadata(let parent): parent.database
    case .batchWrite(let database): database
    }
  }
}

extension FirestoreOperations {
  /// Admits `principal`, or throws. Without rules everybody may do everything that rules speak of, and administrators always. Rules look at documents
  /// as they are at the moment of the read, and lock nothing.
  ///
  /// - Returns: the documents that rules have looked at; `nil` if no rules bind `principal`.
  /// - Throws: `PERMISSION_DENIED`; `INVALID_ARGUMENT` if the rules have errors; what a read time gives.
  @discardableResult
  func authorize(
    _ access: Access, at consistency: ReadConsistency = .latest, as principal: Principal
  ) async throws(FirestoreError) -> StoredDocuments? {
    guard let bound = try rules(for: access, principal) else { return nil }
    return try authorize(
      access, by: bound, at: try await point(of: consistency),
      isInTransaction: consistency.isInTransaction, as: principal)
  }

  /// Admits `principal` to what there is at `point`, or now; `isAsked` if that is what the client wants, and so what a denial is
  /// told of.
  ///
  /// - Throws: as above; `FAILED_PRECONDITION` if the moment is forgotten.
  func authorize(
    _ access: Access, at point: ReadPoint?, as principal: Principal, isAsked: Bool = true
  ) throws(FirestoreError) {
    guard let bound = try rules(for: access, principal) else { return }
    try authorize(
      access, by: bound, at: point, isInTransaction: false, as: principal, isAsked: isAsked)
  }

  /// The rules that bind `principal` in `access`; `nil` if none do.
  private func rules(
    for access: Access, _ principal: Principal
  ) throws(FirestoreError) -> (RulesInForce, ServiceRules)? {
    try expectedProject?.note(access.database.project)
    try access.refuse(principal)
    return try rules(for: access.database, principal)
  }

  @discardableResult
  private func authorize(
    _ access: Access, by bound: (RulesInForce, ServiceRules), at point: ReadPoint?,
    isInTransaction: Bool, as principal: Principal, isAsked: Bool = true
  ) throws(FirestoreError) -> StoredDocuments {
    let (entry, rules) = bound
    let database = access.database
    // Times of requests have milliseconds.
    let now = Timestamp(microseconds: engine.timeOfDay / 1_000 * 1_000)
    let context = RulesRequestContext(
      database: database.database.string, auth: principal.rulesValue, time: now,
      isInTransaction: isInTransaction)
    let documents = StoredDocuments(database: database, self.rules.decoded) {
      [engine] (name) throws(FirestoreError) in
      let document = try engine.document(name)
      guard let point else { return document }
      // What has not changed since was the same then.
      if let document, document.updateTime <= point.time { return document }
      return try engine.read(database, at: point) { try $0.document(name.path) }
    }
    do throws(FirestoreError) {
      try judge(
        by: rules, of: entry, at: access.place, as: principal, isAsked: isAsked
      ) { (rules) throws(Denial) in
        try access.judge(by: rules, context, documents)
      }
    } catch {
      // What could not be looked at has refused nobody.
      throw documents.failure ?? error
    }
    return documents
  }

  /// The past moment that a read looks at; `nil` for now.
  private func point(
    of consistency: ReadConsistency
  ) async throws(FirestoreError) -> ReadPoint? {
    switch consistency {
    case .latest, .newTransaction(.readWrite), .newTransaction(.readOnly(readTime: nil)): nil
    case .readTime(let time), .newTransaction(.readOnly(let time?)):
      try await engine.point(at: time)
    case .transaction(let id): engine.point(of: id)
    }
  }

  /// What judges a commit when the documents are at hand; `nil` if it needs no judgement.
  ///
  /// - Throws: `INVALID_ARGUMENT` if the rules have errors.
  func review(
    of writes: [Write], in database: DatabaseName, as principal: Principal
  ) throws(FirestoreError) -> CommitReview? {
    try expectedProject?.note(database.project)
    guard let (entry, rules) = try rules(for: database, principal) else { return nil }
    let judged = RulesWrite.writes(of: writes)
    let auth = principal.rulesValue
    return { [self] preview in
      let context = RulesRequestContext(
        database: database.database.string, auth: auth, time: preview.requestTime,
        isInTransaction: true)
      try judge(
        by: rules, of: entry, at: database.place(of: judged.map(\.path)), as: principal
      ) { (rules) throws(Denial) in
        try rules.judgeWrites(
          judged, context, PreviewedDocuments(preview: preview, decoded: self.rules.decoded))
      }
    }
  }

  /// Whether rules bind `principal`.
  func isBound(_ principal: Principal, in database: DatabaseName) -> Bool {
    switch principal {
    case .administrator: false
    case .anonymous, .user: rules.bind(database)
    }
  }

  /// The rules that bind `principal`; `nil` if none do.
  private func rules(
    for database: DatabaseName, _ principal: Principal
  ) throws(FirestoreError) -> (RulesInForce, ServiceRules)? {
    switch principal {
    case .administrator: return nil
    case .anonymous, .user: break
    }
    guard let (all, judge) = rules.rules(for: database) else { return nil }
    guard let judge else { throw .invalidArgument(all.ruleset.compileError) }
    return (all, judge)
  }

  /// Judges, and tells who wants to know what is refused of that which was asked.
  ///
  /// - Throws: `PERMISSION_DENIED`.
  private func judge(
    by serviceRules: ServiceRules, of entry: RulesInForce,
    at place: @autoclosure () -> String,
    as principal: Principal, isAsked: Bool = true,
    _ judge: (ServiceRules) throws(Denial) -> Void
  ) throws(FirestoreError) {
    do throws(Denial) {
      try judge(serviceRules)
    } catch {
      if isAsked {
        rules.report?(
          DenialReport(
            place: place(), identity: principal.identity,
            lines: serviceRules.explain(entry.ruleset, judge)))
      }
      throw FirestoreError(.permissionDenied, error.message)
    }
  }
}

extension DatabaseName {
  /// The documents or collections at `paths` in words; of many only the first ones.
  fileprivate func place(of paths: [[String]]) -> String {
    let shown = paths.prefix(3).map { "\(text)/documents/\($0.joined(separator: "/"))" }
    return (shown + (paths.count > shown.count ? ["…"] : [])).joined(separator: ", ")
  }
}

extension Access {
  /// What it is about, for the log.
  fileprivate var place: String {
    switch self {
    case .get(let names, let database): database.place(of: names.map(\.path.rulesSegments))
    case .query(let query): database.place(of: [RulesQuery(query).place])
    case .list(let request, let orders, let pageSize):
      database.place(of: [RulesQuery(request, orders, pageSize: pageSize).place])
    case .metadata(let parent): parent.database.text
    case .batchWrite(let database): database.text
    }
  }

  fileprivate func judge(
    by rules: ServiceRules, _ context: RulesRequestContext, _ documents: StoredDocuments
  ) throws(Denial) {
    switch self {
    case .get(let names, _):
      try rules.judgeGet(names.map(\.rulesPath), context, documents)
    case .query(let query): try rules.judgeList(RulesQuery(query), context, documents)
    case .list(let request, let orders, let pageSize):
      try rules.judgeList(RulesQuery(request, orders, pageSize: pageSize), context, documents)
    case .metadata, .batchWrite: break
    }
  }

  /// Refuses what only administrators may do, whether there are rules or not.
  ///
  /// - Throws: `PERMISSION_DENIED`.
  fileprivate func refuse(_ principal: Principal) throws(FirestoreError) {
    guard principal != .administrator else { return }
    switch self {
    case .metadata:
      throw FirestoreError(.permissionDenied, "Metadata operations require admin authentication.")
    case .batchWrite:
      throw FirestoreError(.permissionDenied, "Batch writes require admin authentication.")
    case .get, .query, .list: break
    }
  }
}

extension ReadConsistency {
  fileprivate var isInTransaction: Bool {
    switch self {
    case .latest, .readTime: false
    case .transaction, .newTransaction: true
    }
  }
}
