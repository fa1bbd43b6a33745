/// The open streams, in parts of about the same size that come up one after the other.
struct StreamRing {
  /// With one part a second, each stream comes up twice a minute.
  static let partCount = 30

  private var parts = [[ObjectIdentifier: ListenInbox]](repeating: [:], count: partCount)
  private var places: [ObjectIdentifier: Int] = [:]
  private var lastPlace = 0
  private var position = 0

  var isEmpty: Bool { places.isEmpty }

  var all: [ListenInbox] { parts.flatMap(\.values) }

  mutating func insert(_ inbox: ListenInbox) {
    lastPlace = (lastPlace + 1) % Self.partCount
    places[ObjectIdentifier(inbox)] = lastPlace
    parts[lastPlace][ObjectIdentifier(inbox)] = inbox
  }

  mutating func remove(_ inbox: ListenInbox) {
    guard let place = places.removeValue(forKey: ObjectIdentifier(inbox)) else { return }
    parts[place][ObjectIdentifier(inbox)] = nil
  }

  /// The streams of the part that is next.
  mutating func next() -> [ListenInbox] {
    position = (position + 1) % Self.partCount
    return Array(parts[position].values)
  }
}
