/// A value that belongs to one loop, in a box that may go anywhere: only the loop can open it.
///
/// Invariant behind `@unchecked Sendable`: the value is reached on its loop only, and each way to it checks that. It may be
/// released anywhere, so its `deinit` must not depend on the thread.
@usableFromInline
package struct LoopBound<Value>: @unchecked Sendable {
  @usableFromInline package let loop: EventLoop
  @usableFromInline let value: Value

  @inlinable
  package init(_ value: Value, on loop: EventLoop) {
    self.value = value
    self.loop = loop
  }

  /// Whether the caller is on the loop and may call `withValue`.
  @inlinable package var isCurrent: Bool { loop.isCurrent }

  /// Lends the value; traps off the loop.
  @inlinable
  package func withValue<Result, Failure: Error>(
    _ body: (Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    precondition(loop.isCurrent, "a value of another loop")
    return try body(value)
  }

  /// Runs `body` with the value: at once on the loop, else on the loop some time later.
  @inlinable
  package func execute(_ body: @escaping @Sendable (Value) -> Void) {
    if loop.isCurrent {
      body(value)
    } else {
      post(body)
    }
  }

  /// Runs `body` with the value on the loop, after this call returns.
  @inlinable
  package func post(_ body: @escaping @Sendable (Value) -> Void) {
    loop.execute { body(value) }
  }

  /// Runs `body` on the loop and gives its result; on the loop without a suspension.
  @inlinable
  package func run<Result: Sendable>(
    _ body: @escaping @Sendable (Value) -> Result
  ) async -> Result {
    if loop.isCurrent { return body(value) }
    return await withCheckedContinuation { continuation in
      post { continuation.resume(returning: body($0)) }
    }
  }
}
