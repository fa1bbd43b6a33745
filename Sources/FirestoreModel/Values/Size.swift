package import Coding

// Sizes as the limits count them.
//
// Source: "Storage size calculations" of the Firestore documentation; that maps have no overhead of their own and that an
// empty map or array counts one byte was measured.

extension UTF8String {
  /// Size as a string, field name or id.
  package var storageSize: Int { count + 1 }
}

extension DocumentPath {
  /// Size of the name of the document.
  package var nameSize: Int {
    segments.reduce(16) { size, id in
      size + (ResourceID.number(id) == nil ? id.storageSize : 8)
    }
  }
}

extension Value {
  package var storageSize: Int {
    switch self {
    case .null, .boolean: 1
    case .integer, .double, .timestamp: 8
    case .string(let text): text.storageSize
    case .bytes(let bytes): bytes.count
    case .reference(let name): name.path.nameSize
    case .geoPoint: 16
    case .array(let values): max(1, values.reduce(0) { $0 + $1.storageSize })
    case .vector(let numbers): max(1, 8 * numbers.count)
    case .map(let map): max(1, map.storageSize)
    }
  }
}

extension MapValue {
  /// Names and values, without overhead.
  package var storageSize: Int {
    fields.reduce(0) { $0 + $1.name.storageSize + $1.value.storageSize }
  }

  /// Size of a document with these fields and the name `path`.
  package func documentSize(at path: DocumentPath) -> Int {
    path.nameSize + storageSize + 32
  }
}
