internal import CUV

/// The threads of the process for calls that block. There are few (4): only for what ends by itself, such as reading a piece of a
/// file, and for enough at a time that a change of threads does not matter.
package struct ThreadPool: Sendable {
  private let group: EventLoopGroup

  /// The loops of `group` carry the results of callers that are on none.
  package init(_ group: EventLoopGroup) {
    self.group = group
  }

  /// Runs `body` on a thread of the pool and gives its result.
  package func run<Result: Sendable>(
    _ body: @escaping @Sendable () -> Result
  ) async -> Result {
    await withCheckedContinuation { continuation in
      let work = PoolCall(body, continuation)
      if let loop = EventLoop.current {
        work.queue(on: loop)
      } else {
        let loop = group.loops[0]
        loop.execute { work.queue(on: loop) }
      }
    }
  }
}

/// One call, from its queueing to its result.
///
/// Invariant behind `@unchecked Sendable`: it is touched by one thread at a time, in an order that libuv's queue makes.
@safe
private class PoolWork: @unchecked Sendable {
  func perform() {}
  func finish() {}

  /// Hands it to the pool; on the loop.
  func queue(on loop: EventLoop) {
    let request = UnsafeMutablePointer<uv_work_t>.allocate(capacity: 1)
    unsafe request.pointee.data = Unmanaged.passRetained(self).toOpaque()
    let status = unsafe uv_queue_work(
      loop.handle, request,
      { request in
        guard let data = unsafe request?.pointee.data else { return }
        unsafe Unmanaged<PoolWork>.fromOpaque(data).takeUnretainedValue().perform()
      },
      { request, _ in
        guard let request = unsafe request, let data = unsafe request.pointee.data else { return }
        unsafe request.deallocate()
        unsafe Unmanaged<PoolWork>.fromOpaque(data).takeRetainedValue().finish()
      })
    // The only error of this call is a missing function.
    precondition(status == 0, "uv_queue_work: \(status)")
  }
}

private final class PoolCall<Result: Sendable>: PoolWork, @unchecked Sendable {
  private let body: @Sendable () -> Result
  private let continuation: CheckedContinuation<Result, Never>
  private var result: Result?

  init(
    _ body: @escaping @Sendable () -> Result, _ continuation: CheckedContinuation<Result, Never>
  ) {
    self.body = body
    self.continuation = continuation
  }

  override func perform() {
    result = body()
  }

  override func finish() {
    guard let result else { preconditionFailure("a call of the pool has not run") }
    continuation.resume(returning: result)
  }
}
