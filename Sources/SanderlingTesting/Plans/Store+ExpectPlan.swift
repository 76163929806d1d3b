import GRDB
import SanderlingSQLite
public import Sanderling
import SanderlingDiagnosis

extension Store {
  /// Checks how SQLite runs a query on this store.
  ///
  /// ```swift
  /// try await store.expectPlan(of: TodoTask.where { $0.projectID == home }.order { $0.dueAt }) {
  ///   $0.usesIndex("todoTask_on_projectID_dueAt")
  ///   $0.doesNotSort
  /// }
  /// ```
  ///
  /// Plans depend on indexes and on statistics of ANALYZE, and hardly on the number of rows, so a store without rows will do.
  ///
  /// - Throws: ``ExpectationFailure`` with the plan when it is another one; ``/Sanderling/StoreError``.
  public func expectPlan<Root, Output>(
    of query: Selection<Root, Output>, isolation: isolated (any Actor)? = #isolation,
    @PlanExpectationBuilder _ expectations: (ExpectedPlan) -> [PlanExpectation]
  ) async throws {
    try await check(query.sql, expectations(ExpectedPlan()))
  }

  /// Checks how SQLite runs a query that is written as SQL.
  ///
  /// - Throws: ``ExpectationFailure`` with the plan when it is another one; ``/Sanderling/StoreError``.
  public func expectPlan<Output>(
    of query: RawQuery<Output>, isolation: isolated (any Actor)? = #isolation,
    @PlanExpectationBuilder _ expectations: (ExpectedPlan) -> [PlanExpectation]
  ) async throws {
    try await check(query.sql, expectations(ExpectedPlan()))
  }

  private func check(_ statement: SQLStatement, _ expectations: [PlanExpectation]) async throws {
    let rows = try await read { try $0.database.planRows(of: statement.sql) }
    let plan = QueryPlan(rows: rows)
    let unmet = expectations.filter { !$0.isMet(plan) }.map(\.summary)
    guard !unmet.isEmpty else { return }
    let lines = plan.nodes.map { "  \($0.detail)" }.joined(separator: "\n")
    throw ExpectationFailure(
      description: "Expected a plan that \(unmet.joined(separator: " and ")), and found:\n\(lines)\nof \(statement.sql)"
    )
  }
}

extension Database {
  /// Parameters have no values: SQLite makes a plan without them.
  fileprivate func planRows(of sql: String) throws -> [(id: Int, parent: Int, detail: String)] {
    // GRDB finalizes the statement when this object is released.
    let statement = try TextFunctions.registering(on: self) { try makeStatement(sql: "EXPLAIN QUERY PLAN " + sql) }
    return withExtendedLifetime(statement) {
      let pointer = statement.sqliteStatement
      var rows: [(id: Int, parent: Int, detail: String)] = []
      while sqlite3_step(pointer) == SQLITE_ROW {
        let detail = sqlite3_column_text(pointer, 3).map { String(cString: $0) } ?? ""
        rows.append((Int(sqlite3_column_int(pointer, 0)), Int(sqlite3_column_int(pointer, 1)), detail))
      }
      return rows
    }
  }
}
