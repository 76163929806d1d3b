extension SelectStatement {
  /// The number of rows that the query returns.
  package var countStatement: SQLStatement {
    get throws {
      if limit == nil, !isDistinct, !isGrouped, case .table = source {
        var counting = self
        counting.columns = [.summary(.count, nil)]
        counting.orderings = []
        return try SQLCompiler.compile(counting)
      }
      let inner = try SQLCompiler.compile(self)
      return SQLStatement(sql: "SELECT COUNT(*) FROM (\(inner.sql))", arguments: inner.arguments)
    }
  }

  /// Whether the query returns any row.
  package var existsStatement: SQLStatement {
    get throws {
      var probing = self
      if !isGrouped, !isDistinct, case .table = source {
        probing.columns = [.literal(.integer(1))]
        probing.orderings = []
      }
      let inner = try SQLCompiler.compile(probing)
      // SQLite ignores a DISTINCT right below EXISTS, although an offset counts different rows.
      let sql = isDistinct ? "SELECT 1 FROM (\(inner.sql))" : inner.sql
      return SQLStatement(sql: "SELECT EXISTS (\(sql))", arguments: inner.arguments)
    }
  }
}
