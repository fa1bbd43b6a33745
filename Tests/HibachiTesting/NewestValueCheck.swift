package import KeyValue
import Synchronization
import Testing

/// Readers that ask for single values while writers put, delete and fail in groups. No reader may get
/// less than what was applied before it asked, nor less than what it got
/// before, of a view too.
///
/// The value of a key is the version of the write that put it.
package struct NewestValueCheck: Sendable {
  private static let keys = (0..<40).map { number in
    // Some keys and values are longer than what a store may like to keep at hand.
    [UInt8(number)] + [UInt8](repeating: 7, count: number % 8 == 7 ? 300 : number)
  }
  private static let spaces: [Space] = [.documents, .collections]

  private struct Refused: Error {}

  private struct Cell: Hashable, Sendable {
    let space: Space
    let key: Int
  }

  /// What is known of each cell; a missing one is 0.
  private struct Known {
    /// The last write that was applied.
    var applied: [Cell: Int] = [:]
    /// The last write that deletes, whatever became of it.
    var deletion: [Cell: Int] = [:]
  }

  private final class Board: Sendable {
    let known = Mutex(Known())
    let isDone = Atomic(false)
  }

  private enum Operation {
    case put(Cell, length: Int)
    case delete(Cell)
    case deleteRange(Space, ClosedRange<Int>)

    var cells: [Cell] {
      switch self {
      case .put(let cell, _), .delete(let cell): [cell]
      case .deleteRange(let space, let range): range.map { Cell(space: space, key: $0) }
      }
    }

    var deletes: Bool {
      switch self {
      case .put: false
      case .delete, .deleteRange: true
      }
    }
  }

  private let seed: Int
  private let board = Board()

  package init(seed: Int) {
    self.seed = seed
  }

  /// Runs on `store`, which must be empty, and leaves it open.
  package func run(_ store: any OrderedStore) async throws {
    try await withThrowingTaskGroup(of: Void.self) { readers in
      // The writers end first, and tell the readers to end too.
      for reader in 1...3 { readers.addTask { try await read(store, seed: seed * 100 + reader) } }
      do {
        defer { board.isDone.store(true, ordering: .relaxed) }
        try await withThrowingTaskGroup(of: Void.self) { writers in
          for writer in 4...9 {
            // At once, so that their writes come in groups.
            writers.addTask { try await write(store, seed: seed * 100 + writer) }
          }
          try await writers.waitForAll()
        }
      }
      try await readers.waitForAll()
    }
  }

  private func write(_ store: any OrderedStore, seed: Int) async throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<150 {
      let operations = (0..<random.int(1...3)).map { _ in Self.operation(&random) }
      let (failsBefore, failsBehind) = (random.once(in: 12), random.once(in: 12))
      do {
        _ = try await store.write(
          { transaction in
            if failsBefore { throw Refused() }
            let version = Int(try transaction.version) + 1
            for operation in operations { try apply(operation, transaction, version) }
            if failsBehind { throw Refused() }
            try transaction.setVersion(Int64(version))
            return version
          },
          applied: { version in
            board.known.withLock { known in
              for cell in operations.flatMap(\.cells) { known.applied[cell] = version }
            }
            // On the writer, before any caller resumes.
            for cell in operations.flatMap(\.cells) { check(store, cell) }
          })
        for cell in operations.flatMap(\.cells) { check(store, cell) }
      } catch is Refused {
        #expect(failsBefore || failsBehind)
      }
    }
  }

  private func apply(
    _ operation: Operation, _ transaction: any StoreTransaction, _ version: Int
  ) throws {
    if operation.deletes {
      board.known.withLock { known in
        for cell in operation.cells {
          known.deletion[cell] = max(known.deletion[cell] ?? 0, version)
        }
      }
    }
    switch operation {
    case .put(let cell, let length):
      let value = Self.bytes(of: version) + [UInt8](repeating: 0, count: length)
      try transaction.put(cell.space, Self.keys[cell.key], value)
    case .delete(let cell):
      try transaction.delete(cell.space, Self.keys[cell.key])
    case .deleteRange(let space, let range):
      let keys = KeyRange(from: [UInt8(range.lowerBound)], to: [UInt8(range.upperBound + 1)])
      _ = try transaction.delete(space, keys, limit: 100)
    }
  }

  private static func bytes(of version: Int) -> [UInt8] {
    [UInt8(version >> 16 & 0xff), UInt8(version >> 8 & 0xff), UInt8(version & 0xff)]
  }

  private static func version(_ value: [UInt8]) -> Int {
    value.prefix(3).reduce(0) { $0 << 8 | Int($1) }
  }

  private static func operation(_ random: inout SeededGenerator) -> Operation {
    let cell = cell(&random)
    switch random.int(0...19) {
    case ..<15: return .put(cell, length: random.once(in: 8) ? 5_000 : random.int(0...50))
    case ..<19: return .delete(cell)
    default:
      return .deleteRange(cell.space, cell.key...min(cell.key + 5, keys.count - 1))
    }
  }

  private static func cell(_ random: inout SeededGenerator) -> Cell {
    random.once(in: 2)
      ? Cell(space: .documents, key: 0)
      : Cell(space: spaces[random.int(0...1)], key: random.int(0...(keys.count - 1)))
  }

  private func read(_ store: any OrderedStore, seed: Int) async throws {
    var random = SeededGenerator(seed: seed)
    var last: [Cell: Int] = [:]
    while !board.isDone.load(ordering: .relaxed) {
      for _ in 0..<20 {
        let cell = Self.cell(&random)
        if random.once(in: 2) {
          let value = try store.read { try $0.get(cell.space, Self.keys[cell.key]) }
          if let value { last[cell] = max(last[cell] ?? 0, Self.version(value)) }
        }
        if let found = check(store, cell, last: last[cell] ?? 0) { last[cell] = found }
      }
      await Task.yield()
    }
  }

  /// Asks for a value; returns the version of the write that put it.
  @discardableResult
  private func check(_ store: any OrderedStore, _ cell: Cell, last: Int = 0) -> Int? {
    let applied = board.known.withLock { $0.applied[cell] ?? 0 }
    let value: [UInt8]?
    do {
      value = try store.get(cell.space, Self.keys[cell.key])
    } catch {
      Issue.record(error)
      return nil
    }
    let floor = max(applied, last)
    guard let value else {
      let deletion = board.known.withLock { $0.deletion[cell] ?? 0 }
      #expect(deletion >= floor, "\(cell) is missing, and write \(floor) put it")
      return nil
    }
    let found = Self.version(value)
    #expect(found >= floor, "\(cell) is \(found) when \(floor) is in")
    return found
  }
}
