/// The rules of one service, ready to judge requests.
package struct ServiceRules: Sendable {
  let program: Program
  let index: StatementIndex
  /// What was evaluated since these rules are in force.
  package let coverage: Coverage
  /// Told of what is evaluated: the coverage, or what explains a denial.
  var observer: any EvaluationObserver & Sendable

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
    self.program = program
    coverage = Coverage(program)
    observer = coverage
    index = program.service(named: service).map(StatementIndex.init) ?? StatementIndex()
  }
}

extension ServiceRules {
  /// Judges the read of documents; `paths` are their segments below `documents`. As commits are: first all without reading, then
  /// those that this leaves open; the first refusal ends it.
  package func judgeGet(
    _ paths: [[String]], _ context: RulesRequestContext, _ documents: some RulesDocuments
  ) throws(Denial) {
    let cache = LookupCache(
      documents, database: context.database,
      limit: paths.count == 1 ? LookupCache.limitForOne : LookupCache.limitForAll)
    var entries: [Denial.Entry] = []
    var open: [(path: [String], request: RulesMap, judgement: Judgement)] = []
    for path in paths {
      let whole = context.path(path)
      var request = context.request(.get, path: .path(RulesPath(whole)))
      request["fields"] = .null
      let judgement = Judgement(self, path: whole.map { .text($0) })
      let unread = Evaluator.Variables(request: request, resource: .unknown)
      switch judgement.evaluate(.get, unread, entries: &entries, lookup: cache.notYet) {
      case .granted: continue
      case .refused: throw Denial(entries: entries)
      case .open: open.append((whole, request, judgement))
      }
    }
    for (path, request, judgement) in open {
      cache.begin(path)
      let read = Evaluator.Variables(
        request: request, resource: cache.stored(path)?.value ?? .null)
      guard case .granted = judgement.evaluate(.get, read, entries: &entries, lookup: cache.call)
      else { throw Denial(entries: entries) }
    }
  }
}
