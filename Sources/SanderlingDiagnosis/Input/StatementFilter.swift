import SanderlingSQL

/// Decides which statements are diagnosed.
enum StatementFilter {
  enum Verdict: Hashable, Sendable {
    case kept
    /// The statement has no cost that an index or a rewrite could change.
    case dropped
    case refused(reason: String)
  }

  /// Returns the decision for a statement. O(length).
  static func verdict(on sql: String) -> Verdict {
    let text = SQLText(sql)
    var tokens = SQLTokenizer(text).lazy.filter { !$0.isTrivia }.makeIterator()
    guard let first = tokens.next() else { return .dropped }
    let keyword = first.kind == .word ? text[first.range].asciiUppercased : ""
    switch keyword {
    case "SELECT", "VALUES", "WITH", "INSERT", "REPLACE", "UPDATE", "DELETE": break
    case "BEGIN", "COMMIT", "END", "ROLLBACK", "SAVEPOINT", "RELEASE", "PRAGMA": return .dropped
    case "EXPLAIN": return .refused(reason: "EXPLAIN is not needed; give the statement itself")
    case "CREATE", "DROP", "ALTER", "REINDEX", "VACUUM", "ANALYZE":
      return .refused(reason: "\(keyword) changes the schema or the whole file; only statements on rows are diagnosed")
    case "ATTACH", "DETACH":
      return .refused(reason: "\(keyword) is not run; diagnose each database file by itself")
    default: return .refused(reason: "it is no SELECT, INSERT, UPDATE or DELETE")
    }
    while let token = tokens.next() {
      guard token.kind == .word || token.kind == .doubleQuoted || token.kind == .quotedName else { continue }
      let name = text[token.range].asciiLowercased
      if name.contains("load_extension") || name.contains("fts3_tokenizer") {
        return .refused(reason: "it loads code, which a diagnosis never does")
      }
      // Libraries read the schema when they open a database. These queries are dropped.
      if ["sqlite_master", "sqlite_schema", "sqlite_temp_master"].contains(name) { return .dropped }
    }
    return .kept
  }
}
