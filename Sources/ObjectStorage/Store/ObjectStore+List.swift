package import Coding
internal import KeyValue

/// Which names of a bucket are wanted.
package struct ListRequest: Hashable, Sendable {
  package static let maximumLimit = 1000

  package var bucket: UTF8String
  package var prefix: UTF8String = ""
  /// Names that have it behind the prefix are told only up to there.
  package var delimiter: UTF8String = ""
  /// What the page before said.
  package var pageToken: String?
  /// Items and prefixes together.
  package var limit = Self.maximumLimit
  /// The first name that is wanted.
  package var start: UTF8String?
  /// The first that is not any more.
  package var end: UTF8String?
  /// Shows a name that is nothing but a prefix as an item too.
  package var showsPrefixesAsItems = false
  package var glob: Glob?
  /// Leaves out names with an empty segment, as Firebase does: `a//b` and `a/`.
  package var hidesEmptySegments = false

  package init(bucket: UTF8String) {
    self.bucket = bucket
  }
}

/// One page of names, in the order of their bytes.
package struct ObjectListing: Hashable, Sendable {
  package var prefixes: [String] = []
  package var items: [Object] = []
  /// `nil` on the last page.
  package var nextPageToken: String?

  package init() {}
}

extension ObjectStore {
  /// Rows that are read at a time.
  private static let scanSize = 256
  /// The same behind a prefix, where the next row is likely to give another.
  private static let shortScanSize = 8

  /// One page of a bucket.
  ///
  /// - Throws: `.invalidArgument` for a page token of another's making.
  package func list(_ request: ListRequest) async throws(StorageError) -> ObjectListing {
    var page = PageBuilder(request)
    let start = Keys.objects(of: request.bucket)
    var end = Keys.end(of: start + request.prefix.utf8)
    if let last = request.end { end = [start + last.utf8, end].min(by: isLess) ?? end }
    var next = try start + (firstName(request) ?? Array(request.prefix.utf8))
    if let first = request.start { next = [start + first.utf8, next].max(by: isLess) ?? next }
    var size = Self.scanSize
    while isLess(next, end) {
      let range = KeyRange(from: next, to: end)
      let rows = try read { try $0.scan(.objects, range, .ascending, limit: size) }
      let asked = size
      size = Self.scanSize
      rows: for row in rows {
        switch try page.take(row.key[start.count...], row.value) {
        case .full: return page.listing
        case .taken: next = row.key + [0]
        case .skip(let prefix):
          next = start + Keys.end(of: prefix)
          size = Self.shortScanSize
          break rows
        }
      }
      if rows.count < asked, size == Self.scanSize { return page.listing }
      await Task.yield()
    }
    return page.listing
  }

  /// Where the page of a token begins.
  private func firstName(_ request: ListRequest) throws(StorageError) -> [UInt8]? {
    guard let token = request.pageToken else { return nil }
    let prefix = request.prefix.utf8
    guard let last = Base64.decode(token), last.starts(with: prefix), last.count >= prefix.count,
      String(utf8: last.span) != nil
    else { throw StorageError(.invalidArgument, "Invalid page token.") }
    let isPrefix =
      firstIndex(of: Array(request.delimiter.utf8), in: last[prefix.count...]) != nil
    return isPrefix ? Keys.end(of: last) : last + [0]
  }
}

private func isLess(_ key: [UInt8], _ other: [UInt8]) -> Bool {
  key.lexicographicallyPrecedes(other)
}

/// Where `part` begins in `bytes`; `nil` if it is empty.
private func firstIndex(of part: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
  guard let first = part.first, bytes.count >= part.count else { return nil }
  return (bytes.startIndex...(bytes.endIndex - part.count)).first {
    bytes[$0] == first && bytes[$0..<($0 + part.count)].elementsEqual(part)
  }
}

/// A page while it is filled.
private struct PageBuilder {
  enum Step {
    case taken
    /// Nothing else with this prefix matters.
    case skip([UInt8])
    /// The page was full before.
    case full
  }

  private(set) var listing = ObjectListing()
  private let request: ListRequest
  private let delimiter: [UInt8]
  private var last: ArraySlice<UInt8> = []
  private var count = 0

  init(_ request: ListRequest) {
    self.request = request
    delimiter = Array(request.delimiter.utf8)
  }

  mutating func take(_ name: ArraySlice<UInt8>, _ stored: [UInt8]) throws(StorageError) -> Step {
    let rest = name.dropFirst(request.prefix.count)
    guard let cut = firstIndex(of: delimiter, in: rest) else {
      guard isShown(name, isPrefix: false), request.glob?.matches(name) ?? true else {
        return .taken
      }
      guard note(name) else { return .full }
      listing.items.append(try object(name, stored))
      return .taken
    }
    let prefix = name[..<(cut + delimiter.count)]
    guard isShown(prefix, isPrefix: true), request.glob?.matches(prefix) ?? true else {
      return .skip(Array(prefix))
    }
    guard note(prefix) else { return .full }
    listing.prefixes.append(String(decoding: prefix, as: UTF8.self))
    // It comes first of all that begin with it, and shares their place.
    if request.showsPrefixesAsItems, name.count == prefix.count {
      listing.items.append(try object(name, stored))
    }
    return .skip(Array(prefix))
  }

  private func object(
    _ name: ArraySlice<UInt8>, _ stored: [UInt8]
  ) throws(StorageError) -> Object {
    let name = UTF8String(String(decoding: name, as: UTF8.self))
    return try Object(ObjectName(bucket: request.bucket, name: name), stored: stored)
  }

  /// Counts an entry; on a full page, tells how to go on instead.
  private mutating func note(_ entry: ArraySlice<UInt8>) -> Bool {
    guard count < request.limit else {
      listing.nextPageToken = Base64.encode(Array(last), alphabet: .urlSafe)
      return false
    }
    count += 1
    last = entry
    return true
  }

  /// One slash at the start is no empty segment, and none at the end of a prefix.
  private func isShown(_ name: ArraySlice<UInt8>, isPrefix: Bool) -> Bool {
    guard request.hidesEmptySegments else { return true }
    let slash = UInt8(ascii: "/")
    var name = name
    if isPrefix, name.last == slash { name = name.dropLast() }
    if name.first == slash { name = name.dropFirst() }
    if !isPrefix, name.isEmpty { return false }
    return name.last != slash && name.first != slash
      && !zip(name, name.dropFirst()).contains { $0 == slash && $1 == slash }
  }
}
