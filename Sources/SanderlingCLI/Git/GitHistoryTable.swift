/// The tables that a history is brought into, by their names.
enum GitHistoryTable: String, CaseIterable {
  case author, commit, change

  /// - Parameter others: The tables that are there, to which references lead.
  func definition(beside others: Set<GitHistoryTable>) -> String {
    func reference(_ table: GitHistoryTable) -> String {
      others.contains(table) ? " REFERENCES \"\(table.rawValue)\" ON DELETE CASCADE" : ""
    }
    return switch self {
    case .author: "CREATE TABLE author (name TEXT PRIMARY KEY NOT NULL) WITHOUT ROWID"
    case .commit:
      """
      CREATE TABLE "commit" (hash TEXT PRIMARY KEY NOT NULL, author TEXT NOT NULL\(reference(.author)), \
      isMerge BOOLEAN NOT NULL, committedAt INTEGER NOT NULL, authoredDay TEXT NOT NULL, subject TEXT NOT NULL)
      """
    case .change:
      """
      CREATE TABLE change ("commit" TEXT NOT NULL\(reference(.commit)), path TEXT NOT NULL, linesAdded INTEGER, \
      linesDeleted INTEGER, PRIMARY KEY ("commit", path)) WITHOUT ROWID
      """
    }
  }

  /// What finds the rows that refer to another one.
  var index: String? {
    self == .commit ? "CREATE INDEX commit_on_author ON \"commit\" (author)" : nil
  }
}
