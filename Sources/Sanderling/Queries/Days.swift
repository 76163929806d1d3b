public import Foundation

/// The days of instants, for grouping, sorting and comparison.
///
/// SQL calculates the days itself, from the transitions of the time zone, and live results calculate them in the same
/// way. They are exact from 1900 to 2100. Before and after, the first and the last offset of this period hold. Days are
/// defined for dates that are stored as numbers: `Date`, ``UnixSecondsCoding`` and ``UnixMillisecondsCoding``. Other
/// codings make the query invalid.
extension Field where Value == Date {
  /// The day in a time zone.
  ///
  /// ```swift
  /// let byDay = TodoTask.order { $0.title }.sectioned { $0.createdAt.day(in: .current) }
  /// ```
  ///
  /// No index of the column serves a comparison with the day. For the instants of one day use ``LocalDay/range(in:)``.
  public func day(in zone: TimeZone) -> Field<LocalDay> {
    Field<LocalDay>(.day(of: term, coding, in: zone), as: LocalDay.self)
  }
}

extension Field where Value == Date? {
  /// The day in a time zone; NULL if the date is NULL.
  public func day(in zone: TimeZone) -> Field<LocalDay?> {
    Field<LocalDay?>(.day(of: term, coding, in: zone), as: LocalDay?.self)
  }
}

extension Term {
  fileprivate static func day<Value>(
    of term: Term, _ coding: any ColumnCoding<Value>.Type, in zone: TimeZone
  ) -> Term {
    guard let form = (coding as? any InstantCoding.Type)?.instantForm else {
      return .invalid(
        "a day needs a date that is stored as a number by Date, UnixSecondsCoding or UnixMillisecondsCoding, and this date has "
          + "another coding, which stores it as \(coding.columnType.title)")
    }
    return .function(.day, [term, .literal(.text(zone.identifier)), .literal(.integer(form.rawValue))])
  }

  /// The condition that a day equals a stored value, as ranges of the column, so that an index of the column serves it.
  /// Nil for other terms, and for values that can't be a day.
  func isDay(_ stored: StorageValue) -> Term? {
    guard case .function(.day, let arguments) = self, let day = DayArguments(arguments) else { return nil }
    let (instant, form) = (day.instant, day.form)
    switch stored {
    case .integer(let number) where abs(number) < ZoneOffsets.limit / 100_000 / form.unitsPerSecond:
      return .any(
        day.offsets.spans(of: number).map { span in
          .binary(.greaterOrEqual, instant, .constant(form.storageValue(span.lowerBound)))
            && .binary(.less, instant, .constant(form.storageValue(span.upperBound)))
        }) ?? .literal(.integer(0))
    case .null:
      // SQLite sorts texts and blobs after all numbers.
      return .any([
        .unary(.isNull, instant), .binary(.greaterOrEqual, instant, .literal(.integer(ZoneOffsets.limit))),
        .binary(.lessOrEqual, instant, .literal(.integer(-ZoneOffsets.limit))),
      ])
    default: return nil
    }
  }
}

/// The arguments of ``Function/day``: an instant, the name of a time zone, and the stored form of the instant.
struct DayArguments {
  let instant: Term
  let offsets: ZoneOffsets
  let form: InstantForm

  /// The reason why invalid arguments have no day.
  static let obstacle = "the day of an instant needs a time zone that this system knows by name"

  /// Reads the arguments; nil for a zone that this system doesn't know, and for other invalid arguments.
  init?(_ arguments: [Term]) {
    guard arguments.count == 3, case .literal(.text(let zone)) = arguments[1],
      case .literal(.integer(let number)) = arguments[2], let form = InstantForm(rawValue: number),
      let offsets = ZoneOffsets.named(zone)
    else { return nil }
    instant = arguments[0]
    self.offsets = offsets
    self.form = form
  }
}

extension SQLCompiler {
  /// Writes the day of an instant as plain SQL. It rounds down to whole units, adds the offset at the instant, and
  /// divides.
  mutating func write(_ day: DayArguments) throws {
    let (offsets, form) = (day.offsets, day.form)
    write("CASE WHEN ")
    try writeOperand(day.instant)
    write(" > -\(ZoneOffsets.limit) AND ")
    try writeOperand(day.instant)
    write(" < \(ZoneOffsets.limit) THEN (CAST(")
    try write(day.instant)
    // CAST rounds toward 0, and instants before the epoch must be rounded down.
    write(" AS INTEGER) - (")
    try writeOperand(day.instant)
    write(" < CAST(")
    try write(day.instant)
    write(" AS INTEGER)) + ")
    try writeAddend(day, offsets.offsets.indices)
    write(") / \(86_400 * form.unitsPerSecond) - \(ZoneOffsets.bias) END")
  }

  /// The number of cases in one CASE. SQLite's parser limits their nesting.
  private static var caseCount: Int { 8 }

  /// Writes the addend of an instant in a range of offsets, as a tree of cases.
  private mutating func writeAddend(_ day: DayArguments, _ range: Range<Int>) throws {
    guard range.count > 1 else {
      return write("\(day.offsets.addend(day.offsets.offsets[range.lowerBound], day.form))")
    }
    let size = (range.count + Self.caseCount - 1) / Self.caseCount
    write("CASE")
    for start in stride(from: range.lowerBound, to: range.upperBound, by: size) {
      let end = min(start + size, range.upperBound)
      if end < range.upperBound {
        write(" WHEN ")
        try writeOperand(day.instant)
        write(" < \(day.form.stored(day.offsets.transitions[end - 1])) THEN ")
      } else {
        write(" ELSE ")
      }
      try writeAddend(day, start..<end)
    }
    write(" END")
  }
}
