package import FirestoreModel
internal import Synchronization

/// A document that goes to several listeners and is encoded once for each form of the wire.
package final class SharedDocument: Sendable {
  package enum Form: Sendable {
    case protobuf
    case json
  }

  private struct Encodings {
    var protobuf: [UInt8]?
    var json: [UInt8]?
  }

  package let document: Document
  private let encodings = Mutex(Encodings())

  package init(_ document: Document) {
    self.document = document
  }

  /// The bytes of the document in `form`; `encode` makes them the first time.
  package func bytes(_ form: Form, _ encode: (Document) -> [UInt8]) -> [UInt8] {
    encodings.withLock { encodings in
      switch form {
      case .protobuf:
        if let bytes = encodings.protobuf { return bytes }
        let bytes = encode(document)
        encodings.protobuf = bytes
        return bytes
      case .json:
        if let bytes = encodings.json { return bytes }
        let bytes = encode(document)
        encodings.json = bytes
        return bytes
      }
    }
  }
}
