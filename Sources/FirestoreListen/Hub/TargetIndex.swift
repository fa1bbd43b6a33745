internal import Coding
internal import FirestoreModel

/// Who listens to what in one database: a changed document finds its listeners without a look at the others.
///
/// Targets that select the same are one group, so that a commit is matched once for all of them.
struct TargetIndex {
  /// A number that is not used again while its group lives.
  private typealias GroupNumber = Int

  /// The listeners of one selection.
  struct Group {
    let selection: ListenTarget.Selection
    fileprivate(set) var listeners: [TargetKey: ListenStream] = [:]
  }

  private var numbers: [ListenTarget.Selection: GroupNumber] = [:]
  private var groups: [GroupNumber: Group] = [:]
  private var lastNumber = 0
  private var documents: [DocumentPath: Set<GroupNumber>] = [:]
  private var collections: [CollectionPath: Set<GroupNumber>] = [:]
  private var collectionGroups: [UTF8String: Set<GroupNumber>] = [:]

  var isEmpty: Bool { groups.isEmpty }

  mutating func insert(
    _ selection: ListenTarget.Selection, _ key: TargetKey, _ stream: ListenStream
  ) {
    let number = numbers[selection] ?? makeGroup(selection)
    groups[number]?.listeners[key] = stream
  }

  private mutating func makeGroup(_ selection: ListenTarget.Selection) -> GroupNumber {
    lastNumber += 1
    let number = lastNumber
    numbers[selection] = number
    groups[number] = Group(selection: selection)
    switch selection.scope {
    case .documents(let paths): for path in paths { documents[path, default: []].insert(number) }
    case .collection(let path): collections[path, default: []].insert(number)
    case .group(let id): collectionGroups[id, default: []].insert(number)
    }
    return number
  }

  mutating func remove(_ selection: ListenTarget.Selection, _ key: TargetKey) {
    guard let number = numbers[selection] else { return }
    groups[number]?.listeners[key] = nil
    guard groups[number]?.listeners.isEmpty == true else { return }
    numbers[selection] = nil
    groups[number] = nil
    switch selection.scope {
    case .documents(let paths): for path in paths { Self.remove(number, at: path, &documents) }
    case .collection(let path): Self.remove(number, at: path, &collections)
    case .group(let id): Self.remove(number, at: id, &collectionGroups)
    }
  }

  private static func remove<Place: Hashable>(
    _ number: GroupNumber, at place: Place, _ groups: inout [Place: Set<GroupNumber>]
  ) {
    groups[place]?.remove(number)
    if groups[place]?.isEmpty == true { groups[place] = nil }
  }

  /// The groups that look at one of `paths`, each with the places of those in `paths`.
  func groups(lookingAt paths: [DocumentPath]) -> [(group: Group, places: [Int])] {
    var found: [GroupNumber: [Int]] = [:]
    for (place, path) in paths.enumerated() {
      if !documents.isEmpty, let numbers = documents[path] {
        for number in numbers { found[number, default: []].append(place) }
      }
      guard !collections.isEmpty || !collectionGroups.isEmpty else { continue }
      let collection = path.collection
      for numbers in [collections[collection], collectionGroups[collection.id]] {
        for number in numbers ?? [] { found[number, default: []].append(place) }
      }
    }
    return found.compactMap { number, places in groups[number].map { ($0, places) } }
  }

  /// The streams of all listeners, some several times.
  var streams: [ListenStream] { groups.values.flatMap { $0.listeners.values } }
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
