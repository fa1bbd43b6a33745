package import Coding

/// The moment that a read looks at: what is read holds every commit up to it, and none behind it.
package struct ReadPoint: Hashable, Sendable {
  /// Microseconds since 1970, the clock of commit versions.
  package let version: Int64

  package init(version: Int64) {
    self.version = version
  }

  package var time: Timestamp { Timestamp(microseconds: version) }
}
