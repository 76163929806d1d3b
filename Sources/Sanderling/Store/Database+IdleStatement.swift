import Foundation
import GRDB
import SanderlingSQLite

extension Database {
  /// A prepared statement of an SQL text that nothing else is stepping through, kept for the next time where it can be.
  ///
  /// GRDB keeps one statement for each text, and a second walk over it would rewind the first. It finds texts by Swift's `==`, for
  /// which the composed and the decomposed "é" are one: of two such texts only the first is kept.
  ///
  /// - Parameter foldsArePending: Called where the statement would read folded texts of which some are not there yet, so that it
  ///   folds the texts itself.
  func idleStatement(sql: String, _ foldsArePending: () -> Void = {}) throws -> Statement {
    let sql = try resolvingFolds(sql, foldsArePending)
    let statement = try TextFunctions.registering(on: self) { try cachedStatement(sql: sql) }
    let isIdle = sqlite3_stmt_busy(statement.sqliteStatement) == 0
    return isIdle && statement.isPrepared(from: sql) ? statement : try makeStatement(sql: sql)
  }
}

extension Statement {
  /// Whether the statement is the first one of the text.
  fileprivate func isPrepared(from sql: String) -> Bool {
    guard let prepared = sqlite3_sql(sqliteStatement) else { return false }
    return sql.withCString { strncmp(prepared, $0, strlen(prepared)) == 0 }
  }
}
