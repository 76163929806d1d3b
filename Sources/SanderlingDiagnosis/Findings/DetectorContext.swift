/// What detectors work with: a copy, what is known of it, and what may be spent.
struct DetectorContext {
  let copy: DatabaseCopy
  let schema: DatabaseSchema
  /// Measures on the copy's connection.
  var runner: StatementRunner
  var deadline = Deadline.never
  var cancellation: Cancellation?
  /// The time that one question of a detector to the copy may take.
  var questionTime = Duration.seconds(1)
  /// Finds indexes for statements that take the place of others; nil where only the rewrite counts.
  var advisor: IndexAdvisor?
  /// What indexes alone do for the statement.
  var advice: StatementAdvice?
  /// Whether literals of statements may stand in fixes.
  var showsValues = false

  var connection: SQLiteConnection { copy.connection }
  var comparer: ResultComparer { ResultComparer(connection: connection) }

  /// Runs `body` with a budget for each statement on the copy, and puts the connection's own one back.
  func limited<Result>(_ body: () throws -> Result) rethrows -> Result {
    let budget = connection.budget
    defer { connection.budget = budget }
    connection.budget = StatementBudget(
      deadline: Deadline(after: questionTime).earlier(deadline), cancellation: cancellation)
    return try body()
  }

  /// All rows of a question with the values of a sample.
  func rows(_ sql: String, _ values: [Int: BoundValue] = [:]) throws -> [[BoundValue]] {
    try limited {
      let statement = try connection.prepare(sql, authority: .reading)
      try statement.bind(values)
      var rows: [[BoundValue]] = []
      while try statement.step() { rows.append(statement.row) }
      return rows
    }
  }

  /// Strings that say how to compute, not with what.
  private static let formats: Set = [
    "'+1 day'", "'+1 month'", "'+1 year'", "'-01'", "'-01-01'", "'%s'", "'%Y'", "'%Y-%m'", "'%Y-%m-%d'", "'unixepoch'",
  ]

  /// SQL as a fix may show it: without literals other than 0 and 1, unless values may be shown.
  func shown(_ sql: String) -> String {
    guard !showsValues else { return sql }
    let text = SQLText(sql)
    var rewriter = SQLRewriter(text)
    for token in SQLTokenizer(text) {
      switch token.kind {
      // The names of results are expressions as they were written.
      case .doubleQuoted
      where text[token.range].contains { "'0123456789".contains($0) && text[token.range].contains("(") }:
        let name = Fingerprint.of(SQLIdentifier.unquoted(text[token.range]))
        rewriter.replace(token.range, with: SQLIdentifier.quoted(name))
      case .string where token.range.count > 2 && !Self.formats.contains(text[token.range]):
        rewriter.replace(token.range, with: "?")
      case .blob, .real: rewriter.replace(token.range, with: "?")
      case .integer where !["0", "1"].contains(text[token.range]): rewriter.replace(token.range, with: "?")
      default: break
      }
    }
    return rewriter.rewritten()
  }
}
