extension String {
  /// The width of the text in terminal columns: two for East Asian characters and emoji, none for combining marks.
  package var displayWidth: Int {
    // A shortcut for ASCII, which is nearly all text.
    if utf8.allSatisfy({ $0 < 0x80 && $0 >= 0x20 }) { return utf8.count }
    return reduce(0) { $0 + $1.displayWidth }
  }

  /// Returns the text, cut to a number of columns with an ellipsis.
  package func cut(toWidth limit: Int) -> String {
    guard displayWidth > limit else { return self }
    guard limit > 0 else { return "" }
    var result = ""
    var width = 0
    for character in self {
      width += character.displayWidth
      guard width < limit else { break }
      result.append(character)
    }
    return result + "…"
  }

  /// Returns the text with spaces before or after it up to a number of columns.
  package func padded(toWidth width: Int, alignsRight: Bool = false) -> String {
    let spaces = String(repeating: " ", count: max(0, width - displayWidth))
    return alignsRight ? spaces + self : self + spaces
  }

  /// Returns lines of at most a number of columns. They are broken at spaces, and inside words that are wider than a
  /// line. The spaces at the beginning of a line are repeated on its continuation lines.
  package func wrapped(toWidth limit: Int) -> [String] {
    split(separator: "\n", omittingEmptySubsequences: false).flatMap { line -> [String] in
      let indentation = String(line.prefix { $0 == " " }.prefix(limit / 2))
      return Self.wrapped(
        line.split(separator: " "), indentation: indentation, limit: max(1, limit - indentation.count))
    }
  }

  private static func wrapped(_ words: [Substring], indentation: String, limit: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    var width = 0
    for word in words {
      let wordWidth = String(word).displayWidth
      if width > 0, width + 1 + wordWidth <= limit {
        line += " " + word
        width += 1 + wordWidth
        continue
      }
      if width > 0 { lines.append(line) }
      (line, width) = ("", 0)
      guard wordWidth > limit else {
        (line, width) = (String(word), wordWidth)
        continue
      }
      for character in word {
        if width > 0, width + character.displayWidth > limit {
          lines.append(line)
          (line, width) = ("", 0)
        }
        line.append(character)
        width += character.displayWidth
      }
    }
    if width > 0 || lines.isEmpty { lines.append(line) }
    return lines.map { indentation + $0 }
  }
}

extension Character {
  package var displayWidth: Int {
    guard let scalar = unicodeScalars.first else { return 0 }
    // The emoji selector makes a narrow character wide.
    if unicodeScalars.contains("\u{FE0F}") { return 2 }
    switch scalar.value {
    case 0x20..<0x7F: return 1
    case 0x1100...0x115F, 0x231A...0x231B, 0x23E9...0x23EC, 0x2614...0x2615, 0x2648...0x2653, 0x26A1, 0x2705, 0x274C,
      0x2753...0x2755, 0x2757, 0x2795...0x2797, 0x2B50, 0x2B55, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF,
      0x4E00...0x9FFF, 0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F004, 0x1F0CF, 0x1F18E, 0x1F191...0x1F19A, 0x1F1E6...0x1F202,
      0x1F210...0x1F23B, 0x1F240...0x1F248, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F7E0...0x1F7EB,
      0x1F900...0x1FAFF, 0x20000...0x3FFFD:
      return 2
    default:
      switch scalar.properties.generalCategory {
      case .nonspacingMark, .enclosingMark, .format, .control: return 0
      default: return 1
      }
    }
  }
}
