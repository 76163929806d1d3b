/// The time of the next retry. The delay doubles with each failure in a row, up to some seconds.
struct RetrySchedule {
  /// The time of the next retry; nil for none.
  private(set) var time: Duration?
  private var failureCount = 0

  private static let firstDelay = Duration.milliseconds(100)
  private static let greatestDelay = Duration.seconds(5)

  /// Notes a failure, and schedules a retry.
  mutating func failed(now: Duration) {
    time = now + min(Self.firstDelay * (1 << min(failureCount, 10)), Self.greatestDelay)
    failureCount += 1
  }

  /// Whether a retry is due. A due retry is returned once.
  mutating func takeTry(now: Duration) -> Bool {
    guard let time, now >= time else { return false }
    self.time = nil
    return true
  }

  /// Notes a success. The next failure counts as the first.
  mutating func succeeded() {
    failureCount = 0
  }

  /// Forgets all failures and the retry.
  mutating func reset() {
    self = RetrySchedule()
  }
}
