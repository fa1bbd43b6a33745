internal import Coding

/// Until when the signature of a URL counts.
struct SignedTime {
  /// Seconds since 1970; `nil` without a signature.
  private var end: Int64?
  private var isMalformed = false

  init(_ call: StorageCall) {
    for vendor in ["X-Goog", "X-Amz"] {
      guard let date = call.parameter("\(vendor)-Date"),
        let time = call.parameter("\(vendor)-Expires")
      else { continue }
      if let start = Self.seconds(date), let length = Int64(time), 1...604_800 ~= length {
        end = start + length
      } else {
        isMalformed = true
      }
    }
    guard call.parameter("Signature") != nil, let text = call.parameter("Expires") else { return }
    end = Int64(text)
    isMalformed = end == nil
  }

  /// `20260102T030405Z`.
  private static func seconds(_ text: String) -> Int64? {
    let bytes = Array(text.utf8)
    guard bytes.count == 16 else { return nil }
    func part(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
    return Timestamp(
      rfc3339:
        "\(part(0..<4))-\(part(4..<6))-\(part(6..<11)):\(part(11..<13)):\(part(13..<16))")?.seconds
  }

  func check(now: Int64) throws(XMLError) {
    if isMalformed { throw .invalidArgument }
    if let end, end < now { throw .expired }
  }
}
