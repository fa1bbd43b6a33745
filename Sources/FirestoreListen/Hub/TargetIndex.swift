internal import Coding
internal import FirestoreModel

/// Who listens to what in one database: a changed document finds its listeners without a look at the others.
struct TargetIndex {
  struct Listener: Sendable {
    let key: TargetKey
    let inbox: ListenInbox
  }

  private var documents: [DocumentPath: [TargetKey: ListenInbox]] = [:]
  private var collections: [CollectionPath: [TargetKey: ListenInbox]] = [:]
  private var groups: [UTF8String: [TargetKey: ListenInbox]] = [:]

  var isEmpty: Bool { documents.isEmpty && collections.isEmpty && groups.isEmpty }

  mutating func insert(_ scope: TargetScope, _ key: TargetKey, _ inbox: ListenInbox) {
    switch scope {
    case .documents(let paths):
      for path in paths { documents[path, default: [:]][key] = inbox }
    case .collection(let path): collections[path, default: [:]][key] = inbox
    case .group(let id): groups[id, default: [:]][key] = inbox
    }
  }

  mutating func remove(_ scope: TargetScope, _ key: TargetKey) {
    switch scope {
    case .documents(let paths):
      for path in paths { Self.remove(key, at: path, from: &documents) }
    case .collection(let path): Self.remove(key, at: path, from: &collections)
    case .group(let id): Self.remove(key, at: id, from: &groups)
    }
  }

  private static func remove<Place: Hashable>(
    _ key: TargetKey, at place: Place, from listeners: inout [Place: [TargetKey: ListenInbox]]
  ) {
    listeners[place]?[key] = nil
    if listeners[place]?.isEmpty == true { listeners[place] = nil }
  }

  /// Calls `body` with all who listen to the document.
  func forEachListener(
    to path: DocumentPath, _ body: (TargetKey, ListenInbox) -> Void
  ) {
    if !documents.isEmpty, let found = documents[path] {
      for (key, inbox) in found { body(key, inbox) }
    }
    guard !collections.isEmpty || !groups.isEmpty else { return }
    let collection = path.collection
    if let found = collections[collection] {
      for (key, inbox) in found { body(key, inbox) }
    }
    if let found = groups[collection.id] {
      for (key, inbox) in found { body(key, inbox) }
    }
  }

  /// The inboxes of all listeners, each once.
  var inboxes: [ListenInbox] {
    var inboxes: [ObjectIdentifier: ListenInbox] = [:]
    for found in [documents.values.map(\.values), collections.values.map(\.values)] {
      for inbox in found.joined() { inboxes[ObjectIdentifier(inbox)] = inbox }
    }
    for inbox in groups.values.map(\.values).joined() { inboxes[ObjectIdentifier(inbox)] = inbox }
    return Array(inboxes.values)
  }
}

/// The documents that a target looks at, whether they match or not.
enum TargetScope: Hashable, Sendable {
  case documents([DocumentPath])
  case collection(CollectionPath)
  /// All collections of this id.
  case group(UTF8String)

  func contains(_ path: DocumentPath) -> Bool {
    switch self {
    case .documents(let paths): paths.contains(path)
    case .collection(let collection): path.collection == collection
    case .group(let id): path.segments[path.segments.count - 2] == id
    }
  }
}
