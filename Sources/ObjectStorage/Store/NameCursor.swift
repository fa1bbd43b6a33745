internal import Coding
internal import KeyValue

/// Where a page ended.
struct PageToken {
  /// A name, or a prefix that names share.
  let name: [UInt8]
  /// That of a generation that is not current; it has a place of its own.
  let generation: Int64?

  init(name: [UInt8], generation: Int64?) {
    self.name = name
    self.generation = generation
  }

  /// - Throws: `.invalidArgument` for what is none of the list.
  init(_ text: String, _ request: ListRequest) throws(StorageError) {
    let parts = text.split(separator: "~", maxSplits: 1)
    let name = parts.first.flatMap { Base64.decode(String($0)) }
    guard let name, name.starts(with: request.prefix.utf8), String(utf8: name.span) != nil else {
      throw StorageError(.invalidArgument, "Invalid page token.")
    }
    self.name = name
    generation = parts.count > 1 ? Int64(parts[1]) : nil
  }

  var text: String {
    Base64.encode(name, alphabet: .urlSafe) + (generation.map { "~\($0)" } ?? "")
  }
}

/// Reads the names of a bucket in order, some rows at a time.
struct NameCursor {
  struct Row {
    let name: [UInt8]
    /// `nil` for one that is current.
    let generation: Int64?
    let stored: [UInt8]
  }

  /// Rows that are read at a time.
  private static let scanSize = 256
  /// The same behind a prefix, where the next row is likely to give another.
  private static let shortScanSize = 8

  private let isCurrent: Bool
  /// What all keys begin with.
  private let start: [UInt8]
  private let end: [UInt8]
  private var next: [UInt8]
  private var rows: ArraySlice<KeyValuePair> = []
  private var isAtEnd = false
  private(set) var size = scanSize
  private(set) var row: Row?

  init(_ request: ListRequest, _ state: Object.State, behind place: PageToken?) {
    let isCurrent = state == .current
    let start =
      isCurrent
      ? Keys.objects(of: request.bucket) : Keys.generations(of: request.bucket, state)
    let whole = Keys.end(of: start + Self.escaped(request.prefix.utf8, isCurrent))
    let last = request.end.map { start + Self.escaped($0.utf8, isCurrent) } ?? whole
    (self.isCurrent, self.start, next) = (isCurrent, start, start)
    end = last.lexicographicallyPrecedes(whole) ? last : whole
    let first = request.start.map { key($0.utf8) } ?? start
    next =
      [key(request.prefix.utf8), first, place.map { key(behind: $0, request) } ?? start]
      .max { $0.lexicographicallyPrecedes($1) } ?? start
  }

  private static func escaped(_ name: some Sequence<UInt8>, _ isCurrent: Bool) -> [UInt8] {
    isCurrent ? Array(name) : Keys.escaped(name)
  }

  /// Where a name begins.
  private func key(_ name: some Sequence<UInt8>) -> [UInt8] {
    start + Self.escaped(name, isCurrent)
  }

  private func key(behind place: PageToken, _ request: ListRequest) -> [UInt8] {
    let delimiter = Array(request.delimiter.utf8)
    if firstIndex(of: delimiter, in: place.name[request.prefix.count...]) != nil {
      return Keys.end(of: key(place.name))
    }
    switch (isCurrent, place.generation) {
    case (true, nil): return key(place.name) + [0]
    case (true, .some): return key(place.name)
    // Behind all of the name, and before those that go on with a zero byte.
    case (false, nil): return key(place.name) + [0, 2]
    case (false, .some(let generation)):
      return start + Keys.generation(generation, behind: place.name) + [0]
    }
  }

  var range: KeyRange { KeyRange(from: next, to: end) }

  /// Whether the next row is not known yet.
  var needsRows: Bool { row == nil && !isAtEnd && next.lexicographicallyPrecedes(end) }

  /// Takes what was found of the range, `size` at most.
  mutating func add(_ found: [KeyValuePair]) {
    isAtEnd = found.count < size
    rows = found[...]
    size = Self.scanSize
    if let last = found.last { next = last.key + [0] }
    advance()
  }

  /// Goes to the next row that is known.
  mutating func advance() {
    row = rows.popFirst().map { pair in
      let key = pair.key[start.count...]
      if isCurrent { return Row(name: Array(key), generation: nil, stored: pair.value) }
      let (name, generation) = Keys.parse(generation: key)
      return Row(name: name, generation: generation, stored: pair.value)
    }
  }

  /// Leaves out all names that begin with `prefix`.
  mutating func skip(_ prefix: [UInt8]) {
    while let row, row.name.starts(with: prefix) {
      guard !rows.isEmpty else {
        self.row = nil
        break
      }
      advance()
    }
    guard row == nil else { return }
    let behind = Keys.end(of: key(prefix))
    if next.lexicographicallyPrecedes(behind) { next = behind }
    size = Self.shortScanSize
  }
}
