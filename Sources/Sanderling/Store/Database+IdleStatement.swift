import Foundation
import GRDB
import SanderlingSQLite

extension Database {
  /// Prepares an SQL text as a statement that isn't running. The statement is kept for the next time if possible.
  ///
  /// GRDB keeps one statement for each text, and a second run would rewind the first. GRDB compares texts by Swift's
  /// `==`, which treats the composed and the decomposed "é" as equal. Of two such texts only the first is kept.
  ///
  /// - Parameter foldsArePending: Called if some folded texts that the statement reads are still pending, so that the
  ///   statement folds the texts itself.
  func idleStatement(sql: String, _ foldsArePending: () -> Void = {}) throws -> Statement {
    let sql = try resolvingFolds(sql, foldsArePending)
    let statement = try TextFunctions.registering(on: self) { try cachedStatement(sql: sql) }
    let isIdle = sqlite3_stmt_busy(statement.sqliteStatement) == 0
    return isIdle && statement.isPrepared(from: sql) ? statement : try makeStatement(sql: sql)
  }
}

extension Statement {
  /// Whether the statement was prepared from the beginning of the text.
  fileprivate func isPrepared(from sql: String) -> Bool {
    guard let prepared = sqlite3_sql(sqliteStatement) else { return false }
    return sql.withCString { strncmp(prepared, $0, strlen(prepared)) == 0 }
  }
}
