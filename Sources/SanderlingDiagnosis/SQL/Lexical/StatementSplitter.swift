import SanderlingSQL

/// Cuts SQL text into statements at semicolons, except those in strings, in comments and within a trigger's body.
enum StatementSplitter {
  struct Statement: Hashable, Sendable {
    /// The statement without its semicolon and surrounding white space and comments.
    var sql: String
    /// The line of its first token, from 1.
    var line: Int
    /// Its bytes in the text.
    var range: Range<Int>
    /// Whether a semicolon ended it.
    var isTerminated: Bool
  }

  /// Returns all statements of a text. O(length).
  static func split(_ sql: String) -> [Statement] {
    let text = SQLText(sql)
    var statements: [Statement] = []
    var boundary = StatementBoundary()
    var (range, line, lineOfRange) = (nil as Range<Int>?, 1, 1)
    func finish(isTerminated: Bool) {
      guard let found = range else { return }
      statements.append(
        Statement(sql: text[found], line: lineOfRange, range: found, isTerminated: isTerminated))
      range = nil
    }
    for token in SQLTokenizer(text) {
      if boundary.ends(with: token, of: text) {
        finish(isTerminated: true)
      } else if !token.isTrivia {
        if range == nil { lineOfRange = line }
        range = (range?.lowerBound ?? token.range.lowerBound)..<token.range.upperBound
      }
      line += text.bytes[token.range].count { $0 == UInt8(ascii: "\n") }
    }
    finish(isTerminated: false)
    return statements
  }

  /// Whether a text ends with a complete statement, so that the following text begins another one. O(length).
  static func isComplete(_ sql: String) -> Bool {
    let text = SQLText(sql)
    var boundary = StatementBoundary()
    var isComplete = false
    for token in SQLTokenizer(text) where !token.isTrivia {
      isComplete = boundary.ends(with: token, of: text)
    }
    return isComplete
  }
}

/// Finds the ends of statements in a stream of tokens.
struct StatementBoundary {
  private enum State {
    case start, explain, create, statement
    case trigger, semicolonInTrigger, endOfTrigger
  }

  private var state = State.start

  /// Whether a token is a semicolon that ends a statement.
  mutating func ends(with token: SQLToken, of text: SQLText) -> Bool {
    guard !token.isTrivia else { return false }
    if token.kind == .symbol(.semicolon) {
      switch state {
      case .trigger, .semicolonInTrigger:
        state = .semicolonInTrigger
        return false
      default:
        state = .start
        return true
      }
    }
    // Only the words below matter; a longer one isn't worth a copy.
    let word = token.kind == .word && token.range.count < 10 ? text[token.range].asciiUppercased : ""
    switch (state, word) {
    case (.start, "EXPLAIN"): state = .explain
    case (.explain, "QUERY"), (.explain, "PLAN"): break
    case (.start, "CREATE"), (.explain, "CREATE"): state = .create
    case (.create, "TEMP"), (.create, "TEMPORARY"): break
    case (.create, "TRIGGER"): state = .trigger
    case (.semicolonInTrigger, "END"): state = .endOfTrigger
    case (.trigger, _), (.semicolonInTrigger, _), (.endOfTrigger, _): state = .trigger
    default: state = .statement
    }
    return false
  }
}
