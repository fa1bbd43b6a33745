/// The documents that `get` and its like read during one request: each once, and not too many.
final class LookupCache {
  /// For one document of a commit, and for a request about one document.
  static let limitForOne = 10
  /// For a query, and for all documents of a commit.
  static let limitForAll = 20

  /// A document that was looked at.
  fileprivate struct Known {
    typealias Result = Swift.Result<RulesDocument?, RulesDocumentsError>

    let path: RulesPath
    /// As it was before the request and as it is after it; `nil` while nobody has asked.
    var before: Result?
    var after: Result?
    /// Which document of a commit has asked for it last; `nil` while it was not counted.
    var turn: Int?
  }

  fileprivate struct State {
    // Few, by the limits.
    var known: [Known] = []
    /// How many of them were counted.
    var count = 0
    /// Which of the documents of a commit is judged, and how many others that has cost.
    var turn = 0
    var countOfTurn = 0
    /// The document that the rules are about, which costs nothing.
    var own: RulesPath?
  }

  private let documents: any RulesDocuments
  /// `nil` lets every database be read.
  private let database: String?
  private let limit: Int
  // In one, as each access to a property is checked.
  private var state = State()

  init(_ documents: any RulesDocuments, database: String?, limit: Int) {
    self.documents = documents
    self.database = database
    self.limit = limit
    state.known.reserveCapacity(2)
  }

  /// The next lookups are for the document at `path`.
  func begin(_ path: RulesPath) {
    state.begin(path)
  }

  /// The document before the request; `nil` also if it can't be read.
  func stored(_ path: RulesPath) -> RulesDocument? {
    (try? state.document(path, in: documents, isAfter: false)) ?? nil
  }

  /// The document after the request.
  func storedAfter(_ path: RulesPath) -> RulesDocument? {
    (try? state.document(path, in: documents, isAfter: true)) ?? nil
  }

  /// The first phase, in which no document is read: a path that no document has fails all the same.
  func notYet(_ builtin: DocumentFunction, _ path: RulesPath) throws(EvaluationFailure)
    -> RulesValue
  {
    _ = try document(builtin, path)
    throw .unknown
  }

  /// The path of a document, all of it text.
  private func document(
    _ builtin: DocumentFunction, _ path: RulesPath
  ) throws(EvaluationFailure) -> RulesPath {
    let whole = RulesPath(segments: path.flattened)
    let count = whole.segments.count
    guard path.unboundName == nil, count >= 5, count % 2 == 1,
      let database = whole.text(at: 1), database == self.database ?? database,
      whole.text(at: 0) == "databases", whole.text(at: 2) == "documents"
    else { throw .service(builtin.rawValue, path) }
    return whole
  }

  /// The value of one of the functions that read documents.
  func call(_ builtin: DocumentFunction, _ path: RulesPath) throws(EvaluationFailure) -> RulesValue
  {
    let whole = try document(builtin, path)
    let isAfter = builtin == .getAfter || builtin == .existsAfter
    do throws(RulesDocumentsError) {
      let document = try state.admitted(whole, limit, in: documents, isAfter: isAfter)
      if builtin == .exists || builtin == .existsAfter { return .bool(document != nil) }
      if let document { return document.value }
      // A document that the request deletes is null; one that never was is an error.
      if isAfter, try state.document(whole, in: documents, isAfter: false) != nil { return .null }
    } catch {}
    throw .service(builtin.rawValue, path)
  }
}

extension LookupCache.State {
  mutating func begin(_ path: RulesPath) {
    own = path
    turn += 1
    countOfTurn = 0
  }

  /// Where a document is among the known ones, from now on at the latest.
  private mutating func place(of path: RulesPath) -> Int {
    for place in known.indices where known[place].path == path { return place }
    known.append(LookupCache.Known(path: path))
    return known.count - 1
  }

  /// A document that rules ask for: one that was not read before is counted.
  ///
  /// - Throws: also beyond the limits.
  mutating func admitted(
    _ path: RulesPath, _ limit: Int, in documents: any RulesDocuments, isAfter: Bool
  ) throws(RulesDocumentsError) -> RulesDocument? {
    let place = place(of: path)
    guard path == own || known[place].turn == turn || admits(place, limit) else {
      throw RulesDocumentsError()
    }
    return try read(place, in: documents, isAfter: isAfter)
  }

  private mutating func admits(_ place: Int, _ limit: Int) -> Bool {
    let isNew = known[place].turn == nil
    let limitOfTurn =
      limit == LookupCache.limitForAll && own == nil ? limit : LookupCache.limitForOne
    guard countOfTurn < limitOfTurn, !isNew || count < limit else { return false }
    countOfTurn += 1
    count += isNew ? 1 : 0
    known[place].turn = turn
    return true
  }

  mutating func document(
    _ path: RulesPath, in documents: any RulesDocuments, isAfter: Bool
  ) throws(RulesDocumentsError) -> RulesDocument? {
    try read(place(of: path), in: documents, isAfter: isAfter)
  }

  private mutating func read(
    _ place: Int, in documents: any RulesDocuments, isAfter: Bool
  ) throws(RulesDocumentsError) -> RulesDocument? {
    if let result = isAfter ? known[place].after : known[place].before { return try result.get() }
    let path = known[place].path
    let result: LookupCache.Known.Result
    do throws(RulesDocumentsError) {
      result = .success(
        isAfter ? try documents.documentAfter(path) : try documents.document(path))
    } catch {
      result = .failure(error)
    }
    if isAfter { known[place].after = result } else { known[place].before = result }
    return try result.get()
  }
}
