import GRDB
import SanderlingSQL

/// Names the commits of a store in its history.
///
/// A store holds the write lock during its transaction. So the rows that come between its begin and its end are its own,
/// and one row beside them has their operation and author. A writer that is not a store has no such row.
///
/// Lifetime: the store's connection makes it, and releases it with itself. Has no state but the author.
final class HistoryWriter: Sendable {
  let tables: HistoryTables
  private let storedAuthor = Lock<String?>(nil)

  init(_ tables: HistoryTables) {
    self.tables = tables
  }

  var author: String? {
    get { storedAuthor.withLock { $0 } }
    set { storedAuthor.withLock { $0 = newValue } }
  }

  /// The last row of the history. O(log n).
  static func last(_ db: Database) throws -> Int64 {
    try Int64.fetchOne(db.cachedStatement(sql: "SELECT max(id) FROM main.sanderling_history /* Sanderling */")) ?? 0
  }

  /// Names the notes after a given note as the notes of a commit. Must be called at the end of the store's transaction.
  func name(after first: Int64, _ operation: OperationName, _ db: Database) throws {
    let last = try Self.last(db)
    if last <= first { return }
    let statement = try db.cachedStatement(
      sql: """
        INSERT INTO main.sanderling_history_commits (last, first, number, operation, author, at) \
        VALUES (?, ?, ifnull((SELECT number FROM main.sanderling_history_commits ORDER BY last DESC LIMIT 1), 0) + 1, \
        ?, ?, julianday('now'))
        """)
    try statement.execute(arguments: [last, first + 1, operation.text, author])
  }
}
