import SanderlingSQL

/// The common text of statements that differ only in values.
///
/// Literals and parameters become `?`, including their signs. Lists of them after IN and VALUES become `(?…)` with any
/// length. Comments are removed, keywords are in capitals, and white space is uniform. Column numbers in ORDER BY and
/// GROUP BY stay, and so does `NULL` outside lists. The fingerprint of a fingerprint is itself.
enum Fingerprint {
  /// Returns the fingerprint of one statement. O(length).
  ///
  /// Without `names` the result only identifies statements and is not for display: text in double quotes counts as a
  /// name, but may be a value. Reports show fingerprints with the names of the schema.
  ///
  /// - Parameters:
  ///   - names: The names of the schema. Other text in double quotes becomes `?`.
  ///   - state: Whether SQLite accepted the statement. In a malformed statement, unknown words become `?`, too.
  static func of(_ sql: String, names: SQLNames? = nil, state: SQLNames.State = .accepted) -> String {
    let text = SQLText(sql)
    let values = names?.values(in: text, of: state) ?? []
    var pieces: [Piece] = []
    for token in SQLTokenizer(text) where !token.isTrivia {
      let piece = values.contains(token.range) ? Piece(text: "?", role: .value) : Piece(token, of: text)
      if piece.role == .ellipsis, pieces.last?.role == .value { continue }
      pieces.append(piece)
    }
    while let last = pieces.last, last.text == ";" { pieces.removeLast() }
    pieces = withColumnNumbers(withNames(pieces))
    pieces = withoutSigns(pieces)
    pieces = withShortLists(pieces)
    return rendered(pieces)
  }

  /// The positions of column numbers: whole terms of ORDER BY and GROUP BY. O(length).
  static func columnNumbers(in sql: SQLText) -> Set<Range<Int>> {
    let tokens = SQLTokenizer(sql).filter { !$0.isTrivia }
    let pieces = withColumnNumbers(tokens.map { Piece($0, of: sql) })
    return Set(zip(tokens, pieces).filter { $0.kind == .integer && $1.role == .name }.map(\.0.range))
  }

  /// A token of the fingerprint.
  struct Piece: Hashable {
    enum Role {
      case keyword, name, value, symbol, list
      /// The mark of a list in a fingerprint.
      case ellipsis
    }

    var text: String
    var role: Role
    /// The original number, if it could be a column number.
    var number: String? = nil
    /// The keyword as it was written.
    var word: String? = nil

    init(text: String, role: Role) {
      self.text = text
      self.role = role
    }

    init(_ token: SQLToken, of sql: SQLText) {
      switch token.kind {
      case .word:
        let word = sql[token.range]
        if word == "…" {
          self.init(text: word, role: .ellipsis)
        } else if let keyword = SQLKeyword.keyword(word) {
          self.init(text: keyword, role: .keyword)
          self.word = word
        } else {
          self.init(text: word, role: .name)
        }
      case .doubleQuoted, .quotedName: self.init(text: sql[token.range], role: .name)
      case .symbol(let symbol): self.init(text: symbol.rawValue, role: .symbol)
      case .integer:
        self.init(text: "?", role: .value)
        number = sql[token.range]
      default: self.init(text: "?", role: .value)
      }
    }

    /// Whether the piece is a value in a position where only values are allowed.
    var isListed: Bool {
      role == .value
        || ["NULL", "TRUE", "FALSE", "CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP"].contains(text.asciiUppercased)
    }

    /// Whether a sign after it belongs to the following value.
    var precedesExpression: Bool {
      switch role {
      case .symbol: text != ")"
      case .keyword: Self.keywordsBeforeExpressions.contains(text)
      default: false
      }
    }

    private static let keywordsBeforeExpressions: Set<String> = [
      "ALL", "AND", "BETWEEN", "BY", "CASE", "DISTINCT", "ELSE", "ESCAPE", "FROM", "GLOB", "HAVING", "IN", "IS", "LIKE",
      "LIMIT",
      "MATCH", "NOT", "OFFSET", "ON", "OR", "REGEXP", "RETURNING", "SELECT", "SET", "THEN", "VALUES", "WHEN", "WHERE",
    ]
  }

  /// Restores the spelling of words that can be keywords and are names here: `SELECT c.last AS action`.
  private static func withNames(_ pieces: [Piece]) -> [Piece] {
    var result = pieces
    for (index, piece) in pieces.enumerated() {
      guard piece.role == .keyword, let word = piece.word, !SQLKeyword.reserved.contains(piece.text), index > 0 else {
        continue
      }
      let before = pieces[index - 1].text
      let after = index + 1 < pieces.count ? pieces[index + 1].text : ")"
      let isName =
        before == "." || after == "." || before == "AS"
        || (likelyNames.contains(piece.text) && beforeNames.contains(before) && afterNames.contains(after))
      if isName { (result[index].text, result[index].role) = (word, .name) }
    }
    return result
  }

  private static let likelyNames: Set<String> = [
    "ACTION", "AFTER", "BEFORE", "BEGIN", "COLUMN", "CONFLICT", "CURRENT", "DATABASE", "END", "EXCLUDE", "FAIL",
    "FILTER",
    "FIRST", "FOLLOWING", "GROUPS", "IGNORE", "KEY", "LAST", "NO", "OF", "OTHERS", "PLAN", "QUERY", "RANGE", "RELEASE",
    "RENAME", "REPLACE", "RESTRICT", "ROW", "ROWS", "TEMP", "TEMPORARY", "TIES", "TRIGGER", "VIEW", "WINDOW",
  ]
  private static let beforeNames: Set<String> = [
    ",", "(", "SELECT", "DISTINCT", "BY", "AND", "OR", "NOT", "WHERE", "ON", "SET", "HAVING", "=", "==", "<>", "!=",
    "<", "<=",
    ">", ">=", "+", "-", "*", "/", "||",
  ]
  private static let afterNames: Set<String> = [
    ",", ")", "=", "==", "<>", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "||", "AS", "ASC", "DESC", "FROM",
    "WHERE", "AND",
    "OR", "IS", "IN", "LIKE", "BETWEEN", "GROUP", "ORDER", "LIMIT", "HAVING", "COLLATE", "NOTNULL", "ISNULL",
  ]

  /// Restores the numbers that name columns: whole terms of ORDER BY and GROUP BY.
  private static func withColumnNumbers(_ pieces: [Piece]) -> [Piece] {
    var pieces = pieces
    // For each open parenthesis, whether the position is in an ordering.
    var isOrdering = [false]
    for index in pieces.indices {
      let piece = pieces[index]
      switch piece.text {
      case "(" where piece.role == .symbol: isOrdering.append(false)
      case ")" where piece.role == .symbol: if isOrdering.count > 1 { isOrdering.removeLast() }
      case "BY" where piece.role == .keyword:
        isOrdering[isOrdering.count - 1] = index > 0 && ["ORDER", "GROUP"].contains(pieces[index - 1].text)
      case "HAVING", "LIMIT", "WINDOW", "UNION", "EXCEPT", "INTERSECT", "RETURNING":
        if piece.role == .keyword { isOrdering[isOrdering.count - 1] = false }
      default:
        guard isOrdering[isOrdering.count - 1], let number = piece.number, number.utf8.count < 5 else { continue }
        let ends = index + 1 == pieces.count || endsOfTerms.contains(pieces[index + 1].text)
        if ends, index > 0, pieces[index - 1].text == "," || pieces[index - 1].text == "BY" {
          pieces[index].text = number
          pieces[index].role = .name
        }
      }
    }
    return pieces
  }

  private static let endsOfTerms: Set<String> = [
    ",", ")", ";", "ASC", "DESC", "NULLS", "LIMIT", "COLLATE", "HAVING", "ORDER", "WINDOW", "UNION", "EXCEPT",
    "INTERSECT",
    "ROWS", "RANGE", "GROUPS", "RETURNING",
  ]

  /// Removes the signs before values.
  private static func withoutSigns(_ pieces: [Piece]) -> [Piece] {
    var result: [Piece] = []
    for piece in pieces {
      if piece.role == .value {
        while let sign = result.last, sign.role == .symbol, sign.text == "-" || sign.text == "+",
          result.count == 1 || result[result.count - 2].precedesExpression
        {
          result.removeLast()
        }
      }
      result.append(piece)
    }
    return result
  }

  /// Shortens each list of values, and merges adjacent rows of values that look the same.
  private static func withShortLists(_ pieces: [Piece]) -> [Piece] {
    let ends = endsOfParentheses(pieces)
    let list = Piece(text: "(?…)", role: .list)
    var result: [Piece] = []
    var index = 0
    while index < pieces.count {
      let piece = pieces[index]
      result.append(piece)
      index += 1
      guard piece.role == .keyword, let end = endOfValues(pieces, from: index) ?? ends[index] else { continue }
      let isList = endOfValues(pieces, from: index) != nil
      if piece.text == "IN", isList {
        result.append(list)
        index = end
      } else if piece.text == "VALUES" {
        var last: [Piece] = []
        var next: Int? = index
        while let start = next, let end = endOfValues(pieces, from: start) ?? ends[start] {
          let row = endOfValues(pieces, from: start) == nil ? withoutListedWords(pieces[start..<end]) : [list]
          if !last.isEmpty, last != row { result.append(Piece(text: ",", role: .symbol)) }
          if last != row { result += row }
          last = row
          index = end
          next = end + 1 < pieces.count && pieces[end].text == "," ? end + 1 : nil
        }
      }
    }
    return result
  }

  /// A row of VALUES with `?` for `NULL` and other words that are values.
  private static func withoutListedWords(_ row: ArraySlice<Piece>) -> [Piece] {
    row.indices.map { index in
      let isWhole =
        row[index].isListed && index > row.startIndex && ["(", ","].contains(row[index - 1].text)
        && [")", ","].contains(row[index + 1].text)
      return isWhole ? Piece(text: "?", role: .value) : row[index]
    }
  }

  /// The end of the parenthesis that opens at each place, for all closed ones.
  private static func endsOfParentheses(_ pieces: [Piece]) -> [Int: Int] {
    var ends: [Int: Int] = [:]
    var open: [Int] = []
    for (index, piece) in pieces.enumerated() where piece.role == .symbol {
      if piece.text == "(" { open.append(index) }
      if piece.text == ")", let start = open.popLast() { ends[start] = index + 1 }
    }
    return ends
  }

  /// The end of a parenthesis that contains only values.
  private static func endOfValues(_ pieces: [Piece], from start: Int) -> Int? {
    guard start < pieces.count, pieces[start].text == "(", pieces[start].role == .symbol else { return nil }
    var index = start + 1
    if index < pieces.count, pieces[index].text == ")" { return index + 1 }
    while index + 1 < pieces.count, pieces[index].isListed {
      if pieces[index + 1].text == ")" { return index + 2 }
      guard pieces[index + 1].text == "," else { return nil }
      index += 2
    }
    return nil
  }

  private static func rendered(_ pieces: [Piece]) -> String {
    var result = ""
    for (index, piece) in pieces.enumerated() {
      if index > 0, needsSpace(between: pieces[index - 1], and: piece) { result += " " }
      result += piece.text
    }
    return result
  }

  private static func needsSpace(between left: Piece, and right: Piece) -> Bool {
    if left.role == .symbol, ["(", ".", "~"].contains(left.text) { return false }
    if right.role == .symbol, [")", ".", ",", ";"].contains(right.text) { return false }
    if right.role == .symbol, right.text == "(" {
      return left.role != .name && left.text != "REPLACE"
    }
    return true
  }
}
