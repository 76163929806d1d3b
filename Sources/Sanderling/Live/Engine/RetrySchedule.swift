/// The time of the next retry after failures. The delay doubles with each failure in a row, from 0.1 s to 5 s.
struct RetrySchedule {
  /// Nil for never.
  private(set) var time: Duration?
  private var failureCount = 0

  private static let firstDelay = Duration.milliseconds(100)
  private static let greatestDelay = Duration.seconds(5)

  /// Schedules a retry after a failure.
  mutating func failed(now: Duration) {
    time = now + min(Self.firstDelay * (1 << min(failureCount, 10)), Self.greatestDelay)
    failureCount += 1
  }

  /// Takes the scheduled retry if its time has come.
  mutating func takeTry(now: Duration) -> Bool {
    guard let time, now >= time else { return false }
    self.time = nil
    return true
  }

  /// Notes a success: the next failure counts as the first.
  mutating func succeeded() {
    failureCount = 0
  }

  /// Cancels the scheduled retry.
  mutating func reset() {
    self = RetrySchedule()
  }
}
