internal import CNGHTTP2

/// Collects the fields of a head, and takes those that the head before it had too from there.
///
/// A client sends nearly the same fields with every request; to compare them is cheaper than to make them anew.
struct HTTP2RecentFields {
  /// A longer list is not kept: it would cost each idle connection memory.
  private static let keptBytes = 4 * 1_024

  private var previous = HTTPFields()
  /// How many fields of `previous` were there again, in its order, before any other.
  private var matched = 0
  /// The fields of this head, `previous` up to `matched` among them, once one differs.
  private var current: HTTPFields?
  private var bytes = 0

  mutating func rewind() {
    matched = 0
    current = nil
    bytes = 0
  }

  @unsafe mutating func add(
    _ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>
  ) {
    bytes += name.count + value.count
    let position = current?.lines.count ?? matched
    if position < previous.lines.count {
      let line = previous.lines[position]
      if unsafe Self.equal(line.value, value), unsafe Self.equal(line.name, name) {
        if current == nil { matched += 1 } else { current?.append(line.name, line.value) }
        return
      }
    }
    if current == nil { current = HTTPFields(prefix: matched, of: previous) }
    unsafe current?.append(
      String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self))
  }

  /// The fields of the head that ends here.
  mutating func finish() -> HTTPFields {
    if current == nil, matched < previous.lines.count {
      current = HTTPFields(prefix: matched, of: previous)
    }
    let fields = current ?? previous
    previous = bytes <= Self.keptBytes ? fields : HTTPFields()
    rewind()
    return fields
  }

  @unsafe private static func equal(
    _ text: String, _ bytes: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    var text = text
    return text.withUTF8 { text in
      guard text.count == bytes.count else { return false }
      guard let text = text.baseAddress, let start = bytes.baseAddress else {
        return true
      }
      return unsafe memcmp(text, start, bytes.count) == 0
    }
  }
}
