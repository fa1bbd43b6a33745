/// What an answered write survives.
package enum Durability: Sendable {
  /// The death of the process.
  case normal
  /// A power cut too: each group waits for the disk once.
  case full
}
