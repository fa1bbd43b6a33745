/// The rules of one service, ready to judge requests.
package struct ServiceRules: Sendable {
  /// What the rules are. In one place, as they are handed on with each request.
  private final class Body: Sendable {
    let program: Program
    let index: StatementIndex
    let coverage: Coverage

    init(_ program: Program, _ index: StatementIndex, _ coverage: Coverage) {
      self.program = program
      self.index = index
      self.coverage = coverage
    }
  }

  private let body: Body
  /// Whether the coverage counts what is evaluated.
  var isCounted = true
  /// Keeps what is evaluated, to explain a denial; `nil` otherwise.
  var trace: Trace?

  var program: Program { body.program }
  var index: StatementIndex { body.index }
  /// What was evaluated since these rules are in force.
  package var coverage: Coverage { body.coverage }

  /// The rules of Cloud Firestore in a ruleset; without a service of that name nothing is allowed.
  ///
  /// `nil` if the ruleset has errors.
  package init?(firestore ruleset: Ruleset) {
    self.init(ruleset, "cloud.firestore")
  }

  /// The rules of Cloud Storage in a ruleset; as those of Firestore otherwise.
  package init?(storage ruleset: Ruleset) {
    self.init(ruleset, "firebase.storage")
  }

  private init?(_ ruleset: Ruleset, _ service: String) {
    guard let program = ruleset.program else { return nil }
    let index = program.service(named: service).map { StatementIndex($0) }
    body = Body(program, index ?? StatementIndex(), Coverage(program))
  }

  private init(_ body: Body) {
    self.body = body
  }

  /// The same rules; `coverage`, of the same source, is told of what is evaluated.
  func counted(by coverage: Coverage) -> ServiceRules {
    ServiceRules(Body(program, index, coverage))
  }
}

extension ServiceRules {
  /// Judges by one of two ways that decide alike: in phases, first without reading documents, as messages and coverage tell it; or,
  /// when coverage has seen enough of that, at once with all that there is. What is refused then is judged in phases once more, for
  /// the message.
  func judge(
    atOnce: (ServiceRules) -> Bool, inPhases: (ServiceRules) throws(Denial) -> Void
  ) throws(Denial) {
    guard isCounted, coverage.hasSeenPhases() else { return try inPhases(self) }
    if atOnce(self) { return }
    var rules = self
    rules.isCounted = false
    try inPhases(rules)
  }

  /// Judges the read of documents; `paths` are whole ones, from `databases` on. As commits are: first all without reading, then
  /// those that this leaves open; the first refusal ends it.
  package func judgeGet(
    _ paths: [RulesPath], _ context: RulesRequestContext, _ documents: some RulesDocuments
  ) throws(Denial) {
    try judge { rules in
      rules.grantsGet(paths, context, documents)
    } inPhases: { (rules) throws(Denial) in
      try rules.judgeGetInPhases(paths, context, documents)
    }
  }

  private func cache(
    _ paths: [RulesPath], _ context: RulesRequestContext, _ documents: some RulesDocuments
  ) -> LookupCache {
    LookupCache(
      documents, database: context.database,
      limit: paths.count == 1 ? LookupCache.limitForOne : LookupCache.limitForAll)
  }

  private func grantsGet(
    _ paths: [RulesPath], _ context: RulesRequestContext, _ documents: some RulesDocuments
  ) -> Bool {
    let cache = cache(paths, context, documents)
    return paths.allSatisfy { path in
      let judgement = Judgement(self, path: path)
      cache.begin(path)
      let variables = Evaluator.Variables(read: path, context, resource: .stored(path, in: cache))
      var entries: [Denial.Entry]?
      switch judgement.evaluate(.get, variables, entries: &entries, lookup: cache.call) {
      case .granted: return true
      case .refused, .open: return false
      }
    }
  }

  private func judgeGetInPhases(
    _ paths: [RulesPath], _ context: RulesRequestContext, _ documents: some RulesDocuments
  ) throws(Denial) {
    let cache = cache(paths, context, documents)
    var entries: [Denial.Entry]? = []
    var open: [Judgement] = []
    for path in paths {
      let judgement = Judgement(self, path: path)
      let unread = Evaluator.Variables(read: path, context, resource: .value(.unknown))
      switch judgement.evaluate(.get, unread, entries: &entries, lookup: cache.notYet) {
      case .granted: continue
      case .refused: throw Denial(entries: entries ?? [])
      case .open: open.append(judgement)
      }
    }
    for judgement in open {
      cache.begin(judgement.path)
      let read = Evaluator.Variables(
        read: judgement.path, context, resource: .stored(judgement.path, in: cache))
      guard case .granted = judgement.evaluate(.get, read, entries: &entries, lookup: cache.call)
      else { throw Denial(entries: entries ?? []) }
    }
  }
}
