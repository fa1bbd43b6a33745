internal import Synchronization

/// An `OrderedStore` that keeps everything in memory and forgets it with the process.
///
/// Writes run one after the other on the threads of their callers, each a group of its own. A view
/// is the tree roots of one commit: taking one is O(1), and it delays nobody. A view that is open
/// when the store is closed stays readable.
package final class MemoryStore: OrderedStore {
  /// Held while a write runs. Taken before `committed`.
  private let writer = Mutex(())
  private let committed = Mutex<MemoryContents?>(MemoryContents())

  package init() {}

  package func write<Result: Sendable>(
    _ body: @escaping @Sendable (any StoreTransaction) throws -> Result,
    applied: @escaping @Sendable (Result) -> Void
  ) async throws -> Result {
    try writer.withLock { _ in
      let transaction = MemoryTransaction(try contents())
      let result = try body(transaction)
      var replaced: MemoryContents? = transaction.result
      committed.withLock { swap(&$0, &replaced) }
      applied(result)
      return result
    }
  }

  package func read<Result>(_ body: (any StoreReader) throws -> Result) throws -> Result {
    try body(try contents())
  }

  package func get(_ space: Space, _ key: [UInt8]) throws(StoreError) -> [UInt8]? {
    try contents().get(space, key)
  }

  package func snapshot() async throws(StoreError) -> any StoreSnapshot {
    MemorySnapshot(try contents())
  }

  package func close() async {
    let last = writer.withLock { _ in committed.withLock { $0.take() } }
    _ = consume last
  }

  private func contents() throws(StoreError) -> MemoryContents {
    guard let contents = committed.withLock({ $0 }) else {
      throw StoreError(.closed, "The store was closed.")
    }
    return contents
  }
}
