import SanderlingSQL

/// Decides from its text whether SQL written by hand gives the same value for the same rows each time.
struct RawDeterminism {
  enum Use {
    case ordering, source
  }

  private let fragments: [RawFragment]

  init(_ fragments: [RawFragment]) {
    self.fragments = fragments
  }

  /// The reason why the SQL may return different values, or a value that is no stable place; nil if there is none.
  func obstacle(of use: Use) -> String? {
    for fragment in fragments {
      switch fragment {
      case .sql, .value, .invalid: break
      case .term(let term):
        if let obstacle = term.pageObstacle { return obstacle }
      case .query(let query):
        if let obstacle = query.condition?.pageObstacle { return obstacle }
      case .tree(.depth): break
      case .tree(let column):
        return
          "its order is the \(column.rawValue) in a tree, which changes with writes of other rows: order by columns"
      }
    }
    let tokens = SQLTokens(text)
    let place =
      use == .ordering ? "its order is SQL written by hand that" : "it starts from a SELECT written by hand that"
    for index in tokens.tokens.indices {
      let token = tokens.tokens[index]
      guard token.kind == .word || token.kind == .quotedName else { continue }
      if token.kind == .word, let reason = Self.reasons[token.text], use == .ordering || token.text != "rank" {
        return "\(place) \(reason)"
      }
      guard tokens.isSymbol("(", at: index + 1), !Self.keywords.contains(token.text) else { continue }
      if Self.dateFunctions.contains(token.text) {
        if !isFixedDate(tokens, index) { return "\(place) \(Self.currentTime)" }
      } else if !Self.functions.contains(token.text), !isTable(tokens, index) {
        return "\(place) calls \(token.name)(), which may return another value each time: store the value in a column"
      }
    }
    return nil
  }

  /// The SQL's text, with numbers in place of interpolated values.
  private var text: String {
    fragments.map { if case .sql(let text) = $0 { text.string } else { " 0 " } }.joined()
  }

  /// Whether the apparent call is a common table expression with columns: `WITH name(column) AS`.
  private func isTable(_ tokens: SQLTokens, _ index: Int) -> Bool {
    guard let closing = tokens.closingParenthesis(of: index + 1) else { return false }
    return tokens.isWord("as", at: closing + 1) && tokens.isSymbol("(", at: closing + 2)
  }

  /// Whether a date function has arguments, and none of them refers to the current time or the device's time zone.
  private func isFixedDate(_ tokens: SQLTokens, _ index: Int) -> Bool {
    guard let closing = tokens.closingParenthesis(of: index + 1) else { return false }
    let arguments = index + 2..<closing
    let count = tokens.split(arguments).count
    return count > (tokens.tokens[index].text == "strftime" ? 1 : 0)
      && !arguments.contains { ["now", "localtime", "utc"].contains(tokens.tokens[$0].name.asciiLowercased) }
  }

  private static let currentTime = "reads the current time: pass the time as a value"

  private static let reasons = [
    "current_time": currentTime, "current_date": currentTime, "current_timestamp": currentTime,
    "over": "has a window function, whose values change with other rows: store the value in a column",
    "limit": "has a LIMIT, which may choose other rows each time: leave the LIMIT out",
    "rank": "is the rank of a search, which each write changes: order by columns, or show the first rows only",
    "bm25": "is the rank of a search, which each write changes: order by columns, or show the first rows only",
  ]

  private static let dateFunctions: Set = ["date", "time", "datetime", "julianday", "strftime", "unixepoch"]

  /// SQL keywords that may precede a parenthesis and aren't functions.
  private static let keywords: Set = [
    "all", "and", "as", "between", "by", "case", "collate", "distinct", "else", "escape", "except", "exists", "filter",
    "from",
    "glob", "having", "in", "intersect", "is", "isnull", "join", "like", "match", "materialized", "not", "notnull",
    "on", "or",
    "recursive", "regexp", "select", "set", "then", "union", "using", "values", "when", "where", "with",
  ]

  /// SQLite's functions that return the same result for the same arguments. Functions of full-text search and of the
  /// app are unknown.
  private static let functions: Set = [
    "abs", "avg", "cast", "ceil", "ceiling", "char", "coalesce", "concat", "concat_ws", "count", "exp", "floor",
    "format",
    "group_concat", "hex", "if", "ifnull", "iif", "instr", "json", "json_array", "json_array_length", "json_each",
    "json_extract",
    "json_object", "json_tree", "json_type", "json_valid", "length", "likelihood", "likely", "ln", "log", "log10",
    "log2", "lower",
    "ltrim", "max", "min", "mod", "nullif", "octet_length", "pow", "power", "printf", "quote", "replace", "round",
    "rtrim", "sign",
    "sqrt", "string_agg", "substr", "substring", "sum", "total", "trim", "trunc", "typeof", "unhex", "unicode",
    "unlikely", "upper",
    "zeroblob",
  ]
}
