internal import Coding

/// What the indexes that production keeps of every field would hold of a document.
///
/// A plain value has an entry in an ascending and in a descending index, an array one for each of its elements that differ;
/// maps have those of their fields. An entry holds the names of the document and of its parent, the path of the field, the
/// beginning of the value, and 32 bytes.
///
/// Source: "Index entry size" and "Single-field index settings" of the Firestore documentation.
package struct IndexEntries {
  private var count = 0
  private var bytes = 0
  private let base: Int
  private let countsRepeated: Bool

  private init(base: Int, countsRepeated: Bool) {
    self.base = base
    self.countsRepeated = countsRepeated
  }

  /// Checks the entries of a document of the given size.
  ///
  /// - Throws: `INVALID_ARGUMENT`.
  package static func check(
    _ fields: MapValue, at path: DocumentPath, size: Int
  ) throws(FirestoreError) {
    let base = path.nameSize + (path.collection.parent?.nameSize ?? 0) + 32
    let longest = Limits.fieldPathBytes + 1 + Limits.indexedBytes
    // A document has fewer entries than bytes.
    guard
      base + longest > Limits.indexEntryBytes || size > Limits.indexEntries
        || size * (base + Limits.fieldPathBytes) + 2 * size > Limits.indexBytes
    else { return }
    var entries = IndexEntries(base: base, countsRepeated: true)
    try entries.add(fields, below: 0)
    guard entries.count > Limits.indexEntries || entries.bytes > Limits.indexBytes else { return }
    entries = IndexEntries(base: base, countsRepeated: false)
    try entries.add(fields, below: 0)
    let text = path.segments.map { "/" + $0.string }.joined()
    guard entries.count <= Limits.indexEntries else {
      throw .invalidArgument("too many index entries for entity \(text)")
    }
    guard entries.bytes <= Limits.indexBytes else {
      throw .invalidArgument(
        "The index entries of \(text) are larger than \(Limits.indexBytes) bytes together.")
    }
  }

  /// `prefix` is the size of the path to the map, without its end.
  private mutating func add(_ fields: MapValue, below prefix: Int) throws(FirestoreError) {
    for field in fields.fields {
      let path = prefix + field.name.count + 1
      switch field.value {
      case .map(let map): try add(map, below: path)
      case .array(let values):
        guard countsRepeated else {
          for key in Set(values.map { ValueKey.encode($0.indexed) }) {
            try add(key.count, at: path, field.name)
          }
          continue
        }
        for value in values { try add(value.storageSize, at: path, field.name) }
      case .null, .boolean, .integer, .double, .timestamp, .string, .bytes, .reference, .geoPoint,
        .vector:
        let size = field.value.storageSize
        try add(size, at: path, field.name)
        try add(size, at: path, field.name)
      }
    }
  }

  private mutating func add(
    _ size: Int, at path: Int, _ name: UTF8String
  ) throws(FirestoreError) {
    let size = base + path + min(size, Limits.indexedBytes)
    guard size <= Limits.indexEntryBytes else {
      throw .invalidArgument(
        "The index entry of property \"\(name)\" is larger than \(Limits.indexEntryBytes) bytes.")
    }
    count += 1
    bytes += size
  }
}
