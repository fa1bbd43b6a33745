/// The open streams, in parts of about the same size that come up one after the other.
struct StreamRing {
  /// With one part a second, each stream comes up twice a minute.
  static let partCount = 30

  private var parts = [[ObjectIdentifier: ListenStream]](repeating: [:], count: partCount)
  private var places: [ObjectIdentifier: Int] = [:]
  private var lastPlace = 0
  private var position = 0

  var isEmpty: Bool { places.isEmpty }

  var all: [ListenStream] { parts.flatMap(\.values) }

  mutating func insert(_ stream: ListenStream) {
    lastPlace = (lastPlace + 1) % Self.partCount
    places[ObjectIdentifier(stream)] = lastPlace
    parts[lastPlace][ObjectIdentifier(stream)] = stream
  }

  mutating func remove(_ stream: ListenStream) {
    guard let place = places.removeValue(forKey: ObjectIdentifier(stream)) else { return }
    parts[place][ObjectIdentifier(stream)] = nil
  }

  /// The streams of the part that is next.
  mutating func next() -> [ListenStream] {
    position = (position + 1) % Self.partCount
    return Array(parts[position].values)
  }
}
