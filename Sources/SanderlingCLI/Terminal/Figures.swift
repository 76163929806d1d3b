import Foundation
import SanderlingTerminal

extension BinaryInteger {
  /// The number with a comma before every three digits.
  var grouped: String { Figure.count(self) }

  /// The number of things: `1 row`, `2,000 rows`. The word's plural ends with s.
  func counted(_ word: String) -> String { Figure.count(self, word) }
}

extension Date {
  /// The time of day on this machine, after the day if it isn't today.
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
