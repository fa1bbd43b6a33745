internal import HTTPServer
internal import ObjectStorage

/// What a request says about the state of the object that it wants (RFC 9110 §13).
struct DownloadConditions {
  enum Outcome: Hashable {
    case proceed
    case notModified
    case failed
  }

  private let fields: HTTPFields
  private let etag: String
  private let updated: Int64

  /// `etag` is the mark of the state, in quotes or not.
  init(_ fields: HTTPFields, _ object: Object, etag: String) {
    self.fields = fields
    self.etag = etag
    updated = object.updated / 1_000_000
  }

  var outcome: Outcome {
    if let match = fields.first("if-match") {
      if !names(match) { return .failed }
    } else if let date = fields.first("if-unmodified-since").flatMap(HTTPDate.parse) {
      if updated > date { return .failed }
    }
    if let match = fields.first("if-none-match") { return names(match) ? .notModified : .proceed }
    if let date = fields.first("if-modified-since").flatMap(HTTPDate.parse) {
      return updated <= date ? .notModified : .proceed
    }
    return .proceed
  }

  /// The value of `Range`, unless it is meant for another state.
  var range: String? {
    guard let condition = fields.first("if-range") else { return fields.first("range") }
    if Self.bare(condition) == Self.bare(etag) { return fields.first("range") }
    guard let date = HTTPDate.parse(condition), updated <= date else { return nil }
    return fields.first("range")
  }

  /// Whether a list of tags has ours; quotes and weakness do not matter.
  private func names(_ list: String) -> Bool {
    list.split(separator: ",").contains { tag in
      let tag = tag.trimmed
      let strong = tag.hasPrefix("W/") ? String(tag.dropFirst(2)) : tag
      return strong == "*" || Self.bare(strong) == Self.bare(etag)
    }
  }

  /// A tag without its quotes.
  private static func bare(_ tag: String) -> String {
    let isQuoted = tag.utf8.count > 1 && tag.hasPrefix("\"") && tag.hasSuffix("\"")
    return isQuoted ? String(tag.dropFirst().dropLast()) : tag
  }
}
