internal import CUV

/// A timer of one loop with a resolution of 1 ms. It lives until it has fired or is cancelled, whoever holds it.
@safe
package final class LoopTimer: LoopHandle {
  private var handle: UnsafeMutablePointer<uv_timer_t>?
  private var body: (() -> Void)?
  private let isRepeating: Bool

  fileprivate init(
    _ loop: EventLoop, after delay: Duration, isRepeating: Bool, _ body: @escaping () -> Void
  ) {
    loop.checkIsolated()
    self.body = body
    self.isRepeating = isRepeating
    super.init()
    let handle = UnsafeMutablePointer<uv_timer_t>.allocate(capacity: 1)
    unsafe self.handle = handle
    unsafe uv_timer_init(loop.handle, handle)
    unsafe handle.pointee.data = Unmanaged.passRetained(self as LoopHandle).toOpaque()
    unsafe uv_update_time(loop.handle)
    let milliseconds = delay.roundedUpMilliseconds
    unsafe uv_timer_start(
      handle,
      {
        guard let data = unsafe $0?.pointee.data else { return }
        unsafe Unmanaged<LoopTimer>.fromOpaque(data).takeUnretainedValue().fire()
      }, milliseconds, isRepeating ? max(1, milliseconds) : 0)
  }

  /// Never fires again; harmless after it has fired. Called on the loop.
  package func cancel() { close() }

  private func fire() {
    let body = body
    if !isRepeating { close() }
    body?()
  }

  package override func close() {
    guard let handle = unsafe handle else { return }
    unsafe self.handle = nil
    body = nil
    let base = unsafe UnsafeMutableRawPointer(handle).assumingMemoryBound(to: uv_handle_t.self)
    unsafe uv_close(base) { base in
      guard let base = unsafe base, let data = unsafe base.pointee.data else { return }
      unsafe Unmanaged<LoopHandle>.fromOpaque(data).release()
      unsafe UnsafeMutableRawPointer(base).assumingMemoryBound(to: uv_timer_t.self).deallocate()
    }
  }
}

extension Duration {
  fileprivate var roundedUpMilliseconds: UInt64 {
    guard self > .zero else { return 0 }
    let (seconds, attoseconds) = components
    guard seconds < Int64(UInt32.max) else { return UInt64(UInt32.max) * 1000 }
    return UInt64(seconds) * 1000
      + UInt64((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
}

extension EventLoop {
  /// Calls `body` once on the loop, not before `delay` has passed. Only on the loop.
  @discardableResult
  package func schedule(after delay: Duration, _ body: @escaping () -> Void) -> LoopTimer {
    LoopTimer(self, after: delay, isRepeating: false, body)
  }

  /// Calls `body` on the loop every `interval` until the timer is cancelled. Only on the loop.
  package func schedule(every interval: Duration, _ body: @escaping () -> Void) -> LoopTimer {
    LoopTimer(self, after: interval, isRepeating: true, body)
  }

  /// Suspends the task for `duration`; from any task.
  ///
  /// - Throws: `CancellationError` as soon as the task is cancelled.
  package func sleep(for duration: Duration) async throws(CancellationError) {
    let waiter = Waiter()
    let alarm = Alarm()
    let box = LoopBound(alarm, on: self)
    box.execute { alarm in
      alarm.timer = box.loop.schedule(after: duration) {
        alarm.hasRung = true
        waiter.signal()
      }
    }
    while !Task.isCancelled {
      await waiter.wait()
      if await box.run({ $0.hasRung }) { return }
    }
    box.execute { $0.timer?.cancel() }
    throw CancellationError()
  }
}

/// The state of one sleep, on its loop.
private final class Alarm {
  var timer: LoopTimer?
  var hasRung = false
}
