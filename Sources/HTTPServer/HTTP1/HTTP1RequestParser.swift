internal import NetIO

/// Finds requests in the bytes of a connection (RFC 9112), as strictly as possible: whatever two parsers could understand differently
/// is refused, so that nothing can be smuggled past another server in front of this one.
///
/// It takes bytes in pieces of any size. The answer does not depend on where they are cut.
struct HTTP1RequestParser {
  enum Event {
    /// All bytes are used up.
    case needMore
    case head(HTTP1RequestHead)
    /// Where in the input a piece of the body is, never empty.
    case body(Range<Int>)
    /// The request is complete; the next may follow.
    case end
  }

  private enum State {
    case requestLine
    case fields
    case body(Int)
    case chunkSize
    case chunk(Int)
    case chunkEnd
    case trailers
  }

  /// A size line: 15 digits and this much more.
  private static let chunkExtensionBytes = 256
  private static let allChunkExtensionBytes = 16 << 10
  private static let chunkSizeDigits = 15
  /// Fields that must not come in trailers (RFC 9110 §6.5.1).
  private static let refusedTrailers: Set<String> = [
    "content-length", "transfer-encoding", "host", "connection", "trailer", "te", "expect",
    "content-encoding", "content-type", "authorization",
  ]

  private let limits: HTTPLimits
  private var state = State.requestLine
  private var builder = HTTP1RequestHeadBuilder()
  /// The line that is not complete.
  private var pending: [UInt8] = []
  private var fieldBytes = 0
  private var fieldCount = 0
  private var extensionBytes = 0
  private var hasSkippedLine = false

  init(limits: HTTPLimits) {
    self.limits = limits
  }

  /// Whether the last byte seen was the end of a request, or nothing was seen.
  var isBetweenRequests: Bool {
    guard case .requestLine = state else { return false }
    return pending.isEmpty && !hasSkippedLine
  }

  /// How many bytes of a body of known length are still to come.
  var remainingBody: Int {
    switch state {
    case .body(let count): count
    case .requestLine, .fields, .chunkSize, .chunk, .chunkEnd, .trailers: 0
    }
  }

  /// Reads on at `offset` and moves it. To be called again until it needs more, also if the bytes are used up.
  mutating func next(
    _ bytes: Span<UInt8>, _ offset: inout Int
  ) throws(HTTP1Error) -> Event {
    while true {
      switch state {
      case .body(let remaining):
        guard remaining > 0 else { return finish() }
        guard offset < bytes.count else { return .needMore }
        let range = offset..<(offset + min(remaining, bytes.count - offset))
        offset = range.upperBound
        state = .body(remaining - range.count)
        return .body(range)
      case .chunk(let remaining):
        guard offset < bytes.count else { return .needMore }
        let range = offset..<(offset + min(remaining, bytes.count - offset))
        offset = range.upperBound
        state = remaining == range.count ? .chunkEnd : .chunk(remaining - range.count)
        return .body(range)
      case .requestLine, .fields, .chunkSize, .chunkEnd, .trailers:
        guard let line = try takeLine(bytes, &offset) else { return .needMore }
        let event: Event?
        switch line {
        case .input(let range): event = try read(bytes.extracting(range))
        case .pending:
          let line = pending
          pending = []
          event = try read(line.span)
        }
        if let event { return event }
      }
    }
  }

  private mutating func finish() -> Event {
    state = .requestLine
    hasSkippedLine = false
    return .end
  }

  // MARK: Lines

  private enum Line {
    case input(Range<Int>)
    case pending
  }

  /// The line at `offset` up to CR LF; `nil` if it is not complete, then it is kept. No other control character may occur, least of
  /// all a CR or LF alone.
  private mutating func takeLine(
    _ bytes: Span<UInt8>, _ offset: inout Int
  ) throws(HTTP1Error) -> Line? {
    if pending.last == HTTP1Syntax.carriageReturn {
      guard offset < bytes.count else { return nil }
      guard bytes[offset] == HTTP1Syntax.lineFeed else { throw strayCharacter }
      pending.removeLast()
      offset += 1
      return .pending
    }
    let start = offset
    let room = lineLimit - pending.count
    let end = room < bytes.count - start ? start + room + 1 : bytes.count
    var index = start
    while index < end, bytes[index] >= HTTP1Syntax.space || bytes[index] == HTTP1Syntax.tab {
      index += 1
    }
    guard index - start <= room else { throw tooLong }
    if index == bytes.count || bytes[index] == HTTP1Syntax.carriageReturn {
      if index + 1 >= bytes.count {
        offset = bytes.count
        pending.append(bytes.extracting(start..<bytes.count))
        return nil
      }
      guard bytes[index + 1] == HTTP1Syntax.lineFeed else { throw strayCharacter }
      offset = index + 2
      if pending.isEmpty { return .input(start..<index) }
      pending.append(bytes.extracting(start..<index))
      return .pending
    }
    throw strayCharacter
  }

  private var strayCharacter: HTTP1Error {
    HTTP1Error(.badRequest, "control character, or a line that does not end in CR LF")
  }

  /// How long the line may be that is being read.
  private var lineLimit: Int {
    switch state {
    case .requestLine: limits.requestLineBytes
    case .fields, .trailers: max(0, limits.headerBytes - fieldBytes)
    case .chunkSize: Self.chunkSizeDigits + Self.chunkExtensionBytes
    case .chunkEnd, .body, .chunk: 0
    }
  }

  private var tooLong: HTTP1Error {
    switch state {
    case .requestLine: HTTP1Error(.targetTooLong, "the request line is too long")
    case .fields, .trailers: HTTP1Error(.fieldsTooLarge, "the fields are too long")
    case .chunkSize: HTTP1Error(.badRequest, "the chunk size is too long")
    case .chunkEnd, .body, .chunk: HTTP1Error(.badRequest, "the chunk does not end where it should")
    }
  }

  private mutating func read(_ line: Span<UInt8>) throws(HTTP1Error) -> Event? {
    switch state {
    case .requestLine:
      // RFC 9112 §2.2: one empty line before a request, as some clients send after a body.
      if line.isEmpty, !hasSkippedLine {
        hasSkippedLine = true
        return nil
      }
      builder = HTTP1RequestHeadBuilder()
      (fieldBytes, fieldCount, extensionBytes) = (0, 0, 0)
      try builder.readRequestLine(line)
      state = .fields
    case .fields:
      guard line.isEmpty else {
        try countField(line)
        try builder.readField(line)
        return nil
      }
      let head = try builder.build()
      switch head.body {
      case .count(let count): state = .body(count)
      case .chunked: state = .chunkSize
      }
      return .head(head)
    case .chunkSize: try readChunkSize(line)
    case .chunkEnd: state = .chunkSize  // its limit leaves room for nothing but CR LF
    case .trailers:
      guard line.isEmpty else {
        try countField(line)
        try readTrailer(line)
        return nil
      }
      return finish()
    case .body, .chunk: break
    }
    return nil
  }

  private mutating func countField(_ line: Span<UInt8>) throws(HTTP1Error) {
    fieldBytes += line.count + 2
    fieldCount += 1
    if fieldCount > limits.fieldCount { throw HTTP1Error(.fieldsTooLarge, "too many fields") }
  }

  /// RFC 9112 §7.1: hexadecimal digits, then nothing or an extension, which is ignored. No blanks before it.
  private mutating func readChunkSize(_ line: Span<UInt8>) throws(HTTP1Error) {
    var size = 0
    var index = 0
    while index < line.count, let digit = HTTP1Syntax.hexValue(line[index]) {
      guard index < Self.chunkSizeDigits else {
        throw HTTP1Error(.badRequest, "malformed chunk size")
      }
      size = size << 4 | digit
      index += 1
    }
    guard index > 0, index == line.count || line[index] == UInt8(ascii: ";") else {
      throw HTTP1Error(.badRequest, "malformed chunk size")
    }
    extensionBytes += line.count - index
    guard extensionBytes <= Self.allChunkExtensionBytes else {
      throw HTTP1Error(.badRequest, "too many chunk extensions")
    }
    state = size == 0 ? .trailers : .chunk(size)
  }

  /// Trailers are checked and dropped: nothing here asks for them.
  private mutating func readTrailer(_ line: Span<UInt8>) throws(HTTP1Error) {
    let (name, _) = try HTTP1RequestHeadBuilder.split(line)
    if Self.refusedTrailers.contains(name) {
      throw HTTP1Error(.badRequest, "a field that must not come in trailers")
    }
  }
}
