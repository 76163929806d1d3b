/// When what has failed is tried again: later each time in a row, up to some seconds.
struct RetrySchedule {
  /// Nil for never.
  private(set) var time: Duration?
  private var failureCount = 0

  private static let firstDelay = Duration.milliseconds(100)
  private static let greatestDelay = Duration.seconds(5)

  /// Something failed again.
  mutating func failed(now: Duration) {
    time = now + min(Self.firstDelay * (1 << min(failureCount, 10)), Self.greatestDelay)
    failureCount += 1
  }

  /// Whether it is time for another try, of which there is one.
  mutating func takeTry(now: Duration) -> Bool {
    guard let time, now >= time else { return false }
    self.time = nil
    return true
  }

  /// What failed works again, so that the next failure is a first one.
  mutating func succeeded() {
    failureCount = 0
  }

  /// Nothing is left to be tried again.
  mutating func reset() {
    self = RetrySchedule()
  }
}
