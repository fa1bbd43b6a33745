/// The text of an array that is sent while its elements come.
struct StreamBuffer {
  /// As much as is held back before something is sent.
  static let size = 32 << 10

  /// Whether a piece was taken to be sent.
  private(set) var hasBegun = false
  private var bytes: [UInt8]
  private var isEmpty = true

  init() {
    bytes = []
    bytes.reserveCapacity(4 << 10)
    bytes += "[\n".utf8
  }

  /// Adds the element that `write` appends.
  mutating func add(_ write: (inout [UInt8]) -> Void) {
    if !isEmpty { bytes += ",\n".utf8 }
    isEmpty = false
    write(&bytes)
  }

  /// What is to be sent now; `nil` while it is not enough.
  mutating func takePiece() -> [UInt8]? {
    guard bytes.count >= Self.size else { return nil }
    defer { bytes.removeAll(keepingCapacity: true) }
    hasBegun = true
    return bytes
  }

  /// The rest, with the end of the array.
  mutating func end() -> [UInt8] {
    bytes += "\n]\n".utf8
    return bytes
  }
}
