package import KeyValue
import Synchronization
import Testing

/// Random writes on a store, compared with the model after each of them.
///
/// Odd seeds use few, short keys, so that they collide; even ones use many, so that trees get high.
package struct StoreModelCheck {
  private static let spaces: [Space] = [.documents, .entries, .history]

  private var random: SeededGenerator
  private let crowded: Bool
  private var model = StoreModel()
  private var snapshots: [(snapshot: any StoreSnapshot, model: StoreModel)] = []

  private enum Operation: Sendable {
    case put(Space, [UInt8], [UInt8])
    case delete(Space, [UInt8])
    case deleteRange(Space, KeyRange, limit: Int)
    case scan(Space, KeyRange, ScanDirection, limit: Int)
    case setVersion(Int64)
    case fail
  }

  private struct Refused: Error {}

  package init(seed: Int) {
    random = SeededGenerator(seed: seed)
    crowded = seed % 2 == 1
  }

  /// Runs `writes` writes on `store`, which must be empty, and leaves it open.
  package mutating func run(_ store: any OrderedStore, writes: Int) async throws -> StoreModel {
    for _ in 0..<writes {
      try await write(store)
      try store.read { try compare($0, with: model) }
      for _ in 0..<20 {
        let (space, key) = (Self.spaces[random.int(0...2)], key())
        #expect(try store.get(space, key) == model.get(space, key))
      }
      if random.once(in: 5) { snapshots.append((try await store.snapshot(), model)) }
      if snapshots.count > 8 || random.once(in: 9),
        let index = snapshots.indices.randomElement(
          using: &random)
      {
        let (snapshot, model) = snapshots.remove(at: index)
        try compare(snapshot, with: model)
        snapshot.close()
      }
    }
    for (snapshot, model) in snapshots {
      try compare(snapshot, with: model)
      snapshot.close()
    }
    snapshots = []
    return model
  }

  private mutating func write(_ store: any OrderedStore) async throws {
    let operations = (0..<random.int(1...(crowded ? 12 : 200))).map { _ in operation() }
    var operationsAndEnd = operations
    if random.once(in: 4) { operationsAndEnd.append(.setVersion(model.version + 1)) }
    if random.once(in: 6) { operationsAndEnd.append(.fail) }
    let (start, all) = (model, operationsAndEnd)
    do {
      model = try await store.write { transaction in
        var model = start
        for operation in all { try Self.apply(operation, transaction, &model) }
        return model
      }
    } catch is Refused {
      // The model stays as it was, and so must the store.
    }
  }

  private static func apply(
    _ operation: Operation, _ transaction: any StoreTransaction, _ model: inout StoreModel
  ) throws {
    switch operation {
    case .put(let space, let key, let value):
      try transaction.put(space, key, value)
      model.put(space, key, value)
      #expect(try transaction.get(space, key) == value)
    case .delete(let space, let key):
      try transaction.delete(space, key)
      model.delete(space, key)
    case .deleteRange(let space, let range, let limit):
      let deleted = try transaction.delete(space, range, limit: limit)
      #expect(deleted == model.delete(space, range, limit: limit))
    case .scan(let space, let range, let direction, let limit):
      let expected = model.pairs(space, range)
      #expect(try transaction.count(space, range) == expected.count)
      let found = try transaction.scan(space, range, direction, limit: limit)
      #expect(found == cut(expected, direction, limit))
    case .setVersion(let version):
      try transaction.setVersion(version)
      model.version = version
    case .fail:
      throw Refused()
    }
  }

  private static func cut(
    _ pairs: [KeyValuePair], _ direction: ScanDirection, _ limit: Int
  ) -> [KeyValuePair] {
    switch direction {
    case .ascending: Array(pairs.prefix(limit))
    case .descending: Array(pairs.reversed().prefix(limit))
    }
  }

  private mutating func compare(_ reader: any StoreReader, with model: StoreModel) throws {
    #expect(try reader.version == model.version)
    for space in Self.spaces {
      let all = model.pairs(space, KeyRange(from: [], to: nil))
      let found = try reader.scan(
        space, KeyRange(from: [], to: nil), .ascending, limit: all.count + 1)
      #expect(found == all)
      let range = self.range()
      let expected = model.pairs(space, range)
      #expect(try reader.count(space, range) == expected.count)
      let offset = random.int(0...expected.count)
      #expect(
        try reader.key(space, range, behind: offset) == expected.dropFirst(offset).first?.key)
      let limit = random.int(1...40)
      let down = try reader.scan(space, range, .descending, limit: limit)
      #expect(down == Self.cut(expected, .descending, limit))
      let key = self.key()
      #expect(try reader.get(space, key) == model.get(space, key))
    }
  }

  private mutating func operation() -> Operation {
    let space = Self.spaces[random.int(0...2)]
    switch random.int(0...99) {
    case ..<70:
      let size = random.once(in: 50) ? random.int(0...20_000) : random.int(0...30)
      return .put(space, key(), random.bytes(size))
    case ..<90: return .delete(space, key())
    case ..<93: return .deleteRange(space, range(), limit: random.int(0...300))
    default:
      let direction: ScanDirection = random.once(in: 2) ? .ascending : .descending
      return .scan(space, range(), direction, limit: random.int(0...50))
    }
  }

  private mutating func key() -> [UInt8] {
    guard crowded else { return [7] + random.bytes(2) }
    let alphabet: [UInt8] = [0, 1, 0x7f, 0x80, 0xff]
    return (0..<random.int(0...3)).map { _ in alphabet[random.int(0...4)] }
  }

  private mutating func range() -> KeyRange {
    KeyRange(from: key(), to: random.once(in: 5) ? nil : key())
  }
}
