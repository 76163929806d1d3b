public import Foundation

/// Knows the current day, and reports when it changes: at midnight, and when the clock, the time zone or the calendar is set.
///
/// Looks every half minute, and at midnight. So a change of the clock or the time zone is seen half a minute later at most.
public struct DayClock: Sendable {
  private let calendar: @Sendable () -> Calendar
  private let now: @Sendable () -> Date
  private let clock: any Clock<Duration>

  /// Creates a clock of days. By default it follows the system's calendar, time zone and time.
  ///
  /// - Parameters:
  ///   - calendar: The calendar at the moment, with its time zone and its first weekday.
  ///   - now: The date at the moment.
  ///   - clock: The clock on which it waits for midnight.
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

  /// Waits until today is another, or another calendar's.
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
