package import FirestoreModel
internal import Synchronization

/// A document that goes to several listeners and is encoded once for each form of the wire.
package final class SharedDocument: Sendable {
  package enum Form: Sendable {
    case protobuf
    case json
  }

  package let document: Document
  private let encodings = SharedBytes()

  package init(_ document: Document) {
    self.document = document
  }

  /// The bytes of the document in `form`; `encode` makes them the first time.
  package func bytes(_ form: Form, _ encode: (Document) -> [UInt8]) -> [UInt8] {
    encodings.bytes(form) { encode(document) }
  }
}

/// The bytes of something in each form of the wire, made when they are first asked for.
final class SharedBytes: Sendable {
  private struct Encodings {
    var protobuf: [UInt8]?
    var json: [UInt8]?
  }

  private let encodings = Mutex(Encodings())

  func bytes(_ form: SharedDocument.Form, _ encode: () -> [UInt8]) -> [UInt8] {
    encodings.withLock { encodings in
      switch form {
      case .protobuf: Self.filled(&encodings.protobuf, encode)
      case .json: Self.filled(&encodings.json, encode)
      }
    }
  }

  private static func filled(_ bytes: inout [UInt8]?, _ encode: () -> [UInt8]) -> [UInt8] {
    if let bytes { return bytes }
    let encoded = encode()
    bytes = encoded
    return encoded
  }
}
