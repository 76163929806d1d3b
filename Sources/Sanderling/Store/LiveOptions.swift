/// The options for the spacing and the audit of a store's live results.
struct LiveOptions: Sendable {
  let clock: StoreClock
  /// The least time between two changes of live results. The first change after a pause is published at once.
  let interval: Duration
  let audit: LiveAudit
  /// The greatest time of a turn for background work.
  var workTime = Duration.milliseconds(4)
  /// The most rows that a turn reads for background work.
  var workRowCount = 50_000
  /// Whether file events report outside changes. False for tests without file events.
  var watchesFiles = true
}

/// The clock for the spacing of live results' changes.
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
