public import Foundation

/// Conditions on the days of dates. They are ranges of the bare column, so that an index of it serves them.
extension Field where Value == Date {
  /// Whether the instant is on one of the days, in the time zone of today's calendar.
  ///
  /// ```swift
  /// TodoTask.where { $0.createdAt.in(.thisWeek, from: today) }
  /// ```
  ///
  /// Exact even where clocks are set and days are skipped, from 1900 to 2100 as ``LocalDay``. Today is a part of the
  /// query: for lists that follow the day see ``Store/liveList(on:window:_:)``. Dates that are stored as texts are
  /// compared as texts in UTC, so that an offset in a text is ignored.
  public func `in`(_ period: DayPeriod, from today: Today) -> Field<Bool> { Field<Bool>(isOn(period, today)) }
}

extension Field where Value == Date? {
  /// Whether the instant is on one of the days. Unknown for NULL; otherwise as for fields that aren't optional.
  public func `in`(_ period: DayPeriod, from today: Today) -> Field<Bool> { Field<Bool>(isOn(period, today)) }
}

extension Field where Value == LocalDay {
  /// Whether the day belongs to the period.
  public func `in`(_ period: DayPeriod, from today: Today) -> Field<Bool> {
    let days = period.days(from: today)
    return days.lowerBound <= DayPeriod.beginningOfTime ? self < days.upperBound : self.in(days)
  }
}

extension Field where Value == LocalDay? {
  /// Whether the day belongs to the period. Unknown for NULL.
  public func `in`(_ period: DayPeriod, from today: Today) -> Field<Bool> {
    let days = period.days(from: today)
    return days.lowerBound <= DayPeriod.beginningOfTime ? self < days.upperBound : self.in(days)
  }
}

extension Field {
  /// The condition that the instant is on one of the period's days.
  fileprivate func isOn(_ period: DayPeriod, _ today: Today) -> Term {
    guard let bounds = coding as? any InstantBoundCoding.Type else {
      return .invalid(
        "a period needs a date that is stored by Date, UnixSecondsCoding, UnixMillisecondsCoding, DateTextCoding or ISO8601Coding, "
          + "not by another coding")
    }
    let days = period.days(from: today)
    let spans = ZoneOffsets.of(today.calendar.timeZone).spans(
      of: Int64(days.lowerBound.daysSince1970)..<Int64(days.upperBound.daysSince1970))
    do {
      let conditions = try spans.map { span in
        let isBefore = Term.binary(.less, term, .constant(try bounds.bound(span.upperBound)))
        if span.lowerBound <= ZoneOffsets.beginning { return isBefore }
        return .binary(.greaterOrEqual, term, .constant(try bounds.bound(span.lowerBound))) && isBefore
      }
      return .any(conditions) ?? .literal(.integer(0))
    } catch {
      return .invalid(error)
    }
  }
}
