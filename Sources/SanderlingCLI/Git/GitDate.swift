import Sanderling

/// A date as git keeps it: a moment, and the author's offset from UTC.
struct GitDate: Hashable, Sendable {
  /// Seconds since 1970.
  let seconds: Int64
  let offsetMinutes: Int64

  /// Reads `1700000000 +0130`. Numbers that can't be read count as 0, as in git's own output.
  init(raw text: UnsafeRawBufferPointer) {
    let parts = text.split(separator: UInt8(ascii: " "))
    seconds = parts.first.map { Self.seconds(UnsafeRawBufferPointer(rebasing: $0)) } ?? 0
    let zone = parts.count > 1 ? Int64(String(decoding: parts[1], as: UTF8.self)) ?? 0 : 0
    offsetMinutes = zone / 100 * 60 + zone % 100
  }

  /// Returns a number of seconds from decimal digits, or 0.
  static func seconds(_ digits: UnsafeRawBufferPointer) -> Int64 {
    // The limit is the end of the year 9999, since `yyyy-mm-dd` can't write later days.
    min(Int64(String(decoding: digits, as: UTF8.self)) ?? 0, 253_402_214_400)
  }

  /// The day on the author's calendar, as `yyyy-mm-dd`.
  var day: String {
    let local = seconds + offsetMinutes * 60
    let days = local >= 0 ? local / 86_400 : (local - 86_399) / 86_400
    return LocalDay(daysSince1970: Int(days)).description
  }
}
