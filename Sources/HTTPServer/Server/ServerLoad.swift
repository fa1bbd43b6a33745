internal import NetIO
internal import Synchronization

/// How many connections and handlers a server has; it may end when there are none.
final class ServerLoad: Sendable {
  /// Signalled when the last connection or handler ended.
  let becameIdle = Waiter()
  private let count = Atomic<Int>(0)

  var isIdle: Bool { count.load(ordering: .acquiring) == 0 }

  func began() { count.add(1, ordering: .relaxed) }

  func ended() {
    if count.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { becameIdle.signal() }
  }
}
