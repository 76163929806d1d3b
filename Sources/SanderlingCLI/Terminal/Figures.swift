import Foundation
import SanderlingTerminal

extension BinaryInteger {
  /// The number with a comma before every three digits.
  var grouped: String { Figure.count(self) }

  /// Returns the number with a noun, as in `1 row` and `2,000 rows`. The noun's plural ends with s.
  func counted(_ word: String) -> String { Figure.count(self, word) }
}

extension Date {
  /// The local time of day. A day other than today stands before it.
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

  /// The duration in a unit that suits its size.
  var brief: String { Figure.duration(self) }
}
