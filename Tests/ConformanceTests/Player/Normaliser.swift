import Foundation

/// Replaces what differs from run to run by names, in order of first appearance; one per case.
struct Normaliser {
  private let database: [UInt8]
  private let project: [UInt8]
  private var times: [String: Int] = [:]
  private var ids: [String: Int] = [:]
  private var sentIDs: Set<String> = []
  private let now = Date().timeIntervalSince1970

  private static let tokenKeys: Set<String> = [
    "transaction", "nextPageToken", "streamToken", "resumeToken", "streamId",
  ]

  init(project: String) {
    self.project = Array(project.utf8)
    database = Array("projects/\(project)/databases/(default)".utf8)
  }

  /// Remembers ids that the case itself sends, so that they are not taken for made by the server.
  mutating func sent(_ bytes: [UInt8]) {
    let text = bytes.map { $0 == UInt8(ascii: "\"") ? UInt8(ascii: "/") : $0 }
    for range in Self.ids(in: text) {
      sentIDs.insert(String(decoding: text[range], as: UTF8.self))
    }
  }

  /// The value with names in place of times, ids, tokens, long runs and the database.
  mutating func callAsFunction(_ node: JSON, key: String? = nil) -> JSON {
    switch node {
    case .object(let members):
      return .object(
        JSON.sorted(members).map { (text($0.key), self($0.value, key: $0.key)) })
    case .array(let items): return .array(items.map { self($0, key: key) })
    case .string(let string):
      if let key, Self.tokenKeys.contains(key), !string.isEmpty { return .string("{token}") }
      if key == "executionDuration" { return .string("{duration}") }
      if let seconds = Self.seconds(string), abs(seconds - now) < 86400 {
        if key == "readTime" { return .string("{read}") }
        let number = times[string] ?? times.count + 1
        times[string] = number
        return .string("{t\(number)}")
      }
      return .string(text(string))
    case .number(let digits):
      return digits.contains(".") && Double(digits) == 0 && digits.hasPrefix("-")
        ? .string("{minus zero}") : node
    case .null, .bool: return node
    }
  }

  /// The text with names in it.
  mutating func text(_ text: String) -> String {
    var bytes = Array(text.utf8)
    guard bytes.count >= 10 else { return text }
    bytes = Self.replacing(bytes, Self.microseconds(in: bytes, near: now)) { _ in "{micros}" }
    bytes = Self.foldingRuns(bytes)
    bytes = bytes.replacing(database, with: Array("{db}".utf8))
    bytes = bytes.replacing(project, with: Array("{project}".utf8))
    let found = Self.ids(in: bytes)
    guard !found.isEmpty else { return String(decoding: bytes, as: UTF8.self) }
    bytes = Self.replacing(bytes, found) { id in
      guard !sentIDs.contains(id) else { return id }
      let number = ids[id] ?? ids.count + 1
      ids[id] = number
      return "{id\(number)}"
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func replacing(
    _ bytes: [UInt8], _ ranges: [Range<Int>], _ name: (String) -> String
  ) -> [UInt8] {
    guard !ranges.isEmpty else { return bytes }
    var out: [UInt8] = []
    var last = 0
    for range in ranges {
      out += bytes[last..<range.lowerBound]
      out += name(String(decoding: bytes[range], as: UTF8.self)).utf8
      last = range.upperBound
    }
    return out + bytes[last...]
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }

  /// Path segments of twenty letters and digits: ids as servers and SDKs make them.
  private static func ids(in bytes: [UInt8]) -> [Range<Int>] {
    guard bytes.count >= 21 else { return [] }
    var found: [Range<Int>] = []
    var position = 0
    while let slash = bytes[position...].firstIndex(of: UInt8(ascii: "/")) {
      let start = slash + 1
      let end = bytes[start...].firstIndex { !isAlphanumeric($0) } ?? bytes.endIndex
      if end - start == 20, end == bytes.endIndex || bytes[end] == UInt8(ascii: "/") {
        found.append(start..<end)
      }
      position = start
    }
    return found
  }

  /// Numbers of sixteen digits that are microseconds within a day of `now`.
  private static func microseconds(in bytes: [UInt8], near now: Double) -> [Range<Int>] {
    func isWord(_ byte: UInt8) -> Bool { isAlphanumeric(byte) || byte == UInt8(ascii: "_") }
    var found: [Range<Int>] = []
    var position = 0
    while let start = bytes[position...].firstIndex(where: isWord) {
      let end = bytes[start...].firstIndex { !isWord($0) } ?? bytes.endIndex
      if end - start == 16, let value = Double(String(decoding: bytes[start..<end], as: UTF8.self)),
        abs(value / 1e6 - now) < 86400
      {
        found.append(start..<end)
      }
      position = end
    }
    return found
  }

  /// Runs of a hundred and more equal characters become `{repeat:x:n}`.
  private static func foldingRuns(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.count >= 100 else { return bytes }
    var out: [UInt8] = []
    let scalars = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
    var start = 0
    while start < scalars.count {
      var end = start + 1
      while end < scalars.count, scalars[end] == scalars[start] { end += 1 }
      let character = String(Character(scalars[start]))
      if end - start >= 100 {
        out += "{repeat:\(character):\(end - start)}".utf8
      } else {
        for _ in start..<end { out += character.utf8 }
      }
      start = end
    }
    return out
  }

  /// Seconds since 1970 of a time as servers write it.
  static func seconds(_ text: String) -> Double? {
    guard (20...30).contains(text.utf8.count),
      let match = text.wholeMatch(
        of: /(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.\d+)?Z/)
    else { return nil }
    let parts = [match.1, match.2, match.3, match.4, match.5, match.6].compactMap { Int($0) }
    let year = parts[1] > 2 ? parts[0] : parts[0] - 1
    let month = (parts[1] + 9) % 12
    let days =
      365 * year + year / 4 - year / 100 + year / 400 + (month * 306 + 5) / 10 + parts[2] - 719_469
    return Double(((days * 24 + parts[3]) * 60 + parts[4]) * 60 + parts[5])
  }
}
