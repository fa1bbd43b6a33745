#if canImport(Darwin)
  private import Darwin
#elseif canImport(Musl)
  private import Musl
#else
  private import Glibc
#endif

/// Wakes one thread that blocks. A ring while nobody waits is kept; further ones join it.
// `isRung` is touched only while `mutex` is held.
@safe package final class Doorbell: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>
  private var isRung = false

  package init() {
    unsafe mutex = .allocate(capacity: 1)
    unsafe condition = .allocate(capacity: 1)
    unsafe pthread_mutex_init(mutex, nil)
    unsafe pthread_cond_init(condition, nil)
  }

  deinit {
    unsafe pthread_cond_destroy(condition)
    unsafe pthread_mutex_destroy(mutex)
    unsafe condition.deallocate()
    unsafe mutex.deallocate()
  }

  package func ring() {
    unsafe pthread_mutex_lock(mutex)
    isRung = true
    unsafe pthread_cond_signal(condition)
    unsafe pthread_mutex_unlock(mutex)
  }

  /// Blocks until the next ring, or takes the one that was kept.
  package func wait() {
    unsafe pthread_mutex_lock(mutex)
    while !isRung { unsafe pthread_cond_wait(condition, mutex) }
    isRung = false
    unsafe pthread_mutex_unlock(mutex)
  }

  /// Like `wait()`, but returns after `milliseconds` at the latest.
  package func wait(milliseconds: Int) {
    var deadline = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &deadline)
    let nanoseconds = Int(deadline.tv_nsec) + milliseconds * 1_000_000
    deadline.tv_sec += nanoseconds / 1_000_000_000
    deadline.tv_nsec = nanoseconds % 1_000_000_000
    unsafe pthread_mutex_lock(mutex)
    while !isRung, unsafe pthread_cond_timedwait(condition, mutex, &deadline) == 0 {}
    isRung = false
    unsafe pthread_mutex_unlock(mutex)
  }
}
