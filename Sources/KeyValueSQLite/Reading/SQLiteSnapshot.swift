internal import KeyValue

/// A view of a `SQLiteStore` that is kept; holds one of the pool's places until closed.
final class SQLiteSnapshot: StoreSnapshot {
  private let newest: Int64
  private let view: ReaderView
  private let pool: ReaderPool

  /// Starts the view on `reader`, at the newest commit.
  init(_ reader: Reader, _ pool: ReaderPool) throws(StoreError) {
    self.pool = pool
    let view = try reader.begin()
    self.view = view
    do {
      // Reading is what fixes the view.
      newest = try view.version
    } catch {
      _ = reader.end(view.loan)
      throw error
    }
  }

  deinit {
    close()
  }

  var version: Int64 {
    get throws(StoreError) {
      try view.reader.read(view.loan) { _ in newest }
    }
  }

  func get(_ space: Space, _ key: [UInt8]) throws(StoreError) -> [UInt8]? {
    try view.get(space, key)
  }

  func scan(
    _ space: Space, _ range: KeyRange, _ direction: ScanDirection, limit: Int
  ) throws(StoreError) -> [KeyValuePair] {
    try view.scan(space, range, direction, limit: limit)
  }

  func count(_ space: Space, _ range: KeyRange) throws(StoreError) -> Int {
    try view.count(space, range)
  }

  func key(_ space: Space, _ range: KeyRange, behind offset: Int) throws(StoreError) -> [UInt8]? {
    try view.key(space, range, behind: offset)
  }

  func close() {
    if view.reader.end(view.loan) { pool.giveBack(view.reader, placed: true) }
  }
}
