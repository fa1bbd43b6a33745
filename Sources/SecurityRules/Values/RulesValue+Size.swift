extension RulesValue {
  /// No expression gives a larger value, however it puts together others: a document has 1 MiB at most.
  static let largest = 64 << 20

  /// The value itself.
  ///
  /// - Throws: if it is larger than any may be.
  func bounded() throws(EvaluationFailure) -> RulesValue {
    if case .bool = self { return self }
    guard size(upTo: Self.largest + 1) <= Self.largest else { throw .tooLarge }
    return self
  }

  /// About how many bytes the value takes; counts no further than `limit`.
  func size(upTo limit: Int) -> Int {
    switch self {
    case .null, .bool, .int, .float, .timestamp, .duration, .latlng, .unknown: 32
    case .string(let text): 32 + text.utf8.count
    case .bytes(let bytes): 32 + bytes.count
    case .vector(let numbers): 32 + numbers.count * 8
    case .list(let values), .set(let values): Self.size(values, limit)
    case .constraint(let constraints): Self.size(constraints.map(\.value), limit)
    case .path(let path): path.segments.reduce(32) { $0 + 32 + $1.size }
    case .map(let map):
      map.entries.reduce(32) { sum, entry in
        sum > limit ? sum : sum + entry.key.utf8.count + entry.value.size(upTo: limit - sum)
      }
    case .mapDiff(let diff): 32 + diff.entries.reduce(0) { $0 + $1.key.utf8.count + 32 }
    }
  }

  private static func size(_ values: [RulesValue], _ limit: Int) -> Int {
    values.reduce(32) { sum, value in sum > limit ? sum : sum + value.size(upTo: limit - sum) }
  }
}

extension RulesPath.Segment {
  /// About how many bytes the segment takes.
  fileprivate var size: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .capture(let name, let value): name.utf8.count + (value?.utf8.count ?? 0)
    case .glob(let name, let values):
      values?.reduce(name.utf8.count) { $0 + 32 + $1.utf8.count } ?? name.utf8.count
    }
  }
}
