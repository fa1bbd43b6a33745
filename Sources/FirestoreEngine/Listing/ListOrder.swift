internal import Coding
package import FirestoreModel

/// One field that documents are listed by.
package struct ListOrder: Hashable, Sendable {
  package let path: FieldPath
  package let isDescending: Bool

  /// Reads the form on the wire, `priority desc, __name__ desc`; empty text is no order.
  ///
  /// - Throws: `INVALID_ARGUMENT`.
  package static func parse(_ text: String) throws(FirestoreError) -> [ListOrder] {
    guard !text.utf8.isEmpty else { return [] }
    var orders: [ListOrder] = []
    for clause in split(text.utf8[...], at: UInt8(ascii: ",")) {
      let words = split(clause, at: UInt8(ascii: " ")).filter { !$0.isEmpty }
      guard let first = words.first, words.count <= 2, let path = path(first),
        let isDescending = isDescending(words.dropFirst().first)
      else { throw .invalidArgument("Invalid order by clause \"\(text)\".") }
      guard orders.last?.path.isDocumentName != true else {
        throw .invalidArgument("order by clause cannot contain more fields after the key")
      }
      guard !orders.contains(where: { $0.path == path }) else {
        throw .invalidArgument(
          "order by clause cannot contain duplicate fields \(path.plainText)")
      }
      orders.append(ListOrder(path: path, isDescending: isDescending))
    }
    return orders
  }

  private static func path(_ text: Substring.UTF8View) -> FieldPath? {
    do {
      return try FieldPath(parsing: String(Substring(text)))
    } catch {
      return nil
    }
  }

  private static func isDescending(_ word: Substring.UTF8View?) -> Bool? {
    switch word.map({ String(Substring($0)).lowercased() }) {
    case nil, "asc": false
    case "desc": true
    case .some: nil
    }
  }

  /// The parts between `separator`s that stand outside of backticks.
  private static func split(
    _ text: Substring.UTF8View, at separator: UInt8
  ) -> [Substring.UTF8View] {
    var isQuoted = false
    return text.split(omittingEmptySubsequences: false) { byte in
      if byte == UInt8(ascii: "`") { isQuoted.toggle() }
      return byte == separator && !isQuoted
    }
  }
}
