package import Coding

/// What the ids of collections and documents may be.
package enum ResourceID {
  /// Checks the id of a collection: reserved forms, but for those that begin with `__esc`, and length.
  ///
  /// - Throws: `INVALID_ARGUMENT`.
  package static func checkCollection(_ id: UTF8String) throws(FirestoreError) {
    if isReserved(id) && !id.utf8.starts(with: "__esc".utf8) || id == "." || id == ".." {
      throw .invalidArgument("Collection id \"\(id)\" is invalid because it is reserved.")
    }
    if id.count > Limits.idBytes {
      throw .invalidArgument("The key path element kind is longer than 1500 bytes.")
    }
  }

  /// Checks a collection id that stands by itself: in a selector, or where a document is created.
  ///
  /// - Throws: `INVALID_ARGUMENT`.
  package static func checkSingleCollection(_ id: UTF8String) throws(FirestoreError) {
    if id.utf8.contains(UInt8(ascii: "/")) {
      throw .invalidArgument("Collection id \"\(id)\" is invalid because it contains \"/\".")
    }
    if id.isEmpty {
      throw .invalidArgument("Collection id \"\" is invalid because it is empty.")
    }
    try checkCollection(id)
  }

  /// Checks the id of a document: reserved forms, but for numeric ids, and length.
  ///
  /// - Throws: `INVALID_ARGUMENT`.
  package static func checkDocument(_ id: UTF8String) throws(FirestoreError) {
    if isReserved(id), number(id) == nil {
      let reason = hasNumericForm(id) ? "is not a 64 bit integer" : "is reserved"
      throw .invalidArgument("Resource id \"\(id)\" is invalid because it \(reason).")
    }
    if id.count > Limits.idBytes {
      throw .invalidArgument("The key path element name is longer than 1500 bytes.")
    }
  }

  /// Checks a document id that stands by itself: the `document_id` of a creation.
  ///
  /// - Throws: `INVALID_ARGUMENT`.
  package static func checkSingleDocument(_ id: UTF8String) throws(FirestoreError) {
    if id.utf8.contains(UInt8(ascii: "/")) {
      throw .invalidArgument("Resource id \"\(id)\" is invalid because it contains \"/\".")
    }
    if id == "." || id == ".." {
      throw .invalidArgument("Resource id \"\(id)\" is invalid because it is reserved.")
    }
    try checkDocument(id)
  }

  /// Two underscores, at least one character, two underscores.
  package static func isReserved(_ name: UTF8String) -> Bool {
    let bytes = name.utf8
    let underscore = UInt8(ascii: "_")
    return bytes.count > 4 && bytes.first == underscore
      && bytes.starts(with: [underscore, underscore])
      && bytes.suffix(2).elementsEqual([underscore, underscore])
  }

  /// The number of a numeric id `__id7__`, which sorts before all other ids; `nil` for those. A number has one
  /// spelling: no plus, no leading zeros, no minus zero.
  package static func number(_ id: UTF8String) -> Int64? {
    guard id.utf8.first == UInt8(ascii: "_"), hasNumericForm(id) else { return nil }
    let digits = id.string.utf8.dropFirst(4).dropLast(2)
    guard let number = Int64(String(Substring(digits))) else { return nil }
    return String(number).utf8.elementsEqual(digits) ? number : nil
  }

  /// The id of `number`.
  package static func id(of number: Int64) -> UTF8String {
    UTF8String("__id\(number)__")
  }

  private static func hasNumericForm(_ id: UTF8String) -> Bool {
    guard isReserved(id), id.utf8.starts(with: "__id".utf8), id.count > 6 else { return false }
    var digits = id.utf8.dropFirst(4).dropLast(2)
    if digits.first == UInt8(ascii: "-") { digits = digits.dropFirst() }
    return !digits.isEmpty && digits.allSatisfy { (0x30...0x39).contains($0) }
  }

  /// The order of ids: numeric ones first, by number, then by bytes.
  package static func compare(_ left: UTF8String, _ right: UTF8String) -> Ordering {
    switch (number(left), number(right)) {
    case (nil, nil): Ordering(left.utf8, right.utf8)
    case (.some, nil): .ascending
    case (nil, .some): .descending
    case (.some(let left), .some(let right)): Ordering(left, right)
    }
  }
}
