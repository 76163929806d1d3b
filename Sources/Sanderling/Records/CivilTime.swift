import Foundation

/// A moment as year, month, day and time of day in UTC, for texts in which other libraries store dates.
///
/// Years run from 0 to 9999, the range in which such texts sort by time. Dates are in the proleptic Gregorian calendar.
/// The day counts follow Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms".
struct CivilTime {
  /// Milliseconds since 1970-01-01 00:00:00 UTC.
  let milliseconds: Int64

  init(_ date: Date) throws {
    let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
    guard milliseconds >= -62_167_219_200_000, milliseconds < 253_402_300_800_000 else {
      throw ValueError("the date lies outside the years 0 to 9999, and dates of other years don't sort as texts")
    }
    self.milliseconds = Int64(milliseconds)
  }

  var date: Date {
    Date(timeIntervalSince1970: Double(milliseconds) / 1000)
  }

  func text(separator: String, fraction digits: Int, suffix: String) -> String {
    let days = Int(milliseconds.flooringQuotient(dividingBy: 86_400_000))
    let time = Int(milliseconds - Int64(days) * 86_400_000)
    let (year, month, day) = Self.civil(fromDays: days)
    let date = "\(pad(year, 4))-\(pad(month, 2))-\(pad(day, 2))"
    let clock = "\(pad(time / 3_600_000, 2)):\(pad(time / 60_000 % 60, 2)):\(pad(time / 1000 % 60, 2))"
    return date + separator + clock + "." + pad(time % 1000, digits) + suffix
  }

  /// Reads `YYYY-MM-DD`, optionally followed by a space or `T` and `HH:MM[:SS[.fraction]]`, then optionally `Z` or an
  /// offset `±HH:MM`.
  init(parsing text: String) throws {
    var scanner = DigitScanner(text)
    guard let year = scanner.number(digits: 4), scanner.skip("-"),
      let month = scanner.number(digits: 2), (1...12).contains(month), scanner.skip("-"),
      let day = scanner.number(digits: 2), (1...31).contains(day)
    else { throw Self.malformed }
    let days = Self.days(year: year, month: month, day: day)
    // `days` counts the 30th of February as a day of March.
    guard Self.civil(fromDays: days).day == day else { throw Self.malformed }
    var milliseconds = Int64(days) * 86_400_000
    if scanner.skip(" ") || scanner.skip("T") {
      guard let hour = scanner.number(digits: 2), hour < 24, scanner.skip(":"),
        let minute = scanner.number(digits: 2), minute < 60
      else { throw Self.malformed }
      milliseconds += Int64(hour) * 3_600_000 + Int64(minute) * 60_000
      if scanner.skip(":") {
        guard let second = scanner.number(digits: 2), second < 61 else { throw Self.malformed }
        milliseconds += Int64(second) * 1000
        if scanner.skip(".") {
          guard let fraction = scanner.fraction() else { throw Self.malformed }
          milliseconds += Int64((fraction * 1000).rounded())
        }
      }
      milliseconds -= try scanner.offset()
    }
    guard scanner.isAtEnd else { throw Self.malformed }
    self.milliseconds = milliseconds
  }

  private static let malformed = ValueError("the stored text is no date of the form 2026-11-21 08:30:00.123")

  static func days(year: Int, month: Int, day: Int) -> Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  static func civil(fromDays days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }

  private func pad(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}

extension Int64 {
  fileprivate func flooringQuotient(dividingBy divisor: Int64) -> Int64 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}

/// A reader of numbers in ASCII text.
private struct DigitScanner {
  private var rest: Substring.UTF8View

  init(_ text: String) {
    rest = text[...].utf8
  }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard let first = rest.first, UInt32(first) == character.value else { return false }
    rest.removeFirst()
    return true
  }

  mutating func number(digits: Int) -> Int? {
    let prefix = rest.prefix(digits)
    guard prefix.count == digits, prefix.allSatisfy({ (48...57).contains($0) }) else { return nil }
    rest.removeFirst(digits)
    return prefix.reduce(0) { $0 * 10 + Int($1 - 48) }
  }

  /// Reads the digits after a decimal point, as a fraction of one.
  mutating func fraction() -> Double? {
    let digits = rest.prefix { (48...57).contains($0) }
    guard !digits.isEmpty else { return nil }
    rest.removeFirst(digits.count)
    return Double("0." + String(decoding: digits, as: UTF8.self))
  }

  /// Reads a zone suffix, and returns the milliseconds that the zone is ahead of UTC.
  mutating func offset() throws -> Int64 {
    if skip("Z") { return 0 }
    let sign: Int64
    if skip("+") { sign = 1 } else if skip("-") { sign = -1 } else { return 0 }
    let hours = number(digits: 2)
    let hasColon = skip(":")
    let minutes = number(digits: 2) ?? (hasColon ? nil : 0)
    guard let hours, let minutes, hours < 24, minutes < 60 else {
      throw ValueError("the stored date has a malformed offset")
    }
    return sign * (Int64(hours) * 3_600_000 + Int64(minutes) * 60_000)
  }
}
