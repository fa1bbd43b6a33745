package import Coding

/// The path of a document or collection as bytes that sort as `__name__` does: id by id, numeric ids first, a shorter path
/// before the longer ones that it begins. A collection's key is a prefix of those of all documents in it and below.
package enum NameKey {
  package static func document(_ path: DocumentPath) -> [UInt8] {
    var writer = KeyWriter()
    writer.path(path.segments)
    return writer.bytes
  }

  package static func collection(_ path: CollectionPath) -> [UInt8] {
    var writer = KeyWriter()
    writer.path(path.segments)
    return writer.bytes
  }

  /// The ids that `key` holds from `offset` to `end`, or to its end; `nil` for other bytes.
  package static func decode(
    _ key: [UInt8], from offset: Int = 0, to end: Int? = nil
  ) -> [UTF8String]? {
    var reader = KeyReader(key, from: offset, to: end)
    var segments: [UTF8String] = []
    while !reader.isAtEnd {
      guard let id = segments.count % 2 == 0 ? reader.text() : reader.documentID() else {
        return nil
      }
      segments.append(id)
    }
    return segments
  }
}

extension KeyWriter {
  /// Collection and document ids in turn.
  package mutating func path(_ segments: [UTF8String]) {
    for (offset, id) in segments.enumerated() {
      if offset % 2 == 0 { text(id) } else { documentID(id) }
    }
  }
}
