import Foundation

/// The forms of numbers, which reports and the command share.
package enum Figure {
  /// Returns a whole number with a comma before every three digits.
  package static func count(_ number: some BinaryInteger) -> String {
    let digits = String(number.magnitude)
    var result = number < 0 ? "−" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { result.append(",") }
      result.append(digit)
    }
    return result
  }

  /// Returns a number with its noun: `1 row`, `128,136 rows`.
  package static func count(_ number: some BinaryInteger, _ singular: String, _ plural: String? = nil) -> String {
    "\(count(number)) \(number == 1 ? singular : plural ?? singular + "s")"
  }

  /// Returns a number for the beginning of a sentence, in letters up to twelve.
  package static func word(_ number: Int) -> String {
    let words = [
      "No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Eleven", "Twelve",
    ]
    return words.indices.contains(number) ? words[number] : count(number)
  }

  /// Returns a time in a unit that suits its size: `4 µs`, `0.18 ms`, `361 ms`, `1.2 s`.
  package static func duration(_ duration: Duration) -> String {
    self.duration(seconds: milliseconds(duration) / 1_000)
  }

  package static func duration(seconds: Double) -> String {
    guard seconds.isFinite else { return "unknown" }
    let magnitude = abs(seconds)
    return switch magnitude {
    case 0: "0 ms"
    case ..<0.000_009_95: digits(seconds * 1_000_000, fraction: magnitude < 0.000_000_995 ? 1 : 0) + " µs"
    case ..<0.000_995: digits(seconds * 1_000, fraction: 2) + " ms"
    case ..<0.099_95: digits(seconds * 1_000, fraction: 1) + " ms"
    case ..<0.999_5: digits(seconds * 1_000, fraction: 0) + " ms"
    case ..<99.95: digits(seconds, fraction: 1) + " s"
    default: plain(seconds.rounded()) + " s"
    }
  }

  /// Returns milliseconds, exact to the nanosecond.
  package static func milliseconds(_ duration: Duration) -> Double {
    let (seconds, attoseconds) = duration.components
    let (nanoseconds, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflow, nanoseconds.magnitude < 1 << 62 else { return Double(seconds) * 1_000 }
    // Dividing an integer once gives the nearest value, which prints with few digits.
    return Double(nanoseconds + attoseconds / 1_000_000_000) / 1_000_000
  }

  /// Returns a size: `24.1 MB`, `4 KB`, `512 bytes`.
  package static func bytes(_ bytes: Int64) -> String {
    switch Double(bytes.magnitude) {
    case ..<1_000: count(bytes, "byte")
    case ..<999_500: digits(Double(bytes) / 1e3, fraction: 0) + " KB"
    case ..<99.95e6: digits(Double(bytes) / 1e6, fraction: 1) + " MB"
    case ..<999.5e6: digits(Double(bytes) / 1e6, fraction: 0) + " MB"
    default: digits(Double(bytes) / 1e9, fraction: 1) + " GB"
    }
  }

  /// Returns the ratio of the former to the new value: `2,006×`, `12×`, `2.4×`. Ratios below two become a change in
  /// percent: `−34 %`.
  package static func ratio(_ ratio: Double) -> String {
    guard ratio.isFinite, ratio > 0 else { return "unknown" }
    if ratio >= 99.5 { return plain(ratio.rounded()) + "×" }
    if ratio >= 9.95 { return digits(ratio, fraction: 0) + "×" }
    if ratio >= 1.95 { return digits(ratio, fraction: 1) + "×" }
    return change((1 / ratio - 1) * 100)
  }

  /// Returns a change in percent: `−99.9 %`, `+12 %`, `±0 %`.
  package static func change(_ percent: Double) -> String {
    guard percent.isFinite else { return "unknown" }
    let magnitude = abs(percent)
    let number = magnitude >= 99 && magnitude < 100 ? digits(magnitude, fraction: 1) : plain(magnitude.rounded())
    if number == "0" { return "±0 %" }
    return (percent < 0 ? "−" : "+") + number + " %"
  }

  /// Returns a part of a whole in percent: `98 %`, `<1 %`.
  package static func share(_ share: Double) -> String {
    guard share.isFinite else { return "unknown" }
    let percent = min(max(share, 0), 1) * 100
    return percent > 0 && percent < 1 ? "<1 %" : digits(percent, fraction: 0) + " %"
  }

  /// Returns a figure with its unit, as findings have it.
  package static func quantity(_ value: Double, unit: String) -> String {
    guard value.isFinite else { return "unknown" }
    switch unit {
    case "s": return duration(seconds: value)
    case "bytes": return bytes(whole(value))
    case "": return plain(value)
    case "%": return plain(value) + " %"
    default:
      let isOne = value == 1 && unit.hasSuffix("s")
      return "\(plain(value)) \(isOne ? String(unit.dropLast()) : unit)"
    }
  }

  /// Returns a number in digits. Whole numbers are grouped; others have three significant digits.
  package static func plain(_ value: Double) -> String {
    guard value.isFinite else { return "unknown" }
    if let whole = Int64(exactly: value) { return count(whole) }
    switch abs(value) {
    case 1e15...: return String(format: "%.3g", value)
    case 100...: return count(whole(value))
    case 10...: return digits(value, fraction: 1)
    case 1...: return digits(value, fraction: 2)
    default: return String(format: "%.3g", value)
    }
  }

  /// Returns the nearest 64-bit whole number.
  private static func whole(_ value: Double) -> Int64 {
    Int64(exactly: value.rounded()) ?? (value < 0 ? .min : .max)
  }

  private static func digits(_ value: Double, fraction: Int) -> String {
    String(format: "%.\(fraction)f", value)
  }
}
