internal import FirestoreModel
internal import Synchronization

/// What one commit changed for all listeners of one selection. The first of them that needs to know more finds it out for all.
final class TargetNews: Sendable {
  /// Something that is found out once.
  private struct Found {
    var matched: Result<TargetChanges, FirestoreError>?
    var window: WindowContent?
    var documents: [DocumentPath: SharedDocument?] = [:]
    var batches: [Int32: ListenBatch] = [:]
  }

  let changes: [ListenChange]
  /// About the memory that it keeps.
  let size: Int
  private let selection: ListenTarget.Selection
  private let found = Mutex(Found())

  init(_ changes: [ListenChange], for selection: ListenTarget.Selection) {
    self.changes = changes
    self.selection = selection
    size = changes.reduce(0) { $0 + $1.size }
  }

  /// The changes with the places of their documents.
  ///
  /// - Throws: `DATA_LOSS` if a document can't be read.
  func matched() throws(FirestoreError) -> TargetChanges {
    let result = found.withLock { found in
      if let matched = found.matched { return matched }
      let matched = Result { () throws(FirestoreError) in
        var matched = TargetChanges()
        for change in changes { matched.append(try MatchedChange(change, selection)) }
        return matched
      }
      found.matched = matched
      return matched
    }
    return try result.get()
  }

  /// The messages for a target that remembers nothing, at the moment of the commit; `nil` if a document can't be read.
  func batch(for target: ActiveTarget, at moment: ListenMoment) -> ListenBatch? {
    if let batch = found.withLock({ $0.batches[target.id] }) { return batch }
    var builder = SnapshotBuilder()
    do {
      var target = target
      for effect in target.effects(of: try matched()) { try builder.append(effect, of: target) }
    } catch {
      return nil
    }
    let batch = ListenBatch(builder.messages(at: moment))
    return found.withLock { found in
      let first = found.batches[target.id] ?? batch
      found.batches[target.id] = first
      return first
    }
  }

  /// The first results of the query after the commit, if somebody has looked them up.
  var window: WindowContent? {
    get { found.withLock { $0.window } }
    set { found.withLock { $0.window = newValue } }
  }

  /// Those of the documents that exist after the commit; `read` looks up the ones that nobody has asked for.
  func documents(
    _ paths: [DocumentPath],
    _ read: ([DocumentPath]) throws(FirestoreError) -> [DocumentPath: Document]
  ) throws(FirestoreError) -> [SharedDocument] {
    let known = found.withLock { $0.documents }
    let unknown = paths.filter { known[$0] == nil }
    let documents = unknown.isEmpty ? [:] : try read(unknown)
    return found.withLock { found in
      for path in unknown where found.documents[path] == nil {
        found.documents[path] = .some(documents[path].map(SharedDocument.init))
      }
      return paths.compactMap { found.documents[$0] ?? nil }
    }
  }
}

/// A changed document with its places among the results of a query: of one that matches no longer, or not yet, there is none.
struct MatchedChange: Sendable {
  let change: ListenChange
  let before: SortKey?
  let after: SortKey?

  init(_ change: ListenChange, before: SortKey?, after: SortKey?) {
    self.change = change
    self.before = before
    self.after = after
  }

  /// - Throws: `DATA_LOSS` if the document can't be read.
  init(
    _ change: ListenChange, _ selection: ListenTarget.Selection
  ) throws(FirestoreError) {
    self.change = change
    switch selection {
    case .documents:
      before = change.before.map { _ in SortKey() }
      after = change.after.map { _ in SortKey() }
    case .query(let query):
      before = try change.before.flatMap { (document) throws(FirestoreError) in
        try query.key(of: document)
      }
      after = try change.after.flatMap { (shared) throws(FirestoreError) in
        try query.key(of: shared.document)
      }
    }
  }
}
