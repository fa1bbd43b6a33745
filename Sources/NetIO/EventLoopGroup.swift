internal import Synchronization

/// The loops of a process.
package final class EventLoopGroup: Sendable {
  package let loops: [EventLoop]

  /// Starts `count` loops, at least one.
  ///
  /// - Throws: `.outOfResources`.
  package init(count: Int) throws(NetIOError) {
    var loops: [EventLoop] = []
    for _ in 0..<max(1, count) { loops.append(try EventLoop()) }
    self.loops = loops
  }

  /// The loop with the fewest connections; the first of those.
  package var leastLoaded: EventLoop {
    var best = loops[0]
    var fewest = Int.max
    for loop in loops {
      let count = loop.connectionCount.load(ordering: .relaxed)
      if count < fewest {
        best = loop
        fewest = count
      }
    }
    return best
  }

  /// How many connections are open on all loops.
  package var connectionCount: Int {
    loops.reduce(0) { $0 + $1.connectionCount.load(ordering: .relaxed) }
  }

  /// Ends all loops. Not to be called on one of them.
  package func shutdown() async {
    for loop in loops { await loop.shutdown() }
  }
}
