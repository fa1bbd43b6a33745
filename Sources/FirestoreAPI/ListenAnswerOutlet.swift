internal import FirestoreListen

/// A way to the client of a Listen stream for what can be told at once, without its task.
package struct ListenAnswerOutlet: Sendable {
  let outlet: ListenOutlet

  /// Outlets of one `place` are served one after the other by what `execute` runs there. `offer` is called there only, while
  /// nothing else is being sent; it sends the answers if there is room for them.
  package init(
    place: ObjectIdentifier,
    execute: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void,
    offer: @escaping @Sendable (ListenAnswers) -> Bool
  ) {
    outlet = ListenOutlet(place: place, execute: execute) { offer(ListenAnswers(batch: $0)) }
  }
}

/// Answers that go out together.
package struct ListenAnswers: Sendable {
  let batch: ListenBatch

  /// All of them as protobuf messages, joined by `frame`. They are made once for all clients that get the same, so all who ask
  /// must give the same function.
  package func protobufBytes(_ frame: ([[UInt8]]) -> [UInt8]) -> [UInt8] {
    batch.bytes(.protobuf) { messages in
      frame(messages.map { ListenAnswer($0).protobufBytes() })
    }
  }
}
