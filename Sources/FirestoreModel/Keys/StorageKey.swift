package import Coding

/// Stands for a database at the beginning of every key; never used twice.
package struct DatabaseNumber: RawRepresentable, Hashable, Sendable {
  package let rawValue: UInt64

  package init(rawValue: UInt64) {
    self.rawValue = rawValue
  }
}

/// The key of a document in the store.
///
/// ```
/// database number   compact
/// each collection on the way, and the document in it that the way goes through:
///   collection id   text
///   02
///   document id     id
/// collection id     text
/// 01
/// document id       id
/// ```
///
/// The byte behind a collection id keeps the documents of a collection together and apart from all that is below them.
/// Within a collection the keys sort as the names do.
package enum StorageKey {
  private static let documents: UInt8 = 1
  private static let deeper: UInt8 = 2

  /// What all keys of a database begin with.
  package static func database(_ database: DatabaseNumber) -> [UInt8] {
    writer(database).bytes
  }

  package static func document(_ database: DatabaseNumber, _ path: DocumentPath) -> [UInt8] {
    var writer = collectionWriter(database, path.segments.dropLast())
    writer.documentID(path.id)
    return writer.bytes
  }

  /// What the keys of the documents of a collection begin with, and no others.
  package static func collection(_ database: DatabaseNumber, _ path: CollectionPath) -> [UInt8] {
    collectionWriter(database, path.segments[...]).bytes
  }

  /// What the keys of the documents at any depth below `parent`, or below the root, begin with, and no others.
  package static func descendants(
    _ database: DatabaseNumber, of parent: DocumentPath?
  ) -> [UInt8] {
    var writer = writer(database)
    append(parent?.segments[...] ?? [], to: &writer)
    return writer.bytes
  }

  /// What `document` made the key of; `nil` for other bytes.
  package static func decode(_ key: [UInt8]) -> (DatabaseNumber, DocumentPath)? {
    var reader = KeyReader(key)
    guard let number = reader.compact() else { return nil }
    var segments: [UTF8String] = []
    while true {
      guard let collection = reader.text(), let marker = reader.byte(),
        let document = reader.documentID()
      else { return nil }
      segments.append(collection)
      segments.append(document)
      if marker == documents { break }
    }
    guard reader.isAtEnd else { return nil }
    return (DatabaseNumber(rawValue: number), DocumentPath(segments: segments))
  }

  /// The id of the document whose key begins with `prefix`, which `collection` made; `nil` for other bytes.
  package static func documentID(of key: [UInt8], behind prefix: [UInt8]) -> UTF8String? {
    var reader = KeyReader(key, from: prefix.count)
    guard let id = reader.documentID(), reader.isAtEnd else { return nil }
    return id
  }

  private static func writer(_ database: DatabaseNumber) -> KeyWriter {
    var writer = KeyWriter(capacity: 64)
    writer.compact(database.rawValue)
    return writer
  }

  private static func collectionWriter(
    _ database: DatabaseNumber, _ segments: ArraySlice<UTF8String>
  ) -> KeyWriter {
    var writer = writer(database)
    append(segments.dropLast(), to: &writer)
    if let id = segments.last { writer.text(id) }
    writer.byte(documents)
    return writer
  }

  private static func append(_ parent: ArraySlice<UTF8String>, to writer: inout KeyWriter) {
    for (offset, id) in parent.enumerated() {
      if offset % 2 == 0 {
        writer.text(id)
        writer.byte(deeper)
      } else {
        writer.documentID(id)
      }
    }
  }
}
