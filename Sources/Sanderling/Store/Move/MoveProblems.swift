import GRDB

/// The values that could not be moved. The new database keeps them all, and the memory only the first.
final class MoveProblems {
  private static let table = "sanderling_move"
  private static let limit = 1000

  private(set) var first: [StoreMove.Problem] = []
  private(set) var count = 0
  private(set) var leftOutCount = 0

  func add(_ problem: StoreMove.Problem, _ db: Database) throws {
    if count == 0 {
      try db.execute(
        sql: "CREATE TABLE main.\(Self.table) (\"table\" TEXT, \"key\" TEXT, \"column\" TEXT, reason TEXT, action TEXT)"
      )
    }
    try db.cachedStatement(sql: "INSERT INTO main.\(Self.table) VALUES (?, ?, ?, ?, ?)").execute(
      arguments: [problem.table, problem.key, problem.column, problem.reason, problem.action.rawValue])
    count += 1
    if first.count < Self.limit { first.append(problem) }
  }

  func noteRowLeftOut() { leftOutCount += 1 }

  /// Reads the problems that a finished move has kept.
  static func all(_ db: Database, limit: Int) throws -> [StoreMove.Problem] {
    guard try db.tableExists(table) else { return [] }
    return try Row.fetchAll(db, sql: "SELECT * FROM \(table) ORDER BY rowid LIMIT ?", arguments: [limit]).compactMap {
      row in
      guard let action = StoreMove.Problem.Action(rawValue: row[4]) else { return nil }
      return StoreMove.Problem(table: row[0], key: row[1], column: row[2], reason: row[3], action: action)
    }
  }
}
