internal import FirestoreModel

/// What one or several commits changed for a target: each document once, from its first state to its last.
struct TargetChanges: Sendable {
  /// Whether all documents were deleted before `changes`.
  private(set) var isCleared = false
  private var changes: [MatchedChange] = []
  private var places: [DocumentPath: Int] = [:]

  init() {}

  /// All of `news`, in order; `isCleared` if all documents were deleted before.
  ///
  /// - Throws: `DATA_LOSS` if a document can't be read.
  init(_ news: [TargetNews], isCleared: Bool) throws(FirestoreError) {
    if news.count == 1, !isCleared {
      self = try news[0].matched()
      return
    }
    self.isCleared = isCleared
    for piece in news {
      for change in try piece.matched().changes { append(change) }
    }
  }

  /// Documents that are other than they were, in the order of their first changes.
  var all: [MatchedChange] { changes.filter(\.isChange) }

  mutating func append(_ matched: MatchedChange) {
    let name = matched.change.name
    guard let place = places[name.path] else {
      places[name.path] = changes.count
      changes.append(matched)
      return
    }
    let first = changes[place]
    changes[place] = MatchedChange(
      ListenChange(name: name, before: first.change.before, after: matched.change.after),
      before: first.before, after: matched.after)
  }

  /// The document at `path` after a change.
  func document(at path: DocumentPath) -> SharedDocument? {
    places[path].flatMap { changes[$0].change.after }
  }

  func contains(_ path: DocumentPath) -> Bool { places[path] != nil }
}

extension MatchedChange {
  fileprivate var isChange: Bool {
    let (before, after) = (change.before, change.after?.document)
    return before?.updateTime != after?.updateTime || before?.createTime != after?.createTime
  }
}
