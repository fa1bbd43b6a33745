/// Header or trailer fields in the order of the wire.
///
/// Names are lower case on both sides of HTTP/2 and compared without case in HTTP/1.1; a name may occur several times.
package struct HTTPFields: Sendable {
  /// One field line; `name` is lower case.
  package struct Field: Hashable, Sendable {
    package var name: String
    package var value: String
  }

  package private(set) var lines: [Field] = []

  package init() {}

  package init(_ lines: [(name: String, value: String)]) {
    self.lines = lines.map { Field(name: $0.name, value: $0.value) }
  }

  /// The first `count` lines of `other`, with room for some more.
  init(prefix count: Int, of other: HTTPFields) {
    lines.reserveCapacity(max(16, count + 4))
    lines += other.lines.prefix(count)
  }

  /// Adds a field line; `name` must be lower case.
  package mutating func append(_ name: String, _ value: String) {
    lines.append(Field(name: name, value: value))
  }

  /// Makes room for `count` lines at once.
  package mutating func reserveCapacity(_ count: Int) {
    lines.reserveCapacity(count)
  }

  /// The value of the first line named `name` (lower case).
  package func first(_ name: String) -> String? {
    lines.first { $0.name == name }?.value
  }

  /// The values of all lines named `name`, in order.
  package func all(_ name: String) -> [String] {
    lines.filter { $0.name == name }.map(\.value)
  }

  package func contains(_ name: String) -> Bool {
    lines.contains { $0.name == name }
  }
}
