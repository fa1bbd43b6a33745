internal import CUV

/// Signals that one process sends to another.
package enum ProcessSignal: Int32, CaseIterable, Hashable, Sendable {
  case hangUp = 1
  case interrupt = 2
  case quit = 3
  case terminate = 15

  /// Those that ask a server to end.
  package static let ending: [ProcessSignal] = [.interrupt, .terminate]
}

/// Tells of signals instead of letting them end the process.
package final class SignalWatcher: Sendable {
  private let handles: LoopBound<SignalHandles>

  /// Watches from now on; `body` is called on `loop`.
  ///
  /// - Throws: `.outOfResources`, `.system`.
  package static func watch(
    _ signals: [ProcessSignal] = ProcessSignal.ending, on loop: EventLoop,
    _ body: @escaping @Sendable (ProcessSignal) -> Void
  ) async throws(NetIOError) -> SignalWatcher {
    let opened = await LoopBound((), on: loop).run {
      _ -> Result<LoopBound<SignalHandles>, NetIOError> in
      let handles = SignalHandles()
      do throws(NetIOError) {
        for signal in signals { handles.all.append(try SignalHandle(signal, loop, body)) }
        return .success(LoopBound(handles, on: loop))
      } catch {
        for handle in handles.all { handle.close() }
        return .failure(error)
      }
    }
    return SignalWatcher(try opened.get())
  }

  private init(_ handles: LoopBound<SignalHandles>) {
    self.handles = handles
  }

  /// Stops watching: the next signal does what it always did.
  package func stop() {
    handles.execute { for handle in $0.all { handle.close() } }
  }

  /// Lets a write to a connection whose peer is gone fail instead of ending the process. Every server calls this first.
  package static func ignoreBrokenPipes() {
    cuv_ignore_sigpipe()
  }
}

private final class SignalHandles {
  var all: [SignalHandle] = []
}

@safe
private final class SignalHandle: LoopHandle {
  private var handle: UnsafeMutablePointer<uv_signal_t>?
  private let signal: ProcessSignal
  private let body: @Sendable (ProcessSignal) -> Void

  init(
    _ signal: ProcessSignal, _ loop: EventLoop, _ body: @escaping @Sendable (ProcessSignal) -> Void
  ) throws(NetIOError) {
    self.signal = signal
    self.body = body
    super.init()
    let handle = UnsafeMutablePointer<uv_signal_t>.allocate(capacity: 1)
    let created = unsafe uv_signal_init(loop.handle, handle)
    guard created == 0 else {
      unsafe handle.deallocate()
      throw NetIOError(status: created)
    }
    unsafe self.handle = handle
    unsafe handle.pointee.data = Unmanaged.passRetained(self as LoopHandle).toOpaque()
    let started = unsafe uv_signal_start(
      handle,
      { handle, _ in
        guard let data = unsafe handle?.pointee.data else { return }
        let owner = unsafe Unmanaged<SignalHandle>.fromOpaque(data).takeUnretainedValue()
        owner.body(owner.signal)
      }, signal.rawValue)
    if started != 0 {
      close()
      throw NetIOError(status: started)
    }
  }

  override func close() {
    guard let handle = unsafe handle else { return }
    unsafe self.handle = nil
    let base = unsafe UnsafeMutableRawPointer(handle).assumingMemoryBound(to: uv_handle_t.self)
    unsafe uv_close(base) { base in
      guard let base = unsafe base, let data = unsafe base.pointee.data else { return }
      unsafe Unmanaged<LoopHandle>.fromOpaque(data).release()
      unsafe UnsafeMutableRawPointer(base).assumingMemoryBound(to: uv_signal_t.self).deallocate()
    }
  }
}
