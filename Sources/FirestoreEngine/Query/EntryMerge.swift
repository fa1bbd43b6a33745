internal import FirestoreModel
internal import KeyValue

/// The documents that entries of indexes stand for, those of several ranges merged in order, each once.
///
/// Entries are those of now. Of a view at an earlier point, the documents that were changed since are left out, and put in their
/// places as they were then; so every step first looks at what was changed since the step before.
struct EntryMerge: DocumentSource {
  private struct Head: Sendable {
    let place: [UInt8]
    let path: DocumentPath
    /// Where it was looked at already.
    var document: Document?
    /// Whether this is what was changed since.
    var isPast = false
  }

  private struct Stream: Sendable {
    let branch: IndexPlan.Branch
    var rest: KeyRange?
    /// What was read and not taken yet, the next one last.
    var heads: [Head] = []
  }

  /// So many changes are looked at in a step,
  private static let changesPerStep = 512
  /// and so many in all; with more the index is of no use.
  private static let mostChanges = 65_536

  let plan: IndexPlan
  private let query: Query
  private let bounds: QueryBounds
  private var streams: [Stream]
  private var batch: Int
  /// The place of the last document that was come to.
  private(set) var position: [UInt8]?
  /// Documents as they were at the point, those that were changed since; the next one last.
  private var past: [Head] = []
  private var changed: Set<DocumentPath> = []
  /// Changes up to this version were looked at,
  private var seen: Int64
  /// and up to this key, if they were too many for a step.
  private var lastChange: [UInt8]?
  private var generation: Int64
  private var isBehind = false
  /// Whether an index is gone, or too much was changed: the rest has to be found without.
  private(set) var isLost = false

  /// `wanted` is how many results there are at most.
  init(_ plan: IndexPlan, of query: Query, in view: DatabaseView, wanted: Int?) {
    self.plan = plan
    self.query = query
    self.bounds = QueryBounds(query)
    self.streams = plan.branches.map { Stream(branch: $0, rest: $0.range) }
    self.batch = plan.branches.count == 1 ? max(1, min(wanted ?? 16, 64)) : 8
    self.seen = view.point.version
    self.generation = view.record?.indexGeneration ?? 0
  }

  var isAtEnd: Bool {
    !isBehind && past.isEmpty && streams.allSatisfy { $0.heads.isEmpty && $0.rest == nil }
  }

  // MARK: - What changed

  /// To be called at the beginning of a step, with the indexes that there are.
  mutating func prepare(
    _ view: DatabaseView, _ definitions: (DatabaseRecord) throws -> [IndexDefinition]
  ) throws {
    guard let record = view.record else { return isLost = true }
    if record.indexGeneration != generation {
      let ready = try definitions(record)
      let isReady = plan.branches.allSatisfy { branch in
        ready.contains {
          $0.id == branch.definition.id && $0.version == branch.definition.version
            && $0.state == .ready
        }
      }
      guard isReady else { return isLost = true }
      generation = record.indexGeneration
    }
    guard view.isPast, try view.reader.version > seen else { return }
    try catchUp(view, record.number)
  }

  private mutating func catchUp(_ view: DatabaseView, _ number: DatabaseNumber) throws {
    let newest = try view.reader.version
    let start =
      lastChange.map(KeyPrefix.next(after:)) ?? Keys.changes(number, from: seen + 1)
    let range = KeyRange(from: start, to: Keys.changes(number, from: newest + 1))
    let pairs = try view.reader.scan(.changes, range, .ascending, limit: Self.changesPerStep)
    for pair in pairs { try note(ChangeEntry(pair).documentKey, view) }
    isBehind = pairs.count == Self.changesPerStep
    lastChange = isBehind ? pairs.last?.key : nil
    if !isBehind { seen = newest }
    if changed.count > Self.mostChanges { isLost = true }
  }

  /// Takes note that the document at `key` was changed behind the point.
  private mutating func note(_ key: [UInt8], _ view: DatabaseView) throws {
    guard let (_, path) = StorageKey.decode(key) else { throw StoreError.damaged }
    guard query.indexScope?.contains(path.collection) ?? false, changed.insert(path).inserted,
      case .was(let record?) = try view.stateBefore(key)
    else { return }
    let document = record.document(named: DocumentName(database: view.database, path: path))
    guard try query.filter?.matches(document) ?? true,
      let key = try query.sortKey(of: document), bounds.contains(key),
      let place = try plan.order.place(of: document, query),
      position.map({ plan.order.precedes($0, place) }) ?? true
    else { return }
    let index = past.firstIndex { plan.order.precedes($0.place, place) } ?? past.count
    past.insert(Head(place: place, path: path, document: document, isPast: true), at: index)
  }

  // MARK: - Documents

  mutating func document(in view: DatabaseView, _ budget: inout Int) throws -> Document? {
    guard !isBehind, !isLost else { return nil }
    while budget > 0, let head = try next(view, &budget) {
      if let document = head.document { return document }
      budget -= 1
      if let document = try view.document(head.path) { return document }
    }
    return nil
  }

  /// Passes over at most `count` documents without looking at them; returns how many.
  mutating func skip(_ count: Int, in view: DatabaseView, _ budget: inout Int) throws -> Int {
    guard !isBehind, !isLost else { return 0 }
    var skipped = 0
    while skipped < count, budget > 0, try next(view, &budget) != nil { skipped += 1 }
    return skipped
  }

  /// Takes the first of all heads; `nil` at the end or when the budget is used up.
  private mutating func next(_ view: DatabaseView, _ budget: inout Int) throws -> Head? {
    while true {
      for index in streams.indices where streams[index].heads.isEmpty {
        guard try fill(index, view, &budget) else { return nil }
      }
      var first: Int?
      for index in streams.indices {
        guard let head = streams[index].heads.last else { continue }
        guard let other = first.flatMap({ streams[$0].heads.last }) else {
          first = index
          continue
        }
        if plan.order.precedes(head.place, other.place) { first = index }
      }
      let entry = first.flatMap { streams[$0].heads.last }
      let head: Head
      if let old = past.last, entry.map({ !plan.order.precedes($0.place, old.place) }) ?? true {
        past.removeLast()
        head = old
      } else {
        guard let first, let entry = streams[first].heads.popLast() else { return nil }
        head = entry
      }
      let isKnown = head.place == position
      position = head.place
      // What was changed comes, if it comes, from the past.
      if !isKnown, head.isPast || !changed.contains(head.path) { return head }
    }
  }

  /// Reads the next entries of a stream; `false` if the budget is used up before it has one.
  private mutating func fill(
    _ index: Int, _ view: DatabaseView, _ budget: inout Int
  ) throws -> Bool {
    while streams[index].heads.isEmpty, let range = streams[index].rest {
      guard budget > 0 else { return false }
      let limit = min(batch, budget)
      let direction = plan.direction
      let pairs = try view.reader.scan(.entries, range, direction, limit: limit)
      budget -= max(1, pairs.count)
      batch = min(batch * 2, 64)
      streams[index].rest =
        pairs.count < limit
        ? nil : pairs.last.flatMap { range.rest(behindEntry: $0.key, direction) }
      var heads: [Head] = []
      for pair in pairs {
        let entry = try IndexEntry(pair, behind: streams[index].branch.prefix)
        if let head = try head(entry, view, &budget) { heads.append(head) }
      }
      streams[index].heads = heads.reversed()
    }
    return true
  }

  private func head(
    _ entry: IndexEntry, _ view: DatabaseView, _ budget: inout Int
  ) throws -> Head? {
    guard !plan.order.isOfEntries else {
      return Head(place: entry.place, path: entry.path, document: nil)
    }
    budget -= 1
    guard !changed.contains(entry.path), let document = try view.document(entry.path),
      let place = try plan.order.place(of: document, query)
    else { return nil }
    return Head(place: place, path: entry.path, document: document)
  }
}

extension KeyRange {
  /// What a scan has not seen yet when it has seen the entry at `key`; `nil` if that is nothing.
  fileprivate func rest(behindEntry key: [UInt8], _ direction: ScanDirection) -> KeyRange? {
    let rest =
      switch direction {
      case .ascending: KeyRange(from: KeyPrefix.next(after: key), to: upper)
      case .descending: KeyRange(from: lower, to: key)
      }
    return rest.isEmpty ? nil : rest
  }
}
