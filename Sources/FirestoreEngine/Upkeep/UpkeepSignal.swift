/// Wakes the upkeep of an engine; any number of calls before it looks count as one.
final class UpkeepSignal: Sendable {
  private let stream: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  init() {
    (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  func wake() {
    continuation.yield()
  }

  /// Returns at the next call of `wake`, or at once if there was one since the last return, or on cancellation.
  func wait() async {
    for await _ in stream { return }
  }
}
