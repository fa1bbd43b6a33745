package import Coding
package import FirestoreModel

extension Timestamp {
  /// The time of a message cut to microseconds.
  ///
  /// - Throws: `INVALID_ARGUMENT` outside the years 1 to 9999.
  package func checked() throws(FirestoreError) -> Timestamp {
    guard isValid else {
      throw .invalidArgument("Timestamp is outside of the years 0001 to 9999.")
    }
    return truncatedToMicroseconds
  }
}
