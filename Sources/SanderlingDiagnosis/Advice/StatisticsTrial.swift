/// The statistics that ANALYZE would make, found once for a copy, and their effect on plans.
final class StatisticsTrial {
  private let copy: DatabaseCopy
  private let timeBudget: Duration
  private var isRead = false
  /// Statements that make the statistics without reading the tables again; empty if ANALYZE took too long.
  private(set) var statements: [String] = []
  private var newPlanner: WhatIfPlanner?
  private let names: IndexNames
  /// Whether the existing statistics are of tables that were much smaller or larger.
  let isStale: Bool

  init(copy: DatabaseCopy, schema: DatabaseSchema, names: IndexNames, timeBudget: Duration = .seconds(3)) {
    self.copy = copy
    self.names = names
    self.timeBudget = timeBudget
    isStale = schema.tables.contains { table in
      guard table.isRowCountExact, let rows = table.rowCount else { return false }
      return table.indexes.contains { index in
        guard !index.isPartial, let known = index.statistics.first else { return false }
        return Double(max(known, 10)) * 4 < Double(rows) || Double(max(rows, 10)) * 4 < Double(known)
      }
    }
  }

  /// The lines of the plan with new statistics; nil if these are not known.
  ///
  /// Throws `DiagnosisError`. O(rows of all indexes) the first time.
  func details(of sql: String, bindings: [Int: BoundValue]) throws -> [String]? {
    try planner()?.details(of: sql, bindings: bindings)
  }

  /// A planner with new statistics; nil if ANALYZE takes too long.
  func planner() throws -> WhatIfPlanner? {
    if !isRead {
      isRead = true
      statements = try read()
      if !statements.isEmpty {
        let connection = try copy.makeSchemaCopy()
        for sql in statements { try connection.run(sql) }
        newPlanner = WhatIfPlanner(connection: connection, names: names)
      }
    }
    return newPlanner
  }

  private func read() throws -> [String] {
    let connection = copy.connection
    let rows: [[BoundValue]]
    do {
      rows = try Trial(connection: connection).run([]) {
        try connection.limited(to: timeBudget) {
          try connection.run("ANALYZE", authority: .trial)
          return try connection.rows("SELECT tbl, idx, stat FROM sqlite_stat1")
        }
      }.value
    } catch DiagnosisError.stopped(.time), DiagnosisError.statement {
      return []
    }
    func literal(_ value: BoundValue) -> String { value.text.map(\.quotedLiteral) ?? "NULL" }
    return ["ANALYZE sqlite_master", "DELETE FROM sqlite_stat1"]
      + rows.map { "INSERT INTO sqlite_stat1 VALUES (\($0.map(literal).joined(separator: ", ")))" }
      + ["ANALYZE sqlite_master"]
  }
}
