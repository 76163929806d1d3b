extension Store {
  /// Returns a query in pages.
  ///
  /// Rows that are equal in the ordering are sorted by their keys, in the direction of its last key, as
  /// ``Selection/order(_:)-((Root.Fields)->Key)`` describes. Without an ordering, all rows are sorted by their keys.
  ///
  /// Reading throws ``PageError/notPageable(reason:)`` for a query with its own limit or offset, and for a query that
  /// makes a single value. It also throws for an ordering whose values may change without a write.
  ///
  /// - Parameter size: The greatest number of rows in a page, at least 1. With a smaller size, reading throws
  ///   ``StoreError/invalidQuery(_:)``.
  public func pages<Root, Output>(of query: Selection<Root, Output>, size: Int) -> Pages<Root, Output> {
    let decodeAll = query.decodeAll
    return pages(query.statement, size) { _, rows in
      try StoreError.locating(Output.self) { try decodeAll(rows) }
    }
  }

  /// Returns a query in pages, whose records come with associated records.
  ///
  /// - Parameter size: The greatest number of records in a page, at least 1. With a smaller size, reading throws
  ///   ``StoreError/invalidQuery(_:)``.
  public func pages<Root, Output>(of query: PrefetchingSelection<Root, Output>, size: Int) -> Pages<Root, Output> {
    let (decodeAll, attach) = (query.selection.decodeAll, query.attach)
    return pages(query.selection.statement, size) { transaction, rows in
      let records = try StoreError.locating(Root.self) { try decodeAll(rows) }
      return try attach(transaction, records).values
    }
  }

  private func pages<Root, Output>(
    _ statement: SelectStatement, _ size: Int,
    _ decodeAll: @escaping @Sendable (ReadTransaction, ResultRows) throws -> [Output]
  ) -> Pages<Root, Output> {
    var statement = statement
    if size < 1 { statement.refuse(because: "a page of \(size) rows is too small: pass a size from 1 on") }
    let size = min(max(size, 1), SelectStatement.mostRows)
    return Pages(self, PageQuery(statement, size: size, decodeAll: decodeAll))
  }
}
