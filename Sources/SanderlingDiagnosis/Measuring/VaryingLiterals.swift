import SanderlingSQL

/// The literals of a statement that may differ in other executions: those that are compared with columns.
///
/// A log shows `WHERE chat_id = 7` for each chat with another number. A fix for 7 must be right for the others, too.
struct VaryingLiterals {
  struct Literal {
    /// The number of the parameter that replaces it in ``shape``.
    var number: Int
    var table: String
    var column: String
    /// The literal as written.
    var sql: String
    /// The token before it, in lower case. It distinguishes the literal from the same number elsewhere, such as after
    /// LIMIT.
    fileprivate var previous: String
  }

  /// The literals in the order of the text.
  private(set) var literals: [Literal] = []
  /// The statement with each of the literals replaced by a parameter, numbered above its own parameters.
  private(set) var shape: QueryShape

  /// - Parameter shape: The shape of the original statement. O(length + terms).
  init(_ shape: QueryShape) {
    self.shape = shape
    let tokens = Self.tokens(of: shape.text)
    var numbers: [Range<Int>: Int] = [:]
    for select in shape.selects.indices {
      for source in shape.selects[select].sources.indices {
        let own = shape.selects[select].sources[source]
        guard let table = own.table else { continue }
        for place in own.terms.indices {
          let term = own.terms[place]
          guard let token = Self.literal(of: term, tokens), let column = term.key?.columns.first else { continue }
          // If the same number follows the same token twice, a rewrite could not distinguish the two.
          guard tokens.count(where: { $0.sql == token.sql && $0.previous == token.previous }) == 1 else { continue }
          let number = numbers[token.range] ?? shape.parameterCount + literals.count + 1
          if numbers.updateValue(number, forKey: token.range) == nil {
            literals.append(
              Literal(number: number, table: table, column: column, sql: token.sql, previous: token.previous))
          }
          self.shape.selects[select].sources[source].terms[place].value = .parameter(number)
          self.shape.selects[select].sources[source].terms[place].parameters = [number]
          self.shape.selects[select].sources[source].terms[place].indexCondition = nil
        }
      }
    }
  }

  /// Returns the statement or a rewrite of it with other values for its literals. Nil if the rewrite has no such
  /// literal or a value can't be written. O(length).
  func replaced(in sql: String, with values: [Int: BoundValue]) -> String? {
    let text = SQLText(sql)
    let tokens = Self.tokens(of: text)
    var rewriter = SQLRewriter(text)
    for literal in literals {
      guard let value = values[literal.number] else { continue }
      let places = tokens.filter { $0.sql == literal.sql && $0.previous == literal.previous }
      guard !places.isEmpty, let written = value.literal else { return nil }
      for place in places { rewriter.replace(place.range, with: written) }
    }
    return rewriter.rewritten()
  }

  private struct Token {
    var sql: String
    var previous: String
    var range: Range<Int>
  }

  private static func tokens(of text: SQLText) -> [Token] {
    var previous = ""
    return SQLTokenizer(text).compactMap { token in
      if token.isTrivia { return nil }
      let written = text[token.range]
      defer { previous = written.asciiLowercased }
      switch token.kind {
      case .integer, .real, .string: return Token(sql: written, previous: previous, range: token.range)
      default: return nil
      }
    }
  }

  /// Returns the single literal that a term compares a column with.
  private static func literal(of term: TermShape, _ tokens: [Token]) -> Token? {
    guard case .literal(let kind, _) = term.value, [.integer, .real, .string].contains(kind), let key = term.key,
      key.isColumn, !term.isPushedDown
    else { return nil }
    switch term.kind {
    case .equality, .range: break
    default: return nil
    }
    let own = tokens.filter { term.range.contains($0.range.lowerBound) && !key.range.contains($0.range.lowerBound) }
    guard own.count == 1, !["-", "+"].contains(own[0].previous) else { return nil }
    return own[0]
  }
}

extension BoundValue {
  /// The value as SQL; nil for NULL, which equals nothing, and for non-finite numbers.
  fileprivate var literal: String? {
    switch self {
    case .null: nil
    case .integer(let number): String(number)
    case .real(let number): number.isFinite ? String(number) : nil
    case .text(let text): text.quotedLiteral
    case .blob(let bytes):
      "X'\(bytes.hexadecimalText)'"
    }
  }
}
