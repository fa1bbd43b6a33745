package import KeyValue
import Synchronization
import Testing

/// What every engine of `OrderedStore` must do; each engine's tests run all of it.
package enum StoreContract: String, CaseIterable, Sendable {
  case emptyStore
  case bytesAreOrderedUnsigned
  case limitsAndDirections
  case odditiesOfRanges
  case throwingBodyIsDropped
  case snapshotIsIsolated
  case closedSnapshotFails
  case readSeesOneState
  case getSeesTheNewest
  case getsBesideWritesNeverGoBack
  case versionIsThatBeforeTheWrite
  case writersTakeTurns
  case readersSeeWholeCommits
  case closeFinishesAcceptedWrites

  /// Runs the check on an empty store, which it may close.
  package func check(_ store: any OrderedStore) async throws {
    switch self {
    case .emptyStore: try await checkEmptyStore(store)
    case .bytesAreOrderedUnsigned: try await checkBytesAreOrderedUnsigned(store)
    case .limitsAndDirections: try await checkLimitsAndDirections(store)
    case .odditiesOfRanges: try await checkOdditiesOfRanges(store)
    case .throwingBodyIsDropped: try await checkThrowingBodyIsDropped(store)
    case .snapshotIsIsolated: try await checkSnapshotIsIsolated(store)
    case .closedSnapshotFails: try await checkClosedSnapshotFails(store)
    case .readSeesOneState: try await checkReadSeesOneState(store)
    case .getSeesTheNewest: try await checkGetSeesTheNewest(store)
    case .getsBesideWritesNeverGoBack: try await NewestValueCheck(seed: 1).run(store)
    case .versionIsThatBeforeTheWrite: try await checkVersionIsThatBeforeTheWrite(store)
    case .writersTakeTurns: try await checkWritersTakeTurns(store)
    case .readersSeeWholeCommits: try await checkReadersSeeWholeCommits(store)
    case .closeFinishesAcceptedWrites: try await checkCloseFinishesAcceptedWrites(store)
    }
    await store.close()
  }
}

private let everything = KeyRange(from: [], to: nil)

private struct Refused: Error {}

private func number(_ bytes: [UInt8]?) -> Int {
  (bytes ?? []).reduce(0) { $0 << 8 | Int($1) }
}

private func bytes(_ number: Int) -> [UInt8] {
  [UInt8(number >> 16 & 0xff), UInt8(number >> 8 & 0xff), UInt8(number & 0xff)]
}

private func checkEmptyStore(_ store: any OrderedStore) async throws {
  try store.read { reader throws in
    for space in Space.allCases {
      #expect(try reader.get(space, [1]) == nil)
      #expect(try reader.scan(space, everything, .ascending, limit: 10) == [])
      #expect(try reader.scan(space, everything, .descending, limit: 10) == [])
      #expect(try reader.count(space, everything) == 0)
    }
    #expect(try reader.version == 0)
  }
  try await store.write { try $0.delete(.documents, [1]) }
  #expect(try await store.write { try $0.delete(.documents, everything, limit: 5) } == 0)
}

private func checkBytesAreOrderedUnsigned(_ store: any OrderedStore) async throws {
  let ordered: [[UInt8]] = [
    [], [0], [0, 0], [0, 255], [1], [127], [127, 255], [128], [128, 0], [255], [255, 255],
  ]
  try await store.write { transaction in
    for key in ordered.reversed() { try transaction.put(.entries, key, [UInt8(key.count)]) }
    try transaction.put(.documents, [9], [])
  }
  try store.read { reader throws in
    let up = try reader.scan(.entries, everything, .ascending, limit: 100)
    #expect(up.map(\.key) == ordered)
    #expect(up.allSatisfy { $0.value == [UInt8($0.key.count)] })
    let down = try reader.scan(.entries, everything, .descending, limit: 100)
    #expect(down == up.reversed())
    #expect(try reader.get(.documents, [9]) == [])
    #expect(try reader.get(.documents, []) == nil)
    #expect(try reader.get(.entries, []) == [0])
  }
}

private func checkLimitsAndDirections(_ store: any OrderedStore) async throws {
  try await store.write { transaction in
    for index in 0..<1_000 { try transaction.put(.documents, bytes(index), bytes(index * 2)) }
  }
  let range = KeyRange(from: bytes(100), to: bytes(900))
  try store.read { reader throws in
    #expect(try reader.count(.documents, range) == 800)
    #expect(try reader.count(.documents, KeyRange(from: bytes(990), to: nil)) == 10)
    for limit in [1, 7, 256] {
      let up = try reader.scan(.documents, range, .ascending, limit: limit)
      #expect(up.map { number($0.key) } == Array(100..<(100 + limit)))
      let down = try reader.scan(.documents, range, .descending, limit: limit)
      #expect(down.map { number($0.key) } == Array((900 - limit)..<900).reversed())
      #expect(down.allSatisfy { number($0.value) == 2 * number($0.key) })
    }
    let open = try reader.scan(
      .documents, KeyRange(from: bytes(998), to: nil), .descending, limit: 9)
    #expect(open.map { number($0.key) } == [999, 998])
  }
  let range2 = KeyRange(from: bytes(10), to: bytes(500))
  #expect(try await store.write { try $0.delete(.documents, range2, limit: 90) } == 90)
  #expect(try await store.write { try $0.delete(.documents, range2, limit: 1_000) } == 400)
  try store.read { reader throws in
    let left = try reader.scan(.documents, everything, .ascending, limit: 1_000)
    #expect(left.map { number($0.key) } == Array(0..<10) + Array(500..<1_000))
  }
}

private func checkOdditiesOfRanges(_ store: any OrderedStore) async throws {
  try await store.write { transaction in
    for key: [UInt8] in [[1], [2], [3]] { try transaction.put(.groups, key, key) }
  }
  let empty = [
    KeyRange(from: [2], to: [2]), KeyRange(from: [3], to: [1]), KeyRange(from: [4], to: nil),
    KeyRange(from: [], to: []),
  ]
  for range in empty {
    try store.read { reader throws in
      #expect(try reader.count(.groups, range) == 0)
      #expect(try reader.scan(.groups, range, .ascending, limit: 5) == [])
      #expect(try reader.scan(.groups, range, .descending, limit: 5) == [])
    }
    #expect(try await store.write { try $0.delete(.groups, range, limit: 5) } == 0)
  }
  for limit in [0, -1] {
    let pairs = try store.read { try $0.scan(.groups, everything, .ascending, limit: limit) }
    #expect(pairs == [])
    #expect(try await store.write { try $0.delete(.groups, everything, limit: limit) } == 0)
  }
  #expect(try store.read { try $0.count(.groups, everything) } == 3)
}

private func checkThrowingBodyIsDropped(_ store: any OrderedStore) async throws {
  try await store.write { try $0.put(.documents, [1], [1]) }
  let ran = Mutex(false)
  await #expect(throws: Refused.self) {
    try await store.write(
      { transaction in
        try transaction.put(.documents, [1], [2])
        try transaction.put(.history, [1], [2])
        _ = try transaction.delete(.documents, everything, limit: 10)
        try transaction.setVersion(10)
        throw Refused()
      }, applied: { (_: Int) in ran.withLock { $0 = true } })
  }
  #expect(!ran.withLock { $0 })
  try store.read { reader throws in
    #expect(try reader.get(.documents, [1]) == [1])
    #expect(try reader.get(.history, [1]) == nil)
    #expect(try reader.version == 0)
  }
  #expect(try store.get(.documents, [1]) == [1])
  #expect(try store.get(.documents, [2]) == nil)
  #expect(try await store.write { try $0.get(.documents, [1]) } == [1])
  try await store.write { try $0.setVersion(1) }
}

private func checkSnapshotIsIsolated(_ store: any OrderedStore) async throws {
  try await store.write { transaction in
    try transaction.put(.documents, [1], [1])
    try transaction.setVersion(5)
  }
  let before = try await store.snapshot()
  try await store.write { transaction in
    try transaction.put(.documents, [1], [9])
    try transaction.put(.documents, [2], [9])
    try transaction.setVersion(6)
  }
  let after = try await store.snapshot()
  #expect(try before.version == 5)
  #expect(try before.get(.documents, [1]) == [1])
  #expect(try before.count(.documents, everything) == 1)
  #expect(try after.version == 6)
  #expect(try after.scan(.documents, everything, .descending, limit: 3).map(\.key) == [[2], [1]])
  before.close()
  #expect(try after.get(.documents, [2]) == [9])
  after.close()
}

private func checkClosedSnapshotFails(_ store: any OrderedStore) async throws {
  let snapshot = try await store.snapshot()
  snapshot.close()
  snapshot.close()
  #expect(throws: StoreError.self) { try snapshot.get(.documents, [1]) }
  #expect(throws: StoreError.self) { try snapshot.count(.documents, everything) }
  #expect(throws: StoreError.self) { try snapshot.version }
}

private func checkReadSeesOneState(_ store: any OrderedStore) async throws {
  try await store.write { try $0.put(.documents, [1], [1]) }
  let outer = try store.read { reader throws in
    let first = try reader.get(.documents, [1])
    let nested = try store.read { try $0.get(.documents, [1]) }
    return (first, nested, try reader.get(.documents, [1]))
  }
  #expect(outer.0 == [1] && outer.1 == [1] && outer.2 == [1])
  #expect(throws: Refused.self) { try store.read { _ in throw Refused() } }
}

private func checkGetSeesTheNewest(_ store: any OrderedStore) async throws {
  let keys = [[1], [2], [UInt8](repeating: 3, count: 100), [UInt8](repeating: 4, count: 3_000)]
  func expect(_ expected: [UInt8]?, _ location: SourceLocation = #_sourceLocation) throws {
    for space in [Space.documents, .collections, .entries] {
      for key in keys + keys {
        #expect(try store.get(space, key) == expected, sourceLocation: location)
      }
    }
  }
  try expect(nil)
  for size in [1, 4_096, 4_097, 0, 100_000, 3] {
    let value = [UInt8](repeating: UInt8(size & 0xff), count: size)
    try await store.write { transaction in
      for space in Space.allCases {
        for key in keys { try transaction.put(space, key, value) }
      }
    }
    try expect(value)
  }
  await #expect(throws: Refused.self) {
    try await store.write { transaction in
      for key in keys { try transaction.put(.documents, key, [0]) }
      throw Refused()
    }
  }
  try expect([3, 3, 3])
  try await store.write { transaction in
    for space in Space.allCases {
      for key in keys { try transaction.delete(space, key) }
    }
  }
  try expect(nil)
  try await store.write { transaction in
    for space in Space.allCases {
      for key in keys { try transaction.put(space, key, key) }
    }
  }
  for key in keys { #expect(try store.get(.documents, key) == key) }
  let range = KeyRange(from: [2], to: [3])
  #expect(try await store.write { try $0.delete(.documents, range, limit: 9) } == 1)
  #expect(try store.get(.documents, [2]) == nil)
  #expect(try store.get(.documents, [1]) == [1])
  await store.close()
  #expect(throws: StoreError(.closed, "The store was closed.")) { try store.get(.documents, [1]) }
}

private func checkVersionIsThatBeforeTheWrite(_ store: any OrderedStore) async throws {
  for version in [Int64(3), 4, 1 << 52] {
    let seen = try await store.write { transaction in
      let before = try transaction.version
      try transaction.setVersion(version)
      return before
    }
    #expect(seen < version)
    #expect(try store.read { try $0.version } == version)
  }
  #expect(try await store.write { try $0.version } == 1 << 52)
}

/// Adds one to a number in two spaces and makes it the version; every third time it fails.
private func add(_ store: any OrderedStore, log: Log, failing: Bool) async throws -> Int {
  try await store.write(
    { transaction in
      let next = number(try transaction.get(.documents, [1])) + 1
      try transaction.put(.documents, [1], bytes(next))
      try transaction.put(.changes, bytes(next), [])
      if failing { throw Refused() }
      try transaction.put(.collections, [1], bytes(next))
      guard try transaction.version == Int64(next - 1) else { throw Refused() }
      try transaction.setVersion(Int64(next))
      return next
    }, applied: { log.append($0) })
}

private final class Log: Sendable {
  private let numbers = Mutex<[Int]>([])
  func append(_ number: Int) { numbers.withLock { $0.append(number) } }
  var all: [Int] { numbers.withLock { $0 } }
  func contains(_ number: Int) -> Bool { numbers.withLock { $0.contains(number) } }
}

private func checkWritersTakeTurns(_ store: any OrderedStore) async throws {
  let log = Log()
  try await withThrowingTaskGroup(of: Void.self) { group in
    for writer in 0..<32 {
      group.addTask {
        for turn in 0..<15 {
          let failing = (writer + turn) % 3 == 0
          do {
            let number = try await add(store, log: log, failing: failing)
            #expect(!failing)
            #expect(log.contains(number), "applied runs before the caller resumes")
          } catch is Refused {
            #expect(failing)
          }
        }
      }
    }
    try await group.waitForAll()
  }
  #expect(log.all == Array(1...320))
  try store.read { reader throws in
    #expect(try number(reader.get(.documents, [1])) == 320)
    #expect(try reader.count(.changes, everything) == 320)
    #expect(try reader.version == 320)
  }
}

private func checkReadersSeeWholeCommits(_ store: any OrderedStore) async throws {
  @Sendable func look(_ reader: any StoreReader, _ last: inout Int) throws {
    let version = Int(try reader.version)
    #expect(version >= last)
    #expect(try number(reader.get(.documents, [1])) == version)
    #expect(try number(reader.get(.collections, [1])) == version)
    #expect(try reader.count(.changes, everything) == version)
    last = version
  }
  try await withThrowingTaskGroup(of: Void.self) { group in
    for _ in 0..<8 {
      group.addTask {
        for _ in 0..<40 { _ = try await add(store, log: Log(), failing: false) }
      }
      group.addTask {
        var last = 0
        for _ in 0..<40 {
          try store.read { try look($0, &last) }
          let snapshot = try await store.snapshot()
          try look(snapshot, &last)
          await Task.yield()
          try look(snapshot, &last)
          snapshot.close()
        }
      }
    }
    try await group.waitForAll()
  }
}

private func checkCloseFinishesAcceptedWrites(_ store: any OrderedStore) async throws {
  let log = Log()
  await withTaskGroup(of: Int?.self) { group in
    for _ in 0..<50 {
      group.addTask {
        do {
          return try await add(store, log: log, failing: false)
        } catch {
          #expect((error as? StoreError)?.code == .closed)
          return nil
        }
      }
    }
    group.addTask {
      await store.close()
      return nil
    }
    var answered: [Int] = []
    for await number in group { if let number { answered.append(number) } }
    #expect(answered.sorted() == log.all)
  }
  await store.close()
  await #expect(throws: StoreError.self) { try await store.snapshot() }
  await #expect(throws: StoreError.self) { try await store.write { _ in } }
  #expect(throws: StoreError.self) { try store.read { try $0.version } }
}
