import NetIO
import Synchronization
import Testing

@Suite struct EventLoopTests {
  private func withLoop(_ body: (EventLoop) async throws -> Void) async throws {
    let loop = try EventLoop()
    try await body(loop)
    await loop.shutdown()
  }

  private actor Pinned {
    let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor {
      unsafe loop.asUnownedSerialExecutor()
    }
    private var count = 0

    init(_ loop: EventLoop) { self.loop = loop }

    func increment() -> Bool {
      count += 1
      return loop.isCurrent
    }
    var total: Int { count }
  }

  @Test func tasksRunOnTheLoopTheyPrefer() async throws {
    try await withLoop { loop in
      let task = Task(executorPreference: loop) {
        var seen = [loop.isCurrent]
        await Task.yield()
        seen.append(EventLoop.current === loop)
        async let child = loop.isCurrent
        seen.append(await child)
        return seen
      }
      #expect(await task.value == [true, true, true])
      #expect(!loop.isCurrent)
    }
  }

  @Test func actorsCanBePinned() async throws {
    try await withLoop { loop in
      let pinned = Pinned(loop)
      await withTaskGroup { tasks in
        for _ in 0..<1000 { tasks.addTask { #expect(await pinned.increment()) } }
      }
      #expect(await pinned.total == 1000)
    }
  }

  @Test func workFromOneThreadKeepsItsOrder() async throws {
    try await withLoop { loop in
      let seen = Mutex<[Int]>([])
      for index in 0..<10_000 { loop.execute { seen.withLock { $0.append(index) } } }
      await LoopBound((), on: loop).run { _ in }
      #expect(seen.withLock { $0 } == Array(0..<10_000))
    }
  }

  @Test("many threads wake a loop that falls asleep again and again")
  func wakeUps() async throws {
    try await withLoop { loop in
      let box = LoopBound((), on: loop)
      await withTaskGroup { tasks in
        for _ in 0..<8 {
          tasks.addTask { for _ in 0..<500 { await box.run { _ in } } }
        }
      }
    }
  }

  @Test func tasksThatYieldForEverDoNotStopTimers() async throws {
    try await withLoop { loop in
      let busy = Task(executorPreference: loop) {
        while !Task.isCancelled { await Task.yield() }
      }
      try await loop.sleep(for: .milliseconds(5))
      busy.cancel()
      await busy.value
    }
  }

  @Test func timersFireInOrderAndNotWhenCancelled() async throws {
    try await withLoop { loop in
      let seen = Mutex<[String]>([])
      let box = LoopBound(loop, on: loop)
      let done = Waiter()
      await box.run { loop in
        loop.schedule(after: .milliseconds(8)) {
          seen.withLock { $0.append("late") }
          done.signal()
        }
        loop.schedule(after: .milliseconds(1)) { seen.withLock { $0.append("early") } }
        loop.schedule(after: .milliseconds(2)) { seen.withLock { $0.append("never") } }.cancel()
      }
      while seen.withLock({ $0.last != "late" }) { await done.wait() }
      #expect(seen.withLock { $0 } == ["early", "late"])
    }
  }

  @Test func aCancelledSleepEndsAtOnce() async throws {
    try await withLoop { loop in
      let task = Task { try await loop.sleep(for: .seconds(3600)) }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
  }

  @Test func aWaiterIsWokenByCancellation() async {
    let waiter = Waiter()
    let task = Task { while !Task.isCancelled { await waiter.wait() } }
    task.cancel()
    await task.value
  }

  @Test("the end is seen wherever in its turn the loop is")
  func endsAtOnce() async throws {
    for _ in 0..<200 {
      let loop = try EventLoop()
      await loop.shutdown()
    }
  }

  @Test func shutdownMayBeAskedForTwice() async throws {
    let loop = try EventLoop()
    async let first: Void = loop.shutdown()
    async let second: Void = loop.shutdown()
    _ = await (first, second)
    await loop.shutdown()
  }
}
