import Foundation

/// Reads the values that Core Data prints for its parameters.
enum CoreDataValue {
  /// Reads `18`, `(int64)18`, `"text"`, `nil`, `<0a0b>` and `2026-01-05 10:11:12 +0000`. Returns nil for other forms,
  /// and for texts that a line break cut off.
  static func read(_ written: Substring) -> BoundValue? {
    var text = written[...]
    while text.last?.isWhitespace == true { text.removeLast() }
    var type = ""
    if text.hasPrefix("("), let close = text.firstIndex(of: ")") {
      type = text[text.index(after: text.startIndex)..<close].lowercased()
      text = text[text.index(after: close)...]
      while text.first == " " { text.removeFirst() }
    }
    if ["nil", "<null>", "(null)", "null", "NULL"].contains(text) || (text.isEmpty && type == "null") { return .null }
    if text.first == "\"" {
      return text.count > 1 && text.last == "\"" ? .text(String(text.dropFirst().dropLast())) : nil
    }
    if type.contains("int") || type == "bool" || type.isEmpty, let integer = Int64(text) { return .integer(integer) }
    if let real = Double(text), real.isFinite, text.first.map({ $0.isNumber || $0 == "-" || $0 == "." }) == true {
      return .real(real)
    }
    if let date = date(text) { return .real(date) }
    if text.first == "<", text.last == ">" {
      return text.utf8.dropFirst().dropLast().filter { $0 != UInt8(ascii: " ") }.decodedHexadecimal.map { .blob($0) }
    }
    return nil
  }

  /// Returns seconds since 2001, Core Data's form of dates.
  private static func date(_ text: Substring) -> Double? {
    let parts = text.split(whereSeparator: { "- :+".contains($0) }).prefix(6).map { Double($0) }
    let numbers = parts.compactMap { $0 }
    guard numbers.count == 6, parts.count == 6, text.contains("-"), text.contains(":") else { return nil }
    var components = DateComponents()
    components.timeZone = TimeZone(secondsFromGMT: 0)
    let fields = numbers.dropLast().map { Int(exactly: $0.rounded(.down)) ?? 0 }
    (components.year, components.month, components.day) = (fields[0], fields[1], fields[2])
    (components.hour, components.minute, components.second) = (fields[3], fields[4], 0)
    guard (1...9999).contains(fields[0]), (1...12).contains(fields[1]), (1...31).contains(fields[2]),
      let minute = Calendar(identifier: .gregorian).date(from: components)
    else { return nil }
    return minute.timeIntervalSinceReferenceDate + numbers[5] - offset(of: text)
  }

  /// Returns the offset in seconds of a time zone at the end, as in `+0130`.
  private static func offset(of text: Substring) -> Double {
    let zone = text.suffix(5)
    guard let sign = zone.first, sign == "+" || sign == "-", let digits = Int(zone.dropFirst()) else { return 0 }
    return Double((digits / 100 * 60 + digits % 100) * 60) * (sign == "-" ? -1 : 1)
  }
}
