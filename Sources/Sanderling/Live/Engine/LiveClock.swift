/// The clock by which turns and deliveries are spaced.
struct LiveClock: Sendable {
  /// The time since the clock was made.
  let now: @Sendable () -> Duration
  let sleep: @Sendable (Duration) async throws -> Void

  init<C: Clock>(_ clock: C) where C.Duration == Duration {
    let start = clock.now
    now = { start.duration(to: clock.now) }
    sleep = { try await clock.sleep(for: $0, tolerance: nil) }
  }
}
