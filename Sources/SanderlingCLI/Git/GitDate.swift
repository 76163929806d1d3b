/// A date as git keeps it: a moment, and how far its author's clock was ahead of UTC.
struct GitDate: Hashable, Sendable {
  /// Seconds since 1970.
  let seconds: Int64
  let offsetMinutes: Int64

  /// Reads `1700000000 +0130`. What git could not make sense of counts as 1970, as in git's own output.
  init(raw text: UnsafeRawBufferPointer) {
    let parts = text.split(separator: UInt8(ascii: " "))
    seconds = parts.first.map { Self.seconds(UnsafeRawBufferPointer(rebasing: $0)) } ?? 0
    let zone = parts.count > 1 ? Int64(String(decoding: parts[1], as: UTF8.self)) ?? 0 : 0
    offsetMinutes = zone / 100 * 60 + zone % 100
  }

  /// A number of seconds in decimal digits, or 0.
  static func seconds(_ digits: UnsafeRawBufferPointer) -> Int64 {
    // Years beyond 9999 have no day of the form yyyy-mm-dd: no real commit is that late.
    min(Int64(String(decoding: digits, as: UTF8.self)) ?? 0, 253_402_214_400)
  }

  /// The day on the author's calendar, as `yyyy-mm-dd`.
  var day: String {
    let local = seconds + offsetMinutes * 60
    let days = local >= 0 ? local / 86_400 : (local - 86_399) / 86_400
    let (year, month, day) = Self.civil(fromDays: days)
    func padded(_ number: Int64, _ width: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
  }

  /// Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms": the proleptic Gregorian calendar.
  private static func civil(fromDays days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }
}
