/// How the live results of a store are spaced and checked.
struct LiveOptions: Sendable {
  let clock: StoreClock
  /// The least time between two changes of live results: the first after a pause comes at once.
  let interval: Duration
  let audit: LiveAudit
  /// How long a turn works at most on what nobody waits for.
  var workTime = Duration.milliseconds(4)
  /// How many rows it reads for that at most.
  var workRowCount = 50_000
  /// Whether the system's file events tell of the writes of others. False for tests of the other way.
  var watchesFiles = true
}

/// The clock by which changes of live results are spaced.
struct StoreClock: Sendable {
  /// The time since the clock was made.
  let now: @Sendable () -> Duration
  let sleep: @Sendable (Duration) async throws -> Void

  init<C: Clock>(_ clock: C) where C.Duration == Duration {
    let start = clock.now
    now = { start.duration(to: clock.now) }
    sleep = { try await clock.sleep(for: $0, tolerance: nil) }
  }
}
