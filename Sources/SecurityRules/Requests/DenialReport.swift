/// A request that the rules refused.
package struct DenialReport: Sendable {
  /// What it was about: a database or an object, by its whole name.
  package var place: String
  /// Who asked, in words.
  package var identity: String
  /// The rules and what their expressions came to, line by line.
  package var lines: [String]

  package init(place: String, identity: String, lines: [String]) {
    self.place = place
    self.identity = identity
    self.lines = lines
  }
}
