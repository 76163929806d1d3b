import Foundation

extension BinaryInteger {
  /// The number with a comma before every three digits.
  var grouped: String {
    let digits = String(magnitude)
    var result = self < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { result.append(",") }
      result.append(digit)
    }
    return result
  }

  /// The number of things: `one row`, `2,000 rows`. The word's plural ends with s.
  func counted(_ word: String) -> String { self == 1 ? "one \(word)" : "\(grouped) \(word)s" }

  /// A number of bytes in millions.
  var megabytes: String { "\((Int(self) + 500_000) / 1_000_000) MB" }
}

extension Date {
  /// The time of day on this machine, behind the day where it isn't today.
  var clockTime: String {
    let parts = Calendar.current.dateComponents([.year, .month, .day, .hour, .minute, .second], from: self)
    let time = [parts.hour, parts.minute, parts.second].map { String(format: "%02d", $0 ?? 0) }.joined(separator: ":")
    if Calendar.current.isDateInToday(self) { return time }
    return String(format: "%04d-%02d-%02d ", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0) + time
  }
}

extension Duration {
  var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }

  /// The duration in a unit that suits its size, with two or three digits.
  var brief: String {
    switch seconds {
    case ..<0.0095: "\(Self.digits(seconds * 1000, 2)) ms"
    case ..<0.9995: "\(Self.digits(seconds * 1000, 0)) ms"
    case ..<99.95: "\(Self.digits(seconds, 1)) s"
    default: "\(Self.digits(seconds, 0)) s"
    }
  }

  private static func digits(_ number: Double, _ fraction: Int) -> String {
    String(format: "%.\(fraction)f", number)
  }
}
