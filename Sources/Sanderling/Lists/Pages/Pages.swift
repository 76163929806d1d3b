/// A query that is read in pages: from either end, from any row, or from the end of another page.
///
/// ```swift
/// let pages = store.pages(of: TodoTask.order { ($0.dueAt.descending, $0.title) }, size: 50)
/// for try await page in pages { show(page.rows) }
///
/// let first = try await pages.first()
/// if let next = first.next { let second = try await pages.page(after: next) }
/// ```
///
/// A page continues from the ordering values of the last row, not from a number of rows. A page deep in a list costs as
/// much as the first page, and writes between two pages shift no rows. A row whose ordering values stay the same in the
/// meantime is returned exactly once. Each page is a separate read, and shows the database at that time.
///
/// An instance is a value without rows or a transaction, and any task can use it.
public struct Pages<Root: Selectable, Output: Sendable>: Sendable {
  let store: Store
  let query: PageQuery<Output>
  private var start: PageCursor?
  private var direction = PageForm.Direction.forward

  init(_ store: Store, _ query: PageQuery<Output>) {
    self.store = store
    self.query = query
  }

  /// The greatest number of rows in a page.
  public var size: Int { query.size }
}

// MARK: - Single pages

extension Pages {
  /// The first rows.
  ///
  /// - Throws: ``PageError/notPageable(reason:)`` and ``StoreError``.
  /// - Complexity: One statement; O(log n + size) if an index serves the ordering. See ``explain()`` for other
  ///   orderings.
  public func first() async throws -> Page<Output> {
    try await page { try $0.firstPage(of: self) }
  }

  /// The last rows, in the query's order.
  ///
  /// - Throws: As ``first()``.
  /// - Complexity: As ``first()``.
  public func last() async throws -> Page<Output> {
    try await page { try $0.lastPage(of: self) }
  }

  /// The rows that follow a place. There may be none.
  ///
  /// - Throws: As ``first()``, and ``PageError/cursorOfOtherQuery(table:)``.
  /// - Complexity: At most one statement for each key of the ordering; each O(log n + size) if an index serves it.
  public func page(after cursor: PageCursor) async throws -> Page<Output> {
    try await page { try $0.page(of: self, after: cursor) }
  }

  /// The rows that precede a place, in the query's order. There may be none.
  ///
  /// - Throws: As ``page(after:)``.
  /// - Complexity: As ``page(after:)``.
  public func page(before cursor: PageCursor) async throws -> Page<Output> {
    try await page { try $0.page(of: self, before: cursor) }
  }

  /// The row with a key, and the rows that follow it.
  ///
  /// - Throws: As ``first()``, and ``PageError/noSuchRow(table:)`` if the query doesn't have the row.
  /// - Complexity: As ``page(after:)``, after finding the row by its key.
  public func page(startingAt key: Root.Source.Key) async throws -> Page<Output> {
    try await page { try $0.page(of: self, startingAt: key) }
  }

  /// The row with a key, in the middle of the rows around it. Near an end there are fewer rows than a full page has.
  ///
  /// - Throws: As ``page(startingAt:)``.
  /// - Complexity: As ``page(after:)``, twice.
  public func page(around key: Root.Source.Key) async throws -> Page<Output> {
    try await page { try $0.page(of: self, around: key) }
  }

  /// The place of the row with a key.
  ///
  /// - Throws: As ``page(startingAt:)``.
  public func cursor(of key: Root.Source.Key) async throws -> PageCursor {
    try await store.read { try $0.cursor(of: key, in: self) }
  }

  private func page(_ read: @Sendable (ReadTransaction) throws -> Page<Output>) async throws -> Page<Output> {
    let page = try await store.read(read)
    try await store.reportMissingIndex(query.checkedForm(), count: size + 1)
    return page
  }
}

// MARK: - Sequences of pages

extension Pages: AsyncSequence {
  /// The pages after a place. There may be none.
  public func starting(after cursor: PageCursor) -> Pages {
    starting(.forward, cursor)
  }

  /// The pages before a place, the nearest first. Each has its rows in the query's order.
  public func starting(before cursor: PageCursor) -> Pages {
    starting(.backward, cursor)
  }

  /// The pages from the last one to the first. Each has its rows in the query's order. For the opposite order of rows,
  /// reverse the query.
  public func reversed() -> Pages {
    starting(.backward, nil)
  }

  private func starting(_ direction: PageForm.Direction, _ cursor: PageCursor?) -> Pages {
    var pages = self
    pages.start = cursor
    pages.direction = direction
    return pages
  }

  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(pages: self, cursor: start)
  }

  /// An iterator that reads each page on demand, and ends at an empty page.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let pages: Pages
    fileprivate var cursor: PageCursor?
    private var isAtEnd = false

    fileprivate init(pages: Pages, cursor: PageCursor?) {
      self.pages = pages
      self.cursor = cursor
    }

    /// The next page; nil at the end.
    ///
    /// - Throws: As ``Pages/page(after:)``.
    public mutating func next() async throws -> Page<Output>? {
      if isAtEnd { return nil }
      let page =
        switch (pages.direction, cursor) {
        case (.forward, nil): try await pages.first()
        case (.backward, nil): try await pages.last()
        case (.forward, let cursor?): try await pages.page(after: cursor)
        case (.backward, let cursor?): try await pages.page(before: cursor)
        }
      cursor = pages.direction == .forward ? page.next : page.previous
      isAtEnd = cursor == nil
      return page.rows.isEmpty ? nil : page
    }
  }
}
