import Foundation
import GRDB
import SanderlingSQLite

extension Database {
  /// A prepared statement of an SQL text that is not running, kept for the next time if possible.
  ///
  /// GRDB keeps one statement for each text, and a second run would rewind the first. It compares texts by Swift's
  /// `==`, for which the composed and the decomposed "é" are equal: of two such texts only the first is kept.
  ///
  /// - Parameter foldsArePending: Called if the statement would read folded texts that are not all there yet, so that
  ///   it folds the texts itself.
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
