package import Coding
internal import KeyValue

/// Which names of a bucket are wanted.
package struct ListRequest: Hashable, Sendable {
  package enum Generations: Hashable, Sendable {
    case current
    /// Those that are not current too, before it.
    case all
    /// Those that were deleted and can be restored.
    case softDeleted
  }

  package static let maximumLimit = 1000

  package var bucket: UTF8String
  package var prefix: UTF8String = ""
  /// Names that have it behind the prefix are told only up to there.
  package var delimiter: UTF8String = ""
  /// What the page before said.
  package var pageToken: String?
  /// Items and prefixes together.
  package var limit = Self.maximumLimit
  /// The first name that is wanted.
  package var start: UTF8String?
  /// The first that is not any more.
  package var end: UTF8String?
  /// Shows a name that is nothing but a prefix as an item too.
  package var showsPrefixesAsItems = false
  package var glob: Glob?
  package var generations = Generations.current
  package var filter: ContextFilter?
  /// Leaves out names with an empty segment, as Firebase does: `a//b` and `a/`.
  package var hidesEmptySegments = false

  package init(bucket: UTF8String) {
    self.bucket = bucket
  }
}

/// One page of names, in the order of their bytes.
package struct ObjectListing: Hashable, Sendable {
  package var prefixes: [String] = []
  package var items: [Object] = []
  /// `nil` on the last page.
  package var nextPageToken: String?

  package init() {}
}

extension ObjectStore {
  /// One page of a bucket.
  ///
  /// - Throws: `.invalidArgument` for a page token of another's making.
  package func list(_ request: ListRequest) async throws(StorageError) -> ObjectListing {
    var page = PageBuilder(request)
    let place = try request.pageToken.map { token throws(StorageError) in
      try PageToken(token, request)
    }
    var cursors = request.generations.states.map { NameCursor(request, $0, behind: place) }
    while true {
      for index in cursors.indices where cursors[index].needsRows {
        cursors[index].add(
          try read { [cursor = cursors[index]] in
            try $0.scan(.objects, cursor.range, .ascending, limit: cursor.size)
          })
        await Task.yield()
      }
      let first = cursors.indices.filter { cursors[$0].row != nil }.min {
        isBefore(cursors[$0].row, cursors[$1].row)
      }
      guard let first, let row = cursors[first].row else { return page.listing }
      switch try page.take(row) {
      case .full: return page.listing
      case .taken: cursors[first].advance()
      case .skip(let prefix):
        for index in cursors.indices { cursors[index].skip(prefix) }
      }
    }
  }

  /// A noncurrent generation comes before the current one of its name, which is newer.
  private func isBefore(_ row: NameCursor.Row?, _ other: NameCursor.Row?) -> Bool {
    guard let row, let other else { return row != nil }
    if row.name != other.name { return row.name.lexicographicallyPrecedes(other.name) }
    return row.generation ?? .max < other.generation ?? .max
  }
}

extension ListRequest.Generations {
  fileprivate var states: [Object.State] {
    switch self {
    case .current: [.current]
    case .all: [.noncurrent, .current]
    case .softDeleted: [.softDeleted]
    }
  }
}

/// Where `part` begins in `bytes`; `nil` if it is empty.
func firstIndex(of part: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
  guard let first = part.first, bytes.count >= part.count else { return nil }
  return (bytes.startIndex...(bytes.endIndex - part.count)).first {
    bytes[$0] == first && bytes[$0..<($0 + part.count)].elementsEqual(part)
  }
}

/// A page while it is filled.
private struct PageBuilder {
  enum Step {
    case taken
    /// Nothing else with this prefix matters.
    case skip([UInt8])
    /// The page was full before.
    case full
  }

  private(set) var listing = ObjectListing()
  private let request: ListRequest
  private let delimiter: [UInt8]
  private var last = PageToken(name: [], generation: nil)
  private var count = 0

  init(_ request: ListRequest) {
    self.request = request
    delimiter = Array(request.delimiter.utf8)
  }

  mutating func take(_ row: NameCursor.Row) throws(StorageError) -> Step {
    let name = row.name[...]
    let rest = name.dropFirst(request.prefix.count)
    guard let cut = firstIndex(of: delimiter, in: rest) else {
      guard isShown(name, isPrefix: false), request.glob?.matches(name) ?? true else {
        return .taken
      }
      let object = try object(name, row.stored)
      guard request.filter?.matches(object) ?? true else { return .taken }
      guard note(name, row.generation) else { return .full }
      listing.items.append(object)
      return .taken
    }
    let prefix = name[..<(cut + delimiter.count)]
    guard isShown(prefix, isPrefix: true), request.glob?.matches(prefix) ?? true else {
      return .skip(Array(prefix))
    }
    guard note(prefix) else { return .full }
    listing.prefixes.append(String(decoding: prefix, as: UTF8.self))
    // It comes first of all that begin with it, and shares their place.
    if request.showsPrefixesAsItems, name.count == prefix.count {
      listing.items.append(try object(name, row.stored))
    }
    return .skip(Array(prefix))
  }

  private func object(
    _ name: ArraySlice<UInt8>, _ stored: [UInt8]
  ) throws(StorageError) -> Object {
    let name = UTF8String(String(decoding: name, as: UTF8.self))
    return try Object(ObjectName(bucket: request.bucket, name: name), stored: stored)
  }

  /// Counts an entry; on a full page, tells how to go on instead.
  private mutating func note(_ entry: ArraySlice<UInt8>, _ generation: Int64? = nil) -> Bool {
    guard count < request.limit else {
      listing.nextPageToken = last.text
      return false
    }
    count += 1
    last = PageToken(name: Array(entry), generation: generation)
    return true
  }

  /// One slash at the start is no empty segment, and none at the end of a prefix.
  private func isShown(_ name: ArraySlice<UInt8>, isPrefix: Bool) -> Bool {
    guard request.hidesEmptySegments else { return true }
    let slash = UInt8(ascii: "/")
    var name = name
    if isPrefix, name.last == slash { name = name.dropLast() }
    if name.first == slash { name = name.dropFirst() }
    if !isPrefix, name.isEmpty { return false }
    return name.last != slash && name.first != slash
      && !zip(name, name.dropFirst()).contains { $0 == slash && $1 == slash }
  }
}
