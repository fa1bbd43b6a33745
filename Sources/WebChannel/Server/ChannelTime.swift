/// The time as a server of channels sees it.
package struct ChannelTime: Sendable {
  /// Time since any moment; never goes back.
  package var now: @Sendable () -> Duration
  /// Waits; returns early in a cancelled task.
  package var pause: @Sendable (Duration) async -> Void

  package init(
    now: @escaping @Sendable () -> Duration, pause: @escaping @Sendable (Duration) async -> Void
  ) {
    self.now = now
    self.pause = pause
  }

  /// The time of `clock`.
  package init<C: Clock>(_ clock: C) where C.Duration == Duration {
    let start = clock.now
    now = { start.duration(to: clock.now) }
    pause = { try? await clock.sleep(for: $0) }
  }
}
