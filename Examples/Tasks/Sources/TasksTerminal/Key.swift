/// A key of a terminal.
enum Key: Hashable {
  case up, down, pageUp, pageDown, home, end, enter, tab, escape, backspace, interrupt
  case character(Character)
}

/// Decodes the bytes of a terminal into keys. Unknown sequences are skipped.
struct KeyDecoder {
  private var bytes: [UInt8] = []

  /// Returns the keys that are complete with these bytes.
  mutating func keys(_ more: [UInt8]) -> [Key] {
    bytes += more
    // The last character may be cut. Four bytes without a character are no text, and are replaced by a mark.
    guard
      let text = String(validating: bytes, as: UTF8.self)
        ?? (more.count > 3 ? String(decoding: bytes, as: UTF8.self) : nil)
    else { return [] }
    bytes = []
    var rest = text[...]
    var keys: [Key] = []
    while let character = rest.first {
      if let match = rest.prefixMatch(of: #/\u{1B}[\[O][0-9;?]*[A-Za-z~]/#) {
        if let key = Self.sequences[match.output.dropFirst(2)] { keys.append(key) }
        rest = rest[match.range.upperBound...]
        continue
      }
      rest.removeFirst()
      switch character {
      case "\u{1B}": keys.append(.escape)
      case "\r", "\n": keys.append(.enter)
      case "\t": keys.append(.tab)
      case "\u{3}": keys.append(.interrupt)
      case "\u{7F}", "\u{8}": keys.append(.backspace)
      case _ where character.isControl: break
      default: keys.append(.character(character))
      }
    }
    return keys
  }

  private static let sequences: [Substring: Key] = [
    "A": .up, "B": .down, "H": .home, "F": .end, "1~": .home, "4~": .end, "5~": .pageUp, "6~": .pageDown,
  ]
}

extension Character {
  /// Whether the character controls a terminal or hides text, and shows nothing by itself.
  var isControl: Bool {
    unicodeScalars.contains { [.control, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory) }
      || unicodeScalars.first?.properties.generalCategory == .format
  }
}
