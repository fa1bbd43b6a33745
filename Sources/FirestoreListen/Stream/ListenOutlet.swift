/// A way to a client that needs no task, for what can be told at once.
package struct ListenOutlet: Sendable {
  /// Where the outlet works. Those of one place are served one after the other.
  let place: ObjectIdentifier
  /// Runs a body at that place, soon.
  package let execute: @Sendable (@escaping @Sendable () -> Void) -> Void
  /// Sends messages if there is room for them. Only at the place, and only while nothing else is being sent.
  let offer: @Sendable (ListenBatch) -> Bool

  package init(
    place: ObjectIdentifier,
    execute: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void,
    offer: @escaping @Sendable (ListenBatch) -> Bool
  ) {
    self.place = place
    self.execute = execute
    self.offer = offer
  }
}

extension ListenOutlet {
  /// How many streams are served in one go, so that others have their turn at the place.
  private static let stride = 64

  /// Lets each of `streams` tell what has come; those without an outlet are woken.
  static func serve(_ streams: [ListenStream]) {
    var places: [(outlet: ListenOutlet, streams: [ListenStream])] = []
    for stream in streams {
      guard let outlet = stream.outlet else {
        stream.inbox.wake()
        continue
      }
      if let index = places.firstIndex(where: { $0.outlet.place == outlet.place }) {
        places[index].streams.append(stream)
      } else {
        places.append((outlet, [stream]))
      }
    }
    for (outlet, streams) in places { outlet.serve(streams[...]) }
  }

  private func serve(_ streams: ArraySlice<ListenStream>) {
    execute {
      for stream in streams.prefix(Self.stride) { stream.tellNow() }
      let rest = streams.dropFirst(Self.stride)
      if !rest.isEmpty { self.serve(rest) }
    }
  }
}
