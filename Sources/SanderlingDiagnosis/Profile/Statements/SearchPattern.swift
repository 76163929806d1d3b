/// The fixed text in a pattern of LIKE or GLOB, and its place in the matching texts.
struct SearchPattern {
  enum Kind: Equatable {
    /// The pattern is the whole text.
    case exact
    case beginning(String)
    /// The word occurs anywhere in the text.
    case word(String)
  }

  let kind: Kind

  /// - Parameters:
  ///   - before: Whether the statement adds a wildcard before the text.
  ///   - after: Whether the statement adds a wildcard after the text.
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

/// A full-text query, cut into its words and the text between them.
struct SearchWords {
  enum Piece {
    case word(String)
    case other(String)
  }

  private(set) var pieces: [Piece] = []

  /// - Parameter isColumn: Whether a word is the name of a column. Before a colon and inside braces, such words name
  ///   the searched columns; elsewhere they are searched for.
  init(_ text: String, isColumn: (String) -> Bool) {
    var word = ""
    var isInBraces = false
    for character in text {
      if character.isLetter || character.isNumber || character == "_" {
        word.append(character)
        continue
      }
      let namesColumn = (isInBraces || character == ":") && isColumn(word)
      close(&word, namesColumn: namesColumn)
      switch character {
      case "{": isInBraces = true
      case "}": isInBraces = false
      default: break
      }
      let isSyntax = " *\"()+-^,/{}".contains(character) || character == ":" && (namesColumn || last == "}")
      pieces.append(.other(isSyntax ? String(character) : " "))
    }
    close(&word, namesColumn: false)
  }

  private mutating func close(_ word: inout String, namesColumn: Bool) {
    if word.isEmpty { return }
    let isOperator = ["AND", "OR", "NOT", "NEAR"].contains(word)
    // `NEAR(one two, 5)` and `one NEAR/5 two` contain the greatest distance between words.
    let isDistance = (last == "," || last == "/") && Int(word) != nil
    pieces.append(isOperator || isDistance || namesColumn ? .other(word) : .word(word.lowercased()))
    word = ""
  }

  /// The last piece that is not white space.
  private var last: String? {
    for piece in pieces.reversed() {
      switch piece {
      case .word(let text): return text
      case .other(" "): continue
      case .other(let text): return text
      }
    }
    return nil
  }

  var words: [String] {
    pieces.compactMap { if case .word(let word) = $0 { word } else { nil } }
  }
}
