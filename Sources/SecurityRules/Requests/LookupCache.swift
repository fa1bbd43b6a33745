/// The documents that `get` and its like read during one request: each once, and not too many.
final class LookupCache {
  /// For one document of a commit, and for a request about one document.
  static let limitForOne = 10
  /// For a query, and for all documents of a commit.
  static let limitForAll = 20

  private let documents: any RulesDocuments
  /// `nil` lets every database be read.
  private let database: String?
  private let limit: Int
  // Few, by the limits.
  private var before: [(path: [String], result: Result<RulesDocument?, RulesDocumentsError>)] = []
  private var after: [(path: [String], result: Result<RulesDocument?, RulesDocumentsError>)] = []
  private var admitted: [(path: [String], turn: Int)] = []
  /// Which of the documents of a commit is judged, and how many others that has cost.
  private var turn = 0
  private var countOfTurn = 0
  /// The document that the rules are about, which costs nothing.
  private var own: [String] = []

  init(_ documents: any RulesDocuments, database: String?, limit: Int) {
    self.documents = documents
    self.database = database
    self.limit = limit
  }

  /// The next lookups are for the document at `path`.
  func begin(_ path: [String]) {
    own = path
    turn += 1
    countOfTurn = 0
  }

  /// The document before the request; `nil` also if it can't be read.
  func stored(_ path: [String]) -> RulesDocument? { (try? cached(path, isAfter: false)) ?? nil }

  /// The document after the request.
  func storedAfter(_ path: [String]) -> RulesDocument? {
    (try? cached(path, isAfter: true)) ?? nil
  }

  /// The first phase, in which no document is read: a path that no document has fails all the same.
  func notYet(_ builtin: Builtin, _ path: RulesPath) throws(EvaluationFailure) -> RulesValue {
    _ = try document(builtin, path)
    throw .unknown
  }

  /// The segments of the path of a document.
  private func document(
    _ builtin: Builtin, _ path: RulesPath
  ) throws(EvaluationFailure) -> [String] {
    guard let texts = path.texts, texts.count >= 5, texts.count % 2 == 1,
      texts[0] == "databases", texts[2] == "documents", texts[1] == database ?? texts[1]
    else { throw .service(builtin.rawValue, path) }
    return texts
  }

  /// The value of one of the functions that read documents.
  func call(_ builtin: Builtin, _ path: RulesPath) throws(EvaluationFailure) -> RulesValue {
    let isAfter = builtin == .getAfter || builtin == .existsAfter
    let texts = try document(builtin, path)
    guard admits(texts) else { throw .service(builtin.rawValue, path) }
    let document: RulesDocument?
    let stored: RulesDocument?
    do throws(RulesDocumentsError) {
      document = try cached(texts, isAfter: isAfter)
      stored = isAfter && document == nil ? try cached(texts, isAfter: false) : nil
    } catch {
      throw .service(builtin.rawValue, path)
    }
    if builtin == .exists || builtin == .existsAfter { return .bool(document != nil) }
    if let document { return document.value }
    // A document that the request deletes is null; one that never was is an error.
    if stored != nil { return .null }
    throw .service(builtin.rawValue, path)
  }

  /// Counts a document that was not read before; `false` beyond the limits.
  private func admits(_ path: [String]) -> Bool {
    if path.haveBytes(of: own) { return true }
    let known = admitted.firstIndex { $0.path.haveBytes(of: path) }
    if let known, admitted[known].turn == turn { return true }
    guard countOfTurn < (limit == Self.limitForAll && own.isEmpty ? limit : Self.limitForOne),
      known != nil || admitted.count < limit
    else { return false }
    countOfTurn += 1
    if let known {
      admitted[known].turn = turn
    } else {
      admitted.append((path, turn))
    }
    return true
  }

  private func cached(
    _ path: [String], isAfter: Bool
  ) throws(RulesDocumentsError) -> RulesDocument? {
    if let (_, result) = (isAfter ? after : before).first(where: { $0.path.haveBytes(of: path) }) {
      return try result.get()
    }
    let result: Result<RulesDocument?, RulesDocumentsError>
    do throws(RulesDocumentsError) {
      result = .success(
        isAfter ? try documents.documentAfter(path) : try documents.document(path))
    } catch {
      result = .failure(error)
    }
    if isAfter { after.append((path, result)) } else { before.append((path, result)) }
    return try result.get()
  }
}
