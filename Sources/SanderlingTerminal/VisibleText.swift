extension String {
  /// Returns the text on one line. Characters that control terminals or reverse the direction of text are written as
  /// `\u{1B}`.
  ///
  /// - Parameter limit: The number of Unicode scalars to keep. The number of further scalars follows them.
  package func visible(limit: Int = 2_000) -> String {
    visible(limit: limit, keepsLines: false)
  }

  /// Returns the text with its line breaks. Other characters that control terminals or reverse the direction of text
  /// are written as `\u{1B}`. Tabs become spaces.
  package func visibleLines(limit: Int = 20_000) -> String {
    visible(limit: limit, keepsLines: true)
  }

  /// Returns the text of JSON, with `\u009b` in place of characters that control terminals. Line breaks stay.
  package func escapingControlsOfJSON() -> String {
    escapingControls(except: ["\n"]) { scalar in
      String(scalar).utf16.map { unit in
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }.joined()
    }
  }

  /// Returns the text with an escape in place of characters that control terminals, except those to keep.
  ///
  /// - Parameter escape: The escape of a character; by default `\u{9B}`.
  package func escapingControls(
    except kept: Set<Unicode.Scalar>, _ escape: (Unicode.Scalar) -> String = \.escape
  ) -> String {
    if !unicodeScalars.contains(where: { $0.steersOutput && !kept.contains($0) }) { return self }
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if scalar.steersOutput, !kept.contains(scalar) {
        result.append(contentsOf: escape(scalar).unicodeScalars)
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }

  private func visible(limit: Int, keepsLines: Bool) -> String {
    var result = String.UnicodeScalarView()
    var count = 0
    var rest = unicodeScalars[...]
    while count < limit, let scalar = rest.popFirst() {
      count += 1
      if scalar == "\r", rest.first == "\n" { continue }
      if scalar == "\t" {
        result.append(contentsOf: (keepsLines ? "  " : " ").unicodeScalars)
      } else if scalar == "\n" {
        result.append(keepsLines ? "\n" : " ")
      } else if scalar.steersOutput {
        result.append(contentsOf: scalar.escape.unicodeScalars)
      } else {
        result.append(scalar)
      }
    }
    let text = String(result)
    return rest.isEmpty ? text : "\(text)… (\(Figure.count(rest.count)) characters more)"
  }
}

extension Unicode.Scalar {
  /// The number of the scalar, as in `\u{9B}`.
  package var escape: String { "\\u{\(String(value, radix: 16, uppercase: true))}" }

  /// Whether the scalar controls the output instead of showing: control characters, line breaks, and format characters
  /// such as those that override the direction of text. Joiners, which scripts and emoji need, are not included.
  package var steersOutput: Bool {
    // The most frequent case comes first, because reading the properties is slow.
    if value >= 0x20, value < 0x7F { return false }
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .surrogate: return true
    case .format: return value != 0x200C && value != 0x200D
    default: return false
    }
  }
}
