import SanderlingSQL

/// The names that a statement may use: those of a schema, SQLite's own, and those that the statement defines.
///
/// SQLite reads text in double quotes as a string if no column has that name. So text in double quotes outside these
/// names is a value.
struct SQLNames: Sendable {
  /// Whether SQLite accepted a statement.
  enum State: Sendable {
    /// SQLite prepared it.
    case accepted
    /// SQLite refused it, perhaps because a name doesn't exist.
    case refused
    /// The statement has a syntax error: a quote inside a text can turn the text's words into names.
    case malformed
  }

  private let names: Set<String>

  init(_ names: some Sequence<String>) {
    self.names = Self.builtIn.union(names.lazy.map(\.asciiLowercased))
  }

  /// Whether a name is known, by its text without quotes.
  func contains(_ name: String) -> Bool { names.contains(name.asciiLowercased) }

  /// Returns the tokens of a statement that look like names and are values. O(length).
  func values(in text: SQLText, of state: State = .accepted) -> Set<Range<Int>> {
    let tokens = SQLTokenizer(text).filter { !$0.isTrivia }
    let suspects = tokens.indices.filter { place in
      switch tokens[place].kind {
      case .doubleQuoted: true
      case .word: state == .malformed && SQLKeyword.keyword(text[tokens[place].range]) == nil
      default: false
      }
    }
    guard !suspects.isEmpty else { return [] }
    let sentence = Sentence(tokens: tokens, text: text, areAliasesTrusted: state == .accepted)
    let own = sentence.definedNames
    return Set(
      suspects.lazy.filter { place in
        let name = text[tokens[place].range].withoutQuotes
        return !sentence.isNamePlace(place) && !contains(name) && !own.contains(name.asciiLowercased)
      }.map { tokens[$0].range })
  }

  /// SQLite's own names: those of schemas, of rows in triggers and upserts, and of columns of table-valued functions.
  private static let builtIn: Set<String> = [
    "main", "temp", "rowid", "oid", "_rowid_", "new", "old", "excluded", "rank", "sqlite_master", "sqlite_schema",
    "sqlite_temp_master", "sqlite_temp_schema", "sqlite_sequence", "sqlite_stat1", "sqlite_stat4", "key", "value",
    "type", "atom", "id", "parent", "fullkey", "path", "json", "root", "start", "stop", "step", "json_each",
    "json_tree",
    "generate_series", "column1",
  ]
}

/// The tokens of a statement, and the positions at which a name is required.
private struct Sentence {
  let tokens: [SQLToken]
  let text: SQLText
  /// Whether a name after an operand is an alias. In a malformed statement it may be anything.
  let areAliasesTrusted: Bool

  private func word(_ place: Int) -> String {
    tokens.indices.contains(place) && tokens[place].kind == .word ? text[tokens[place].range].asciiUppercased : ""
  }

  private func isSymbol(_ symbol: SQLSymbol, _ place: Int) -> Bool {
    tokens.indices.contains(place) && tokens[place].kind == .symbol(symbol)
  }

  /// Whether SQLite accepts no string at a position.
  func isNamePlace(_ place: Int) -> Bool {
    if isSymbol(.dot, place + 1) || isSymbol(.dot, place - 1) || isSymbol(.leftParenthesis, place + 1) { return true }
    switch word(place - 1) {
    case "AS", "JOIN", "INTO", "UPDATE", "TABLE", "COLLATE": return true
    // `a IS DISTINCT FROM "b"`
    case "FROM": return word(place - 2) != "DISTINCT"
    case "BY": return word(place - 2) == "INDEXED"
    default: return areAliasesTrusted && endsOperand(place - 1)
    }
  }

  /// Whether an operand or a table ends with a token: a name after it is an alias.
  private func endsOperand(_ place: Int) -> Bool {
    guard tokens.indices.contains(place) else { return false }
    switch tokens[place].kind {
    case .string, .blob, .integer, .real, .parameter, .doubleQuoted, .quotedName, .symbol(.rightParenthesis):
      return true
    case .word:
      return SQLKeyword.keyword(text[tokens[place].range]) == nil
        || ["END", "NULL", "TRUE", "FALSE", "CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP"].contains(word(place))
    default: return false
    }
  }

  /// The names that the statement defines for columns, tables, common tables and their columns, in lower case.
  var definedNames: Set<String> {
    var names: Set<String> = []
    /// The open parentheses.
    var openings: [Int] = []
    for place in tokens.indices {
      switch tokens[place].kind {
      case .word, .doubleQuoted, .quotedName:
        let isAlias =
          areAliasesTrusted && endsOperand(place - 1) && SQLKeyword.keyword(text[tokens[place].range]) == nil
        if word(place - 1) == "AS" || isSymbol(.dot, place + 1) || isAlias || isSubqueryNamed(place + 1) {
          add(place, &names)
        }
      case .symbol(.leftParenthesis): openings.append(place)
      case .symbol(.rightParenthesis):
        // WITH x ("a", "b") AS (
        guard let start = openings.popLast(), isSubqueryNamed(place + 1) else { continue }
        for column in start...place { add(column, &names) }
      default: break
      }
    }
    return names
  }

  /// Whether `AS (` stands at a position, optionally with MATERIALIZED or NOT MATERIALIZED.
  private func isSubqueryNamed(_ place: Int) -> Bool {
    guard word(place) == "AS" else { return false }
    var next = place + 1
    while ["NOT", "MATERIALIZED"].contains(word(next)) { next += 1 }
    return isSymbol(.leftParenthesis, next)
  }

  private func add(_ place: Int, _ names: inout Set<String>) {
    switch tokens[place].kind {
    case .word, .doubleQuoted, .quotedName:
      names.insert(text[tokens[place].range].withoutQuotes.asciiLowercased)
    default: break
    }
  }
}
