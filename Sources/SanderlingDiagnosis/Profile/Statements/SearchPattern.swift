/// What the pattern of LIKE or GLOB looks for.
struct SearchPattern {
  enum Kind: Equatable {
    /// The whole text.
    case exact
    case beginning(String)
    /// Somewhere within.
    case word(String)
  }

  let kind: Kind

  /// - Parameters:
  ///   - before: Whether the statement puts a wildcard in front of it.
  ///   - after: Whether it puts one behind it.
  init(_ text: String, isGlob: Bool, before: Bool, after: Bool) {
    let wildcards: Set<Character> = isGlob ? ["*", "?", "["] : ["%", "_"]
    let fixed = String(text.prefix { !wildcards.contains($0) })
    if before || fixed.isEmpty {
      let parts = text.split { wildcards.contains($0) }
      kind = .word(String(parts.max { $0.count < $1.count } ?? "").lowercased())
    } else if fixed.count < text.count || after {
      kind = .beginning(fixed)
    } else {
      kind = .exact
    }
  }
}

/// The expression of a full-text search, cut into the words that it looks for and what stands between.
struct SearchWords {
  enum Piece {
    case word(String)
    case other(String)
  }

  private(set) var pieces: [Piece] = []

  init(_ text: String) {
    var word = ""
    func isOperator(_ word: String) -> Bool { ["AND", "OR", "NOT", "NEAR"].contains(word) }
    func close(_ pieces: inout [Piece]) {
      if !word.isEmpty { pieces.append(isOperator(word) || Int(word) != nil ? .other(word) : .word(word.lowercased())) }
      word = ""
    }
    for character in text {
      if character.isLetter || character.isNumber || character == "_" {
        word.append(character)
      } else if character == ":", !word.isEmpty {
        // The name of a column.
        pieces.append(.other(word + ":"))
        word = ""
      } else {
        close(&pieces)
        pieces.append(.other(" *\"()+-^:,{}".contains(character) ? String(character) : " "))
      }
    }
    close(&pieces)
  }

  var words: [String] {
    pieces.compactMap { if case .word(let word) = $0 { word } else { nil } }
  }
}
