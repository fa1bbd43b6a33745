import Coding
internal import HTTPServer

extension GRPCStatus {
  /// The fields that say this status, in trailers or in an answer that has nothing else.
  func append(to fields: inout HTTPFields) {
    fields.append("grpc-status", String(code.rawValue))
    if !message.isEmpty { fields.append("grpc-message", Self.percentEncoded(message)) }
    if !details.isEmpty { fields.append("grpc-status-details-bin", Base64.encode(details)) }
  }

  /// This status as trailers.
  var fields: HTTPFields {
    var fields = HTTPFields()
    append(to: &fields)
    return fields
  }

  /// Why the body of a request or the answer broke off, as a status.
  init(_ error: HTTPStreamError) {
    switch error.code {
    case .disconnected, .cancelled: self.init(.cancelled, "The call was cancelled.")
    case .malformed: self.init(.internalError, "The stream is malformed.")
    case .tooLarge: self.init(.resourceExhausted, "The request is too large.")
    case .draining: self.init(.unavailable, "The server is shutting down.")
    }
  }

  /// `Status-Message` of the gRPC protocol: bytes of UTF-8 outside of space to tilde, and the percent sign, as
  /// `%XX`. A space at either end too, because HTTP/2 forbids it there.
  static func percentEncoded(_ message: String) -> String {
    let bytes = Array(message.utf8)
    func isPlain(_ index: Int) -> Bool {
      switch bytes[index] {
      case UInt8(ascii: "%"): false
      case UInt8(ascii: " "): index != 0 && index != bytes.count - 1
      case 0x21...0x7e: true
      default: false
      }
    }
    if bytes.indices.allSatisfy(isPlain) { return message }
    let digits = Array("0123456789ABCDEF".utf8)
    var encoded: [UInt8] = []
    encoded.reserveCapacity(bytes.count + 16)
    for index in bytes.indices {
      if isPlain(index) {
        encoded.append(bytes[index])
      } else {
        encoded += [
          UInt8(ascii: "%"), digits[Int(bytes[index] >> 4)], digits[Int(bytes[index] & 15)],
        ]
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }
}
