/// Messages that go out together, encoded once for all clients that get the same.
package final class ListenBatch: Sendable {
  package let messages: [ListenMessage]
  private let encodings = SharedBytes()

  init(_ messages: [ListenMessage]) {
    self.messages = messages
  }

  /// The bytes of all messages in `form`; `encode`, which is the same for all who ask for a form, makes them the first
  /// time.
  package func bytes(
    _ form: SharedDocument.Form, _ encode: ([ListenMessage]) -> [UInt8]
  ) -> [UInt8] {
    encodings.bytes(form) { encode(messages) }
  }
}
