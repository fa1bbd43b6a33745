/// Which bytes of an upload a request brings, as `Content-Range` says.
struct ContentRange: Hashable {
  /// Where the bytes belong; the first one if the field is missing.
  private(set) var start: Int64 = 0
  /// Whether no bytes are meant to come.
  private(set) var isQuery = false
  /// How many bytes there are in all, if that is known.
  private var total: Int64?
  /// Whether the end of the body is that of the content.
  private var endsWithBody = false

  /// - Returns: `nil` for a text that is none.
  init?(_ text: String?) {
    guard let text else {
      endsWithBody = true
      return
    }
    guard text.utf8.starts(with: "bytes ".utf8) else { return nil }
    let parts = text.dropFirst(6).split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    if parts[1] != "*" {
      guard let total = Self.number(parts[1]) else { return nil }
      self.total = total
    }
    if parts[0] == "*" {
      isQuery = true
      return
    }
    let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let start = Self.number(ends[0]) else { return nil }
    self.start = start
    if ends[1] == "*" {
      endsWithBody = total == nil
    } else {
      guard let last = Self.number(ends[1]), last >= start, last < total ?? .max else { return nil }
      // What is behind it comes with another request.
      if last + 1 != total { total = nil }
    }
  }

  private static func number(_ text: Substring) -> Int64? {
    text.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? Int64(text) : nil
  }

  /// Whether the content is all here when so many bytes of it are.
  func isComplete(with received: Int64) -> Bool {
    endsWithBody || total == received
  }
}
