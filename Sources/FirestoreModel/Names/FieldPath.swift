package import Coding

/// The way to a field: field names from the outside in, at least one.
package struct FieldPath: Hashable, Sendable {
  package let segments: [UTF8String]

  package init(segments: [UTF8String]) {
    precondition(!segments.isEmpty, "empty field path")
    self.segments = segments
  }
}

/// Paths that an operation is restricted to. An empty mask is a mask: it names nothing.
package struct FieldMask: Hashable, Sendable {
  package var paths: [FieldPath]

  package init(_ paths: [FieldPath]) {
    self.paths = paths
  }
}
