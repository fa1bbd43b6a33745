/// One ordered set of byte keys of a store. The raw value is part of the durable format.
package enum Space: UInt8, CaseIterable, Sendable {
  case databases = 1
  case documents = 2
  case collections = 3
  case groups = 4
  case history = 5
  case changes = 6
  case indexes = 7
  case entries = 8
  case objects = 9
  case buckets = 10
  case uploads = 11
}

/// A half-open range of keys, `lower` included, `upper` excluded; no `upper` means to the end.
package struct KeyRange: Hashable, Sendable {
  package var lower: [UInt8]
  package var upper: [UInt8]?

  package init(from lower: [UInt8], to upper: [UInt8]?) {
    self.lower = lower
    self.upper = upper
  }
}

/// One key with its value.
package struct KeyValuePair: Hashable, Sendable {
  package var key: [UInt8]
  package var value: [UInt8]

  package init(key: [UInt8], value: [UInt8]) {
    self.key = key
    self.value = value
  }
}

package enum ScanDirection: Sendable {
  case ascending
  case descending
}

/// Why a store could not do what was asked. Nothing of a failed write is kept.
package struct StoreError: Error, Hashable, Sendable {
  package enum Code: Hashable, Sendable {
    /// No space, or a limit of the medium, stopped a write.
    case full
    /// Another process has the data folder.
    case inUse
    /// The data was written by a newer format.
    case newerFormat
    /// The data can't be read, or an operation of the system failed.
    case unavailable
    /// The store was closed.
    case closed
  }

  package var code: Code
  /// One sentence for the log and for the operator.
  package var message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}

/// What can be read, of a snapshot or inside a write.
///
/// All calls are synchronous and bounded by their `limit`; a long scan is made of many calls, each going on behind
/// the last key of the one before.
package protocol StoreReader {
  /// The value at `key`.
  func get(_ space: Space, _ key: [UInt8]) throws(StoreError) -> [UInt8]?

  /// At most `limit` pairs of `range` in key order, or from its end downwards.
  func scan(
    _ space: Space, _ range: KeyRange, _ direction: ScanDirection, limit: Int
  ) throws(StoreError) -> [KeyValuePair]

  /// The number of keys in `range`.
  func count(_ space: Space, _ range: KeyRange) throws(StoreError) -> Int

  /// The key of `range` that `offset` of its keys precede; `nil` if it has no more than those.
  func key(_ space: Space, _ range: KeyRange, behind offset: Int) throws(StoreError) -> [UInt8]?

  /// The newest commit that this view holds; 0 in an empty store. Inside a write, that of the newest write
  /// before it in the group.
  var version: Int64 { get throws(StoreError) }
}

/// A consistent view that may be kept across suspensions. Release it with `close()` soon: a durable store has
/// few of them, and an open one keeps old pages alive.
package protocol StoreSnapshot: StoreReader, Sendable, AnyObject {
  /// Gives the view back; later calls fail with `.closed`. Safe to call twice.
  func close()
}

/// The only way to change a store; valid inside the closure that it was handed to.
package protocol StoreTransaction: StoreReader {
  func put(_ space: Space, _ key: [UInt8], _ value: [UInt8]) throws(StoreError)
  func delete(_ space: Space, _ key: [UInt8]) throws(StoreError)
  /// Deletes the keys of `range`, at most `limit` of them, lowest first; returns how many there were.
  func delete(_ space: Space, _ range: KeyRange, limit: Int) throws(StoreError) -> Int
  /// Makes `version` the newest commit of the store; it must be above `self.version`.
  func setVersion(_ version: Int64) throws(StoreError)
}

/// An ordered key–value store with one writer and many readers.
///
/// `MemoryStore` and `SQLiteStore` conform and pass one shared test suite. Nothing above knows which one it
/// has; a distributed ordered store could take their place.
package protocol OrderedStore: AnyObject, Sendable {
  /// Runs `body` alone, after every earlier write, and keeps what it put if it returns.
  ///
  /// Writes that arrive while a group is being written join the next group; `body` sees what earlier writes of its
  /// group put. If `body` throws, what it put is dropped and the error goes to the caller, the rest of its group is
  /// not touched. When the group is in, `applied` runs for each of its writes in commit order, on the writer; then
  /// the callers resume. If the group fails, every caller of it gets the `StoreError` and no `applied` runs.
  ///
  /// `body` may run twice: a group that fails is tried again one write at a time. It must change nothing but the transaction.
  func write<Result: Sendable>(
    _ body: @escaping @Sendable (any StoreTransaction) throws -> Result,
    applied: @escaping @Sendable (Result) -> Void
  ) async throws -> Result

  /// Lends a consistent view to `body`, which runs at once on the caller's thread; for reads that end within one turn.
  func read<Result>(_ body: (any StoreReader) throws -> Result) throws -> Result

  /// The newest value at `key`.
  func get(_ space: Space, _ key: [UInt8]) throws(StoreError) -> [UInt8]?

  /// A consistent view to keep. Waits while all views that the store can hold are taken.
  func snapshot() async throws(StoreError) -> any StoreSnapshot

  /// Returns when the store has put away most of what was written. Work that nobody waits for calls it between its writes, so
  /// that it does not outrun the disk, for which all others would have to wait then.
  func settle() async

  /// Finishes the writes already accepted and releases everything; later calls fail with `.closed`.
  func close() async
}

extension OrderedStore {
  package func settle() async {}

  /// A write without anything to do once it is in.
  package func write<Result: Sendable>(
    _ body: @escaping @Sendable (any StoreTransaction) throws -> Result
  ) async throws -> Result {
    try await write(body, applied: { _ in })
  }
}
