internal import CUV
internal import Synchronization

/// A thread that waits for input, output and timers, and runs jobs of Swift's concurrency in between.
///
/// It is a serial executor, so that actors can be pinned to it, and a task executor, so that tasks can prefer it. Jobs run after
/// the turn's input and after its timers, a bounded number of generations each time, so that tasks that yield for ever hold up neither.
///
/// Invariant behind `@unchecked Sendable`: everything that is not an atomic, a mutex or constant is touched by the loop's own
/// thread only.
@usableFromInline
@safe
package final class EventLoop: SerialExecutor, TaskExecutor, @unchecked Sendable {
  private enum Work {
    case job(UnownedJob)
    case body(@Sendable () -> Void)
  }

  private struct End {
    var isRequested = false
    var hasEnded = false
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  /// How often a turn looks for new jobs before it goes back to input and timers.
  private static let generations = 8
  /// Nanoseconds of work on end after which other threads may go first.
  private static let longWork: UInt64 = 500_000
  /// Enough that a large body does not cost a turn of the loop for every few pages of it.
  static let readBufferSize = 256 << 10

  /// How many connections live on this loop; the next one goes where the fewest are.
  let connectionCount = Atomic<Int>(0)
  let handle: UnsafeMutablePointer<uv_loop_t>
  /// Lent to every connection of the loop, one at a time, for the length of a read callback.
  let readBuffer: UnsafeMutableBufferPointer<UInt8>

  private let thread: UnsafeMutablePointer<uv_thread_t>
  private let wakeUp: UnsafeMutablePointer<uv_async_t>
  private let beforePoll: UnsafeMutablePointer<uv_prepare_t>
  private let afterPoll: UnsafeMutablePointer<uv_check_t>
  private let keepAwake: UnsafeMutablePointer<uv_idle_t>

  private let sent = Mutex<[Work]>([])
  private let hasSent = Atomic<Bool>(false)
  private let isAsleep = Atomic<Bool>(false)
  private let end = Mutex(End())

  private var queue: [Work] = []
  private var spare: [Work] = []
  private var isKeptAwake = false
  private var isStopping = false

  /// Starts the thread.
  ///
  /// - Throws: `.outOfResources` without descriptors, memory or threads.
  package init() throws(NetIOError) {
    unsafe handle = .allocate(capacity: 1)
    unsafe readBuffer = .allocate(capacity: Self.readBufferSize)
    unsafe thread = .allocate(capacity: 1)
    unsafe wakeUp = .allocate(capacity: 1)
    unsafe beforePoll = .allocate(capacity: 1)
    unsafe afterPoll = .allocate(capacity: 1)
    unsafe keepAwake = .allocate(capacity: 1)
    let status = unsafe uv_loop_init(handle)
    guard status == 0 else { throw NetIOError(status: status) }
    unsafe handle.pointee.data = Unmanaged.passUnretained(self).toOpaque()
    let wake = unsafe uv_async_init(handle, wakeUp) { _ in }
    guard wake == 0 else { throw NetIOError(status: wake) }
    unsafe uv_prepare_init(handle, beforePoll)
    unsafe uv_check_init(handle, afterPoll)
    unsafe uv_idle_init(handle, keepAwake)
    unsafe wakeUp.pointee.data = nil
    unsafe beforePoll.pointee.data = nil
    unsafe afterPoll.pointee.data = nil
    unsafe keepAwake.pointee.data = nil
    unsafe uv_prepare_start(beforePoll) { unsafe EventLoop.of($0?.pointee.loop)?.beforePolling() }
    unsafe uv_check_start(afterPoll) { unsafe EventLoop.of($0?.pointee.loop)?.afterPolling() }
    let started = unsafe uv_thread_create(
      thread, runEventLoop, Unmanaged.passRetained(self).toOpaque())
    guard started == 0 else {
      unsafe Unmanaged.passUnretained(self).release()
      throw NetIOError(status: started)
    }
  }

  deinit {
    unsafe handle.deallocate()
    unsafe readBuffer.deallocate()
    unsafe thread.deallocate()
    unsafe wakeUp.deallocate()
    unsafe beforePoll.deallocate()
    unsafe afterPoll.deallocate()
    unsafe keepAwake.deallocate()
  }

  /// The loop whose thread this is.
  package static var current: EventLoop? {
    guard let pointer = unsafe uv_key_get(currentLoop) else { return nil }
    return unsafe Unmanaged<EventLoop>.fromOpaque(pointer).takeUnretainedValue()
  }

  /// Whether the caller is on this loop's thread.
  @usableFromInline
  package var isCurrent: Bool {
    unsafe uv_key_get(currentLoop) == Unmanaged.passUnretained(self).toOpaque()
  }

  /// The time of the loop, taken when its turn began: it never goes back, and its zero is arbitrary. Only on the loop.
  package var now: Duration {
    .milliseconds(Int64(clamping: unsafe uv_now(handle)))
  }

  private static func of(_ handle: UnsafeMutablePointer<uv_loop_t>?) -> EventLoop? {
    guard let data = unsafe handle?.pointee.data else { return nil }
    return unsafe Unmanaged<EventLoop>.fromOpaque(data).takeUnretainedValue()
  }

  // MARK: Jobs

  @usableFromInline
  package func enqueue(_ job: consuming ExecutorJob) {
    enqueue(.job(UnownedJob(job)))
  }

  @usableFromInline
  package func checkIsolated() {
    precondition(isCurrent, "not on the loop")
  }

  @usableFromInline
  package func isIsolatingCurrentContext() -> Bool? { isCurrent }

  /// Runs `body` on the loop, never before this call returns, in the order of the calls from one thread.
  @usableFromInline
  package func execute(_ body: @escaping @Sendable () -> Void) {
    enqueue(.body(body))
  }

  private func enqueue(_ work: Work) {
    if isCurrent {
      queue.append(work)
      return
    }
    sent.withLock { $0.append(work) }
    hasSent.store(true, ordering: .sequentiallyConsistent)
    if isAsleep.exchange(false, ordering: .sequentiallyConsistent) {
      unsafe uv_async_send(wakeUp)
    }
  }

  /// Runs what is queued. Returns whether something is left.
  private func runJobs() -> Bool {
    var began: UInt64 = 0
    for generation in 0..<Self.generations {
      // Whoever waits for what was just sent may have been put on this core, and would wait for the rest of a time slice.
      if generation > 0 {
        let now = uv_hrtime()
        if began == 0 { began = now }
        if now - began > Self.longWork {
          began = now
          sched_yield()
        }
      }
      if hasSent.load(ordering: .relaxed), hasSent.exchange(false, ordering: .acquiring) {
        queue.append(
          contentsOf: sent.withLock { sent in
            defer { sent.removeAll(keepingCapacity: sent.capacity < 1024) }
            return sent
          })
      }
      if queue.isEmpty { return false }
      var batch = spare
      spare = []
      swap(&batch, &queue)
      for work in batch {
        switch work {
        case .job(let job):
          unsafe job.runSynchronously(
            isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
        case .body(let body): body()
        }
      }
      batch.removeAll(keepingCapacity: batch.capacity < 1024)
      spare = batch
    }
    return !queue.isEmpty || hasSent.load(ordering: .relaxed)
  }

  private func beforePolling() {
    var isBusy = runJobs()
    if isStopping { return closeAll() }
    if !isBusy {
      isAsleep.store(true, ordering: .sequentiallyConsistent)
      isBusy = hasSent.load(ordering: .sequentiallyConsistent)
    }
    guard isBusy != isKeptAwake else { return }
    isKeptAwake = isBusy
    if isBusy {
      unsafe uv_idle_start(keepAwake) { _ in }
    } else {
      unsafe uv_idle_stop(keepAwake)
    }
  }

  private func afterPolling() {
    isAsleep.store(false, ordering: .relaxed)
    _ = runJobs()
    if isStopping { closeAll() }
  }

  // MARK: End

  /// Closes everything that is open on the loop and ends its thread. Not to be called on the loop; later calls wait for the end.
  package func shutdown() async {
    await withCheckedContinuation { continuation in
      let (isOver, isFirst) = end.withLock { end in
        defer { end.isRequested = true }
        if !end.hasEnded { end.waiters.append(continuation) }
        return (end.hasEnded, !end.isRequested)
      }
      if isOver { continuation.resume() }
      if isFirst { execute { self.isStopping = true } }
    }
  }

  private func closeAll() {
    unsafe uv_walk(
      handle,
      { handle, _ in
        guard let handle = unsafe handle, unsafe uv_is_closing(handle) == 0 else { return }
        if let data = unsafe handle.pointee.data {
          unsafe Unmanaged<LoopHandle>.fromOpaque(data).takeUnretainedValue().close()
        } else {
          unsafe uv_close(handle, nil)
        }
      }, nil)
  }

  fileprivate func run() {
    unsafe uv_key_set(currentLoop, Unmanaged.passUnretained(self).toOpaque())
    unsafe uv_run(handle, UV_RUN_DEFAULT)
    _ = runJobs()
    let status = unsafe uv_loop_close(handle)
    precondition(status == 0, "uv_loop_close: \(status)")
    let waiters = end.withLock { end in
      defer { end.waiters = [] }
      end.hasEnded = true
      return end.waiters
    }
    for waiter in waiters { waiter.resume() }
  }
}

/// The key under which each loop's thread keeps its loop.
private nonisolated(unsafe) let currentLoop: UnsafeMutablePointer<uv_key_t> = {
  let key = UnsafeMutablePointer<uv_key_t>.allocate(capacity: 1)
  let status = unsafe uv_key_create(key)
  precondition(status == 0, "uv_key_create: \(status)")
  return unsafe key
}()

private nonisolated func runEventLoop(_ argument: UnsafeMutableRawPointer?) {
  guard let argument = unsafe argument else { return }
  unsafe Unmanaged<EventLoop>.fromOpaque(argument).takeRetainedValue().run()
}
