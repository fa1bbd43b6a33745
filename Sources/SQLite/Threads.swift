#if canImport(Darwin)
  private import Darwin
#elseif canImport(Musl)
  private import Musl
#else
  private import Glibc
#endif

private final class ThreadBody {
  let run: @Sendable () -> Void

  init(_ run: @escaping @Sendable () -> Void) {
    self.run = run
  }
}

private func runThread(_ context: UnsafeMutableRawPointer?) {
  guard let context = unsafe context else { return }
  unsafe Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().run()
}

/// Runs `body`, which may block, on a new thread that ends with it.
///
/// - Returns: false if the system has no thread to give; `body` does not run then.
package func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
  let context = unsafe Unmanaged.passRetained(ThreadBody(body))
  #if canImport(Darwin)
    var thread: pthread_t?
  #else
    var thread = pthread_t()
  #endif
  let code = unsafe pthread_create(
    &thread, nil,
    { context in
      unsafe runThread(context)
      return nil
    }, context.toOpaque())
  guard code == 0 else {
    unsafe context.release()
    return false
  }
  #if canImport(Darwin)
    if let thread = unsafe thread { unsafe pthread_detach(thread) }
  #else
    pthread_detach(thread)
  #endif
  return true
}
