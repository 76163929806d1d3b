public import Foundation

/// A source of the current day, which reports when the day changes.
///
/// The day changes at midnight, and when the clock, the time zone or the calendar is set.
///
/// The clock checks at midnight and every half minute. So it notices a change of the clock or time zone at most half a
/// minute later.
public struct DayClock: Sendable {
  private let calendar: @Sendable () -> Calendar
  private let now: @Sendable () -> Date
  private let clock: any Clock<Duration>

  /// Creates a clock of days. By default it follows the system's calendar, time zone and time.
  ///
  /// - Parameters:
  ///   - calendar: Returns the current calendar, with its time zone and its first weekday.
  ///   - now: Returns the current date.
  ///   - clock: The clock that measures the wait.
  public init(
    calendar: @escaping @Sendable () -> Calendar = { .current }, now: @escaping @Sendable () -> Date = { Date() },
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.calendar = calendar
    self.now = now
    self.clock = clock
  }

  /// The current day, by the clock's calendar and time.
  public var today: Today { Today(at: now(), calendar: calendar()) }

  /// Waits until the current day or its calendar differs from the given one.
  ///
  /// - Throws: `CancellationError`.
  public func change(of today: Today) async throws -> Today {
    while true {
      let current = self.today
      if current != today { return current }
      let rest = Swift.max(0.001, today.end.timeIntervalSince(now()))
      try await clock.sleep(for: .seconds(Swift.min(rest, 30)))
    }
  }
}
