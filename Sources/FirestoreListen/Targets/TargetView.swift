internal import FirestoreModel

/// A target on its way over some commits: it looks at what changed, is filled up where results are missing, and then says what
/// its client is to be told.
struct TargetView {
  private(set) var target: ActiveTarget
  private let changes: TargetChanges
  private let news: [TargetNews]
  private var known: [TargetEffect]

  /// - Throws: `DATA_LOSS` if a document can't be read.
  init(
    _ target: ActiveTarget, _ news: [TargetNews], isCleared: Bool
  ) throws(FirestoreError) {
    self.target = target
    self.news = news
    changes = try TargetChanges(news, isCleared: isCleared)
    known = self.target.effects(of: changes)
  }

  /// Whether a client has to forget all it knows, as nobody remembers that.
  var isReset: Bool { target.needsReset(for: changes) }

  /// Whether results are missing.
  var isShort: Bool { target.window?.isShort == true }

  /// Fills up with what another listener has found, if there is one.
  mutating func refill() -> Bool {
    guard let content = news.last?.window else { return false }
    target.window?.fill(content)
    return true
  }

  /// Fills up with the first results of the query, for other listeners too.
  mutating func refill(with content: WindowContent) {
    news.last?.window = content
    target.window?.fill(content)
  }

  /// What the client is to be told; `read` looks up documents that exist.
  mutating func effects(
    in database: DatabaseName,
    _ read: ([DocumentPath]) throws(FirestoreError) -> [DocumentPath: Document]
  ) throws(FirestoreError) -> [TargetEffect] {
    guard target.window != nil else { return known }
    let (shown, unread) = target.show(changes, in: database)
    var effects = known + shown
    guard !unread.isEmpty else { return effects }
    if let news = news.last {
      effects += try news.documents(unread, read).map { .matches($0) }
    } else {
      let found = try read(unread)
      effects += unread.compactMap { found[$0].map { .matches(SharedDocument($0)) } }
    }
    return effects
  }
}
