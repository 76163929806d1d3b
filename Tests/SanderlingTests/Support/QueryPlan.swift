import Foundation
import GRDB

@testable import Sanderling

extension Store {
  /// Returns SQLite's plan to find and sort rows, with one line for each table and each sort. Steps for bound keys and
  /// recursive tables are left out, and so are differences between versions of SQLite.
  func plan(_ statement: SQLStatement) async throws -> [String] {
    let (sql, arguments) = (statement.sql, statement.arguments.map(\.databaseValue))
    let steps = try await writer.read { db in
      let statement = try TextFunctions.registering(on: db) { try db.makeStatement(sql: "EXPLAIN QUERY PLAN " + sql) }
      return try Row.fetchAll(statement, arguments: StatementArguments(arguments)).map { $0["detail"] as String }
    }
    return steps.map { $0.replacingOccurrences(of: " LEFT-JOIN", with: "") }.filter { step in
      ["SCAN", "SEARCH", "USE TEMP"].contains { step.hasPrefix($0) }
        && !["SCAN CONSTANT", "SCAN sanderling_", "SCAN json_each"].contains { step.hasPrefix($0) }
    }
  }
}
