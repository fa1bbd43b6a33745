internal import FirestoreModel

/// What happened to a document as one target sees it.
enum TargetEffect: Sendable {
  /// It matches, newly or changed.
  case matches(SharedDocument)
  /// It changed and matches no longer.
  case left(SharedDocument)
  /// Others took its place.
  case leftView(DocumentName)
  case deleted(DocumentName)
}

/// A target of a stream after it was added. Only a query with a limit has to remember what its client knows.
struct ActiveTarget: Sendable {
  let id: Int32
  let key: TargetKey
  let selection: ListenTarget.Selection
  var window: ResultWindow?

  init(id: Int32, key: TargetKey, selection: ListenTarget.Selection) {
    self.id = id
    self.key = key
    self.selection = selection
    if case .query(let query) = selection { window = query.shown.map { ResultWindow($0) } }
  }

  /// Whether what a client is to be told depends on the changes alone.
  var isStateless: Bool { window == nil }

  /// Whether a client has to forget all it knows, as nobody remembers that.
  func needsReset(for changes: TargetChanges) -> Bool {
    switch selection {
    case .documents: false
    case .query: changes.isCleared
    }
  }

  /// What the client is to be told of `changes`; of a target with a window only once `show` was asked.
  mutating func effects(of changes: TargetChanges) -> [TargetEffect] {
    switch selection {
    case .documents(let names):
      let changed = changes.all.map { TargetEffect($0.change.after, orDeleted: $0.change.name) }
      guard changes.isCleared else { return changed }
      return changed
        + names.filter { changes.document(at: $0.path) == nil }.map { TargetEffect.deleted($0) }
    case .query:
      var effects: [TargetEffect] = []
      if changes.isCleared { window?.reset() }
      for matched in changes.all {
        let change = matched.change
        if window != nil {
          window?.move(change.name.path, from: matched.before, to: matched.after)
        } else if let shared = change.after, matched.after != nil {
          effects.append(.matches(shared))
        } else if matched.before != nil {
          effects.append(change.after.map { .left($0) } ?? .deleted(change.name))
        }
      }
      return effects
    }
  }

  /// Shows the results in the window: what the client is to be told, and the documents that it gets although they did not
  /// change.
  mutating func show(
    _ changes: TargetChanges, in database: DatabaseName
  ) -> (effects: [TargetEffect], unread: [DocumentPath]) {
    guard let (entered, left) = window?.show() else { return ([], []) }
    var effects: [TargetEffect] = []
    for path in left {
      let name = DocumentName(database: database, path: path)
      if changes.contains(path) {
        effects.append(changes.document(at: path).map { .left($0) } ?? .deleted(name))
      } else {
        effects.append(.leftView(name))
      }
    }
    let now = window?.shown ?? []
    for matched in changes.all where now.contains(matched.change.name.path) {
      if let shared = matched.change.after { effects.append(.matches(shared)) }
    }
    return (effects, entered.filter { changes.document(at: $0) == nil })
  }
}

extension TargetEffect {
  init(_ document: SharedDocument?, orDeleted name: DocumentName) {
    self = document.map { .matches($0) } ?? .deleted(name)
  }
}
