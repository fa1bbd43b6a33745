internal import FirestoreModel
package import KeyValue

extension DatabaseView {
  /// Reads about `limit` documents of `range`, which lies within the keys of documents.
  package func scan(
    _ range: KeyRange, _ direction: ScanDirection, limit: Int
  ) throws(StoreError) -> Page {
    let pairs = try reader.scan(.documents, range, direction, limit: limit)
    let isWhole = pairs.count < limit
    var rows: [Row] = []
    rows.reserveCapacity(pairs.count)
    for pair in pairs {
      rows.append(Row(key: pair.key, record: try DocumentRecord(decoding: pair.value)))
    }
    let end = isWhole ? nil : pairs.last?.key
    guard isPast else {
      return Page(rows: rows, rest: end.flatMap { range.rest(behind: $0, direction) })
    }
    return try past(rows, of: range, direction, upTo: end, limit: limit)
  }

  /// Puts back what was changed behind `point`: `rows` are all documents that are there now, from the beginning of `range`
  /// to the key `end`, or to the end of the range.
  private func past(
    _ rows: [Row], of range: KeyRange, _ direction: ScanDirection, upTo end: [UInt8]?, limit: Int
  ) throws(StoreError) -> Page {
    var end = end
    var changed: [[UInt8]: DocumentRecord?] = [:]
    // The history of a document lies behind its key, and behind a bound just behind that key.
    var whole = range
    if let upper = range.upper, upper.last == 0, StorageKey.decode(upper) == nil {
      whole.upper = KeyPrefix.end(of: Array(upper.dropLast()))
    }
    var part = end.map { whole.part(upTo: $0, direction) } ?? whole
    var visited = 0
    while let key = try nextChanged(in: part, direction) {
      if range.contains(key), case .was(let record) = try stateBefore(key) {
        changed[key] = record
      }
      visited += 1
      guard let rest = part.rest(behind: key, direction) else { break }
      part = rest
      guard visited < limit else {
        end = key
        break
      }
    }
    var result = rows.filter { row in
      changed[row.key] == nil && (end.map { !Self.isBehind(row.key, $0, direction) } ?? true)
    }
    for (key, record) in changed {
      if let record { result.append(Row(key: key, record: record)) }
    }
    result.sort { Self.isBehind($1.key, $0.key, direction) }
    return Page(rows: result, rest: end.flatMap { range.rest(behind: $0, direction) })
  }

  /// The key of the first document of `range` that has history, or of one beside its bounds.
  private func nextChanged(
    in range: KeyRange, _ direction: ScanDirection
  ) throws(StoreError) -> [UInt8]? {
    guard let pair = try reader.scan(.history, range, direction, limit: 1).first else { return nil }
    guard let (key, _) = Keys.splitHistory(pair.key) else { throw .damaged }
    return key
  }

  private static func isBehind(
    _ key: [UInt8], _ other: [UInt8], _ direction: ScanDirection
  ) -> Bool {
    switch direction {
    case .ascending: other.lexicographicallyPrecedes(key)
    case .descending: key.lexicographicallyPrecedes(other)
    }
  }
}

extension KeyRange {
  fileprivate func contains(_ key: [UInt8]) -> Bool {
    !key.lexicographicallyPrecedes(lower) && upper.map(key.lexicographicallyPrecedes) ?? true
  }

  /// What a scan has not seen yet when it has seen the document at `key` and its history; `nil` if that is nothing.
  package func rest(behind key: [UInt8], _ direction: ScanDirection) -> KeyRange? {
    switch direction {
    case .ascending:
      guard let lower = KeyPrefix.end(of: key) else { return nil }
      if let upper, !lower.lexicographicallyPrecedes(upper) { return nil }
      return KeyRange(from: lower, to: upper)
    case .descending:
      return lower.lexicographicallyPrecedes(key) ? KeyRange(from: lower, to: key) : nil
    }
  }

  /// What a scan has seen then.
  fileprivate func part(upTo key: [UInt8], _ direction: ScanDirection) -> KeyRange {
    switch direction {
    case .ascending: KeyRange(from: lower, to: KeyPrefix.end(of: key))
    case .descending: KeyRange(from: key, to: upper)
    }
  }
}
