/// Pages that share a transaction with other reads.
extension ReadTransaction {
  /// The first rows of a query in pages.
  ///
  /// - Throws: As ``Pages/first()``.
  public func firstPage<Root, Output>(of pages: Pages<Root, Output>) throws -> Page<Output> {
    try pages.query.page(.forward, from: nil, count: pages.size, self)
  }

  /// The last rows of a query in pages, in the query's order.
  ///
  /// - Throws: As ``Pages/first()``.
  public func lastPage<Root, Output>(of pages: Pages<Root, Output>) throws -> Page<Output> {
    try pages.query.page(.backward, from: nil, count: pages.size, self)
  }

  /// The rows that follow a place.
  ///
  /// - Throws: As ``Pages/page(after:)``.
  public func page<Root, Output>(of pages: Pages<Root, Output>, after cursor: PageCursor) throws -> Page<Output> {
    try pages.query.page(.forward, from: cursor, count: pages.size, self)
  }

  /// The rows that precede a place, in the query's order.
  ///
  /// - Throws: As ``Pages/page(after:)``.
  public func page<Root, Output>(of pages: Pages<Root, Output>, before cursor: PageCursor) throws -> Page<Output> {
    try pages.query.page(.backward, from: cursor, count: pages.size, self)
  }

  /// The row with a key, and the rows that follow it.
  ///
  /// - Throws: As ``Pages/page(startingAt:)``.
  public func page<Root, Output>(
    of pages: Pages<Root, Output>, startingAt key: Root.Source.Key
  ) throws -> Page<Output> {
    try page(of: pages, after: cursor(of: key, in: pages).movedBeforeRow)
  }

  /// The row with a key in the middle of the rows around it.
  ///
  /// - Throws: As ``Pages/page(startingAt:)``.
  public func page<Root, Output>(
    of pages: Pages<Root, Output>, around key: Root.Source.Key
  ) throws -> Page<Output> {
    try pages.query.page(around: cursor(of: key, in: pages), self)
  }

  /// The place of the row with a key.
  ///
  /// - Throws: As ``Pages/page(startingAt:)``.
  public func cursor<Root, Output>(
    of key: Root.Source.Key, in pages: Pages<Root, Output>
  ) throws -> PageCursor {
    try pages.query.cursor(of: Root.Source.terms(of: key), self)
  }
}
