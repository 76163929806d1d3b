extension SelectStatement {
  /// The query without the parts that don't affect the number of rows: columns and order.
  var counted: SelectStatement {
    if isGrouped || isDistinct { return self }
    var counted = self
    counted.columns = [.literal(.integer(1))]
    counted.orderings = []
    return counted
  }

  /// The statement that returns the query's number of rows.
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

  /// The statement that returns whether the query has any rows.
  package var existsStatement: SQLStatement {
    get throws {
      let inner = try SQLCompiler.compile(counted)
      // SQLite ignores a DISTINCT directly below EXISTS, although an offset counts distinct rows.
      let sql = isDistinct ? "SELECT 1 FROM (\(inner.sql))" : inner.sql
      return SQLStatement(sql: "SELECT EXISTS (\(sql))", arguments: inner.arguments)
    }
  }
}
