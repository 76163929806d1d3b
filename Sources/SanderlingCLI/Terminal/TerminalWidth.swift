extension String {
  /// Roughly how many columns of a terminal the text takes: two for East Asian characters and emoji.
  var terminalWidth: Int {
    reduce(0) { $0 + $1.terminalWidth }
  }

  /// The text, cut to a width with an ellipsis where it is wider.
  func truncated(toWidth limit: Int) -> String {
    guard terminalWidth > limit else { return self }
    var result = ""
    var width = 0
    for character in self {
      width += character.terminalWidth
      guard width < limit else { break }
      result.append(character)
    }
    return result + "…"
  }
}

extension Character {
  var terminalWidth: Int {
    guard let scalar = unicodeScalars.first else { return 0 }
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
      0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F,
      0x1F680...0x1F6FF, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
      return 2
    default:
      switch scalar.properties.generalCategory {
      case .nonspacingMark, .enclosingMark, .format, .control: return 0
      default: return 1
      }
    }
  }
}
