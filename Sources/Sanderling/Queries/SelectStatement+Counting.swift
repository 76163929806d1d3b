extension SelectStatement {
  /// The query without the parts that don't affect the number of rows: its columns and its order.
  var counted: SelectStatement {
    if isGrouped || isDistinct { return self }
    var counted = self
    counted.columns = [.literal(.integer(1))]
    counted.orderings = []
    return counted
  }

  /// The number of rows that the query returns.
  package var countStatement: SQLStatement {
    get throws {
      var counted = counted
      if limit == nil, !isDistinct, !isGrouped, case .table = source {
        counted.columns = [.summary(.count, nil)]
        return try SQLCompiler.compile(counted)
      }
      let inner = try SQLCompiler.compile(counted)
      return SQLStatement(sql: "SELECT COUNT(*) FROM (\(inner.sql))", arguments: inner.arguments)
    }
  }

  /// Whether the query returns any row.
  package var existsStatement: SQLStatement {
    get throws {
      let inner = try SQLCompiler.compile(counted)
      // SQLite ignores a DISTINCT right below EXISTS, although an offset counts different rows.
      let sql = isDistinct ? "SELECT 1 FROM (\(inner.sql))" : inner.sql
      return SQLStatement(sql: "SELECT EXISTS (\(sql))", arguments: inner.arguments)
    }
  }
}
