internal import CThreads
public import Synchronization

/// A value for each thread.
///
/// Two cores that write to the same memory wait for each other, and the counts of references are such memory: what every request
/// looks at costs several times as much when all threads share it. Threads beyond the number of places share one; it is locked.
@usableFromInline
package final class PerThread<Value: Sendable>: Sendable {
  /// As far from the next one as cores take memory at once.
  @usableFromInline
  struct Place: ~Copyable, Sendable {
    @usableFromInline let value: Mutex<Value>
    private let distance = InlineArray<16, UInt64>(repeating: 0)

    init(_ value: Value) {
      self.value = Mutex(value)
    }
  }

  @usableFromInline let places: InlineArray<32, Place>

  /// Each thread begins with `value`.
  package init(_ value: Value) {
    places = InlineArray { _ in Place(value) }
  }

  /// Lends the value of this thread to `body`, which must be short and must not ask for it again.
  @inlinable
  package func withValue<Result, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    try places[placeOfThread].value.withLock(body)
  }

  /// The values of all threads, and those that wait for others.
  package var values: [Value] {
    places.indices.map { places[$0].value.withLock { $0 } }
  }
}

/// Which place is for this thread.
@usableFromInline
var placeOfThread: Int { Int(cthreads_number() % 32) }
