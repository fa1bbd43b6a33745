/// The text of an array that is sent while its elements come.
struct StreamBuffer {
  /// As much as is held back before something is sent.
  static let size = 32 << 10

  /// Whether a piece was taken to be sent.
  private(set) var hasBegun = false
  private var bytes = Array("[\n".utf8)
  private var isEmpty = true

  /// Adds the text of an element.
  mutating func add(_ element: [UInt8]) {
    if !isEmpty { bytes += Array(",\n".utf8) }
    isEmpty = false
    bytes += element
  }

  /// What is to be sent now; `nil` while it is not enough.
  mutating func takePiece() -> [UInt8]? {
    guard bytes.count >= Self.size else { return nil }
    defer { bytes.removeAll(keepingCapacity: true) }
    hasBegun = true
    return bytes
  }

  /// The rest, with the end of the array.
  func end() -> [UInt8] {
    bytes + Array("\n]\n".utf8)
  }
}
