internal import FirestoreModel

/// What one or several commits changed for a target: each document once, from its first state to its last.
struct TargetChanges {
  /// Whether all documents were deleted before `changes`.
  private(set) var isCleared = false
  private var changes: [ListenChange] = []
  private var places: [DocumentPath: Int] = [:]

  /// Documents that are other than they were, in the order of their first changes.
  var all: [ListenChange] { changes.filter(\.isChange) }

  mutating func append(_ change: ListenChange) {
    guard let place = places[change.name.path] else {
      places[change.name.path] = changes.count
      changes.append(change)
      return
    }
    changes[place] = ListenChange(
      name: change.name, before: changes[place].before, after: change.after)
  }

  mutating func clear() {
    isCleared = true
    changes = []
    places = [:]
  }

  subscript(path: DocumentPath) -> ListenChange? {
    places[path].map { changes[$0] }
  }
}

extension ListenChange {
  fileprivate var isChange: Bool {
    before?.updateTime != after?.document.updateTime
      || before?.createTime != after?.document.createTime
  }
}
