internal import ObjectStorage

/// Reads the parts of a multipart body (RFC 2046 §5.1, RFC 2387, RFC 7578) as they come, with lines that end in CRLF or LF.
struct MultipartReader<Source: ByteSource> {
  private enum Position {
    /// Before a delimiter: in the preamble or in a part.
    case content
    /// At once behind one.
    case delimiter
    /// Behind the last one.
    case end
  }

  private static var maximumHeadSize: Int { 16 << 10 }

  private var source: Source
  private let delimiter: [UInt8]
  /// How far a window may move, by its last byte (Horspool's search).
  private let shifts: [Int]
  /// Begins with the end of a line, which may stand before the first delimiter.
  private var buffer: [UInt8] = [0x0a]
  private var offset = 0
  private var isSourceAtEnd = false
  private var position = Position.content

  /// `boundary` as the content type has it, without quotes.
  init(_ source: Source, boundary: String) {
    self.source = source
    delimiter = Array("\n--\(boundary)".utf8)
    var shifts = [Int](repeating: delimiter.count, count: 256)
    for (index, byte) in delimiter.dropLast().enumerated() {
      shifts[Int(byte)] = delimiter.count - 1 - index
    }
    self.shifts = shifts
  }

  /// The boundary that a content type names; `nil` if it is of another kind or names none.
  static func boundary(of contentType: String, kind: String = "multipart/related") -> String? {
    let parts = contentType.split(separator: ";")
    guard parts.first?.trimmed.lowercased() == kind else { return nil }
    for part in parts.dropFirst() {
      let pair = part.split(separator: "=", maxSplits: 1)
      guard pair.count == 2, pair[0].trimmed.lowercased() == "boundary" else { continue }
      var value = pair[1].trimmed
      for quote in ["\"", "'"] where value.count > 1 && value.hasPrefix(quote) {
        guard value.hasSuffix(quote) else { return nil }
        value = String(value.dropFirst().dropLast())
      }
      return 1...200 ~= value.utf8.count ? value : nil
    }
    return nil
  }

  /// Goes to the next part and reads its head.
  ///
  /// - Returns: `nil` if there is no further part.
  /// - Throws: `.invalidArgument`.
  mutating func nextPart() async throws(StorageError) -> PartHead? {
    while try await nextPiece() != nil {}
    guard position == .delimiter else { return nil }
    _ = try await line()
    var head = PartHead()
    var size = 0
    while true {
      let line = try await line()
      if line.isEmpty { break }
      size += line.count
      guard size <= Self.maximumHeadSize else { throw .partHead }
      let parts = line.split(separator: UInt8(ascii: ":"), maxSplits: 1)
      let texts = parts.map { String(decoding: $0, as: UTF8.self) }
      guard texts.count == 2 else { continue }
      switch texts[0].lowercased() {
      case "content-type": head.type = texts[1].trimmed
      case "content-id": head.id = texts[1].trimmed
      case "content-disposition": head.disposition = texts[1].trimmed
      default: break
      }
    }
    position = .content
    return head
  }

  /// More bytes of the part; `nil` at its end.
  ///
  /// - Throws: `.invalidArgument` if the body ends before.
  mutating func nextPiece() async throws(StorageError) -> [UInt8]? {
    while position == .content {
      let found = find()
      if let found, try await isDelimiter(at: found) {
        let piece = take(to: found, isLast: true)
        offset = found + delimiter.count
        position = .delimiter
        try await noteEnd()
        if !piece.isEmpty { return piece }
        return nil
      }
      // Not a delimiter after all: what is before its second byte is content.
      let end = found.map { $0 + 1 } ?? max(offset, buffer.count - delimiter.count)
      let piece = take(to: end, isLast: false)
      if found == nil {
        guard try await fill() else { throw .partCount }
      }
      if !piece.isEmpty { return piece }
    }
    return nil
  }

  /// Whether the last delimiter was read.
  var isAtEnd: Bool { position == .end }

  /// Takes the content before `end`. The end of a line before a delimiter is no content.
  private mutating func take(to end: Int, isLast: Bool) -> [UInt8] {
    var last = end
    if isLast, last > offset, buffer[last - 1] == 0x0d { last -= 1 }
    defer { offset = end }
    return Array(buffer[offset..<last])
  }

  // MARK: Buffer

  /// Where the bytes of a delimiter are; `nil` if they are not, or not all of them yet.
  private func find() -> Int? {
    let bytes = buffer.span
    let last = delimiter.count - 1
    var start = offset
    while start + last < bytes.count {
      let byte = bytes[start + last]
      if byte == delimiter[last], matches(bytes, at: start) { return start }
      start &+= shifts[Int(byte)]
    }
    return nil
  }

  private func matches(_ bytes: Span<UInt8>, at start: Int) -> Bool {
    for index in delimiter.indices where bytes[start + index] != delimiter[index] { return false }
    return true
  }

  /// A boundary may be the beginning of other text.
  private mutating func isDelimiter(at start: Int) async throws(StorageError) -> Bool {
    let behind = start + delimiter.count - offset
    while buffer.count - offset <= behind {
      guard try await fill(keepingOffset: true) else { return true }
    }
    return [0x0d, 0x0a, 0x20, 0x09, UInt8(ascii: "-")].contains(buffer[offset + behind])
  }

  /// Looks whether two hyphens follow, which end everything.
  private mutating func noteEnd() async throws(StorageError) {
    while buffer.count < offset + 2 {
      guard try await fill() else { break }
    }
    if buffer.count >= offset + 2, buffer[offset] == UInt8(ascii: "-"),
      buffer[offset + 1] == UInt8(ascii: "-")
    {
      position = .end
    }
  }

  private mutating func line() async throws(StorageError) -> [UInt8] {
    var scanned = 0
    while true {
      if let end = buffer[(offset + scanned)...].firstIndex(of: 0x0a) {
        var line = Array(buffer[offset..<end])
        if line.last == 0x0d { line.removeLast() }
        offset = end + 1
        return line
      }
      scanned = buffer.count - offset
      guard scanned <= Self.maximumHeadSize, try await fill(keepingOffset: false) else {
        throw .partCount
      }
    }
  }

  /// Adds bytes of the source and drops what is done with; indexes change by the old offset, unless it is kept.
  private mutating func fill(keepingOffset: Bool = false) async throws(StorageError) -> Bool {
    guard !isSourceAtEnd else { return false }
    guard let bytes = try await source.next() else {
      isSourceAtEnd = true
      return false
    }
    if !keepingOffset, offset > 0 {
      buffer.removeFirst(offset)
      offset = 0
    }
    buffer += bytes
    return true
  }
}

/// What stands before the content of a part.
struct PartHead {
  /// That of `Content-Type`.
  var type: String?
  /// That of `Content-ID`.
  var id: String?
  /// That of `Content-Disposition`.
  var disposition: String?

  /// A parameter of the disposition.
  func parameter(_ name: String) -> String? {
    for part in disposition?.split(separator: ";").dropFirst() ?? [] {
      let pair = part.split(separator: "=", maxSplits: 1)
      guard pair.count == 2, pair[0].trimmed.lowercased() == name else { continue }
      let value = pair[1].trimmed
      let isQuoted = value.count > 1 && value.hasPrefix("\"") && value.hasSuffix("\"")
      return isQuoted ? String(value.dropFirst().dropLast()) : value
    }
    return nil
  }
}

extension StorageError {
  /// The texts of the official emulator.
  static var partCount: StorageError {
    StorageError(.invalidArgument, "Unexpected number of parts in request body")
  }

  static var partHead: StorageError {
    StorageError(
      .invalidArgument, "Failed to parse multipart request body part. Missing content type.")
  }
}

/// The content of the part that a reader is at, which must be the last.
struct LastPart<Source: ByteSource>: ByteSource {
  var reader: MultipartReader<Source>

  mutating func next() async throws(StorageError) -> [UInt8]? {
    if let piece = try await reader.nextPiece() { return piece }
    guard reader.isAtEnd else { throw .partCount }
    return nil
  }
}
