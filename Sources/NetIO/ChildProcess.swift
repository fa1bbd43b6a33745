internal import CUV
internal import Synchronization

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// A process that this one started; it shares the standard streams with it.
package final class ChildProcess: Sendable {
  /// How a process ended.
  package enum End: Hashable, Sendable {
    case exited(status: Int32)
    case killed(signal: Int32)
  }

  private let handle: LoopBound<ProcessHandle>

  /// Starts `arguments[0]`, looked up on PATH, with exactly the variables of `environment`. Signals that this process ignores or
  /// catches do in the child what they always do.
  ///
  /// - Throws: `.notFound` if there is no such program, `.permissionDenied`, `.outOfResources`, `.system`.
  package static func start(
    _ arguments: [String], environment: [String: String], on loop: EventLoop
  ) async throws(NetIOError) -> ChildProcess {
    let started = await LoopBound((), on: loop).run {
      _ -> Result<LoopBound<ProcessHandle>, NetIOError> in
      do throws(NetIOError) {
        return .success(LoopBound(try ProcessHandle(arguments, environment, loop), on: loop))
      } catch {
        return .failure(error)
      }
    }
    return ChildProcess(try started.get())
  }

  private init(_ handle: LoopBound<ProcessHandle>) {
    self.handle = handle
  }

  /// Sends a signal; one to a process that has ended is lost.
  package func send(_ signal: ProcessSignal) {
    handle.execute { $0.send(signal) }
  }

  /// Waits until the process has ended.
  package func end() async -> End {
    await withCheckedContinuation { continuation in
      handle.execute { $0.whenEnded { continuation.resume(returning: $0) } }
    }
  }
}

@safe
private final class ProcessHandle: LoopHandle {
  private var handle: UnsafeMutablePointer<uv_process_t>?
  private var end: ChildProcess.End?
  private var waiting: [(ChildProcess.End) -> Void] = []

  init(
    _ arguments: [String], _ environment: [String: String], _ loop: EventLoop
  ) throws(NetIOError) {
    super.init()
    let handle = UnsafeMutablePointer<uv_process_t>.allocate(capacity: 1)
    unsafe handle.initialize(to: uv_process_t())
    unsafe self.handle = handle
    unsafe handle.pointee.data = Unmanaged.passRetained(self as LoopHandle).toOpaque()
    let variables = environment.map { "\($0)=\($1)" }
    var streams = unsafe [uv_stdio_container_t]()
    for descriptor in Int32(0)...2 {
      var stream = unsafe uv_stdio_container_t()
      unsafe stream.flags = UV_INHERIT_FD
      unsafe stream.data.fd = descriptor
      unsafe streams.append(stream)
    }
    let status = unsafe withCStrings(arguments) { arguments in
      unsafe withCStrings(variables) { variables in
        unsafe streams.withUnsafeMutableBufferPointer { streams in
          var options = unsafe uv_process_options_t()
          unsafe options.file = unsafe UnsafePointer(arguments[0])
          unsafe options.args = unsafe arguments
          unsafe options.env = unsafe variables
          unsafe options.stdio = streams.baseAddress
          unsafe options.stdio_count = Int32(streams.count)
          unsafe options.exit_cb = { handle, status, signal in
            guard let data = unsafe handle?.pointee.data else { return }
            let owner = unsafe Unmanaged<ProcessHandle>.fromOpaque(data).takeUnretainedValue()
            owner.ended(
              signal == 0
                ? .exited(status: Int32(truncatingIfNeeded: status)) : .killed(signal: signal))
          }
          return unsafe uv_spawn(loop.handle, handle, &options)
        }
      }
    }
    if status != 0 {
      close()
      throw NetIOError(status: status)
    }
  }

  func send(_ signal: ProcessSignal) {
    guard let handle = unsafe handle, end == nil else { return }
    unsafe uv_process_kill(handle, signal.rawValue)
  }

  func whenEnded(_ body: @escaping (ChildProcess.End) -> Void) {
    if let end { body(end) } else { waiting.append(body) }
  }

  private func ended(_ end: ChildProcess.End) {
    self.end = end
    for body in waiting { body(end) }
    waiting = []
    close()
  }

  override func close() {
    guard let handle = unsafe handle else { return }
    unsafe self.handle = nil
    let base = unsafe UnsafeMutableRawPointer(handle).assumingMemoryBound(to: uv_handle_t.self)
    unsafe uv_close(base) { base in
      guard let base = unsafe base, let data = unsafe base.pointee.data else { return }
      unsafe Unmanaged<LoopHandle>.fromOpaque(data).release()
      unsafe UnsafeMutableRawPointer(base).assumingMemoryBound(to: uv_process_t.self).deallocate()
    }
  }
}

/// Lends texts as C wants a list of them, with a null pointer at its end.
private func withCStrings<Result>(
  _ texts: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
  let list = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: texts.count + 1)
  for (index, text) in texts.enumerated() { unsafe list[index] = unsafe strdup(text) }
  unsafe list[texts.count] = nil
  defer {
    for index in texts.indices { unsafe free(list[index]) }
    unsafe list.deallocate()
  }
  return unsafe body(list)
}
