import GRDB
import Sanderling

/// The single row that tells triggers whether a write comes from a server.
enum SyncControl {
  static let table = "sanderling_sync_control"

  static let createTable = """
    CREATE TABLE "sanderling_sync_control" (id INTEGER PRIMARY KEY CHECK (id = 1), applying INTEGER NOT NULL DEFAULT 0, \
    client TEXT NOT NULL, sequence INTEGER NOT NULL DEFAULT 0)
    """

  /// Runs `body` in a savepoint; its changes are not recorded as local ones.
  ///
  /// If it throws, its changes are undone. The control row is restored in any case.
  static func applying<Result>(_ db: Database, _ body: () throws -> Result) throws -> Result {
    if try isApplying(db) { return try body() }
    var result: Result?
    try db.inSavepoint {
      try db.execute(sql: "UPDATE main.sanderling_sync_control SET applying = 1")
      result = try body()
      try db.execute(sql: "UPDATE main.sanderling_sync_control SET applying = 0")
      return .commit
    }
    guard let result else { preconditionFailure("a savepoint that doesn't throw has a result") }
    return result
  }

  /// Runs `body`, whose changes are not recorded as local ones, in a transaction that is rolled back if it throws.
  ///
  /// No savepoint is used, because it would keep a copy of every page that `body` writes.
  static func applyingOrRollingBack(_ db: Database, _ body: () throws -> Void) throws {
    try db.execute(sql: "UPDATE main.sanderling_sync_control SET applying = 1")
    try body()
    try db.execute(sql: "UPDATE main.sanderling_sync_control SET applying = 0")
  }

  static func isApplying(_ db: Database) throws -> Bool {
    try Bool.fetchOne(db.cachedStatement(sql: "SELECT applying FROM main.sanderling_sync_control")) ?? false
  }

  /// The permanent name of this database.
  static func client(_ db: Database) throws -> String {
    try String.fetchOne(db.cachedStatement(sql: "SELECT client FROM main.sanderling_sync_control")) ?? ""
  }

  /// A new number that was never used before.
  static func nextNumber(_ db: Database) throws -> Int64 {
    try db.cachedStatement(sql: "UPDATE main.sanderling_sync_control SET sequence = sequence + 1").execute()
    return try lastSequence(db)
  }

  /// The last used number.
  static func lastSequence(_ db: Database) throws -> Int64 {
    try Int64.fetchOne(db.cachedStatement(sql: "SELECT sequence FROM main.sanderling_sync_control")) ?? 0
  }
}
