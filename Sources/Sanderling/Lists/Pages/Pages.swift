/// A query of a store in pages: some rows at a time, from either end, from any row, and from where another page left off.
///
/// ```swift
/// let pages = store.pages(of: TodoTask.order { ($0.dueAt.descending, $0.title) }, size: 50)
/// for try await page in pages { show(page.rows) }
///
/// let first = try await pages.first()
/// if let next = first.next { let second = try await pages.page(after: next) }
/// ```
///
/// Pages go on from the ordering values of the last row, not from a number of rows. A page deep in a list costs as much as the first page,
/// and writes between two pages move no rows. A row whose ordering values don't change in between is returned exactly once. Each page is
/// read on its own and is right for the moment in which it is read.
///
/// A value: it holds no rows and no transaction, and can be used by any task.
public struct Pages<Root: Selectable, Output: Sendable>: Sendable {
  let store: Store
  let query: PageQuery<Output>
  private var start: PageCursor?
  private var direction = PageForm.Direction.forward

  init(_ store: Store, _ query: PageQuery<Output>) {
    self.store = store
    self.query = query
  }

  /// How many rows a page has at most.
  public var size: Int { query.size }
}

// MARK: - One by one

extension Pages {
  /// The first rows.
  ///
  /// - Throws: ``PageError/notPageable(reason:)`` and ``StoreError``.
  /// - Complexity: One statement. Where an index serves the ordering O(log n + size), otherwise as ``explain()`` says.
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
  /// - Complexity: A statement for each key of the ordering at most, O(log n + size) each where an index serves the ordering.
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
  /// - Throws: As ``first()``, and ``PageError/noSuchRow(table:)`` when the query doesn't have the row.
  /// - Complexity: As ``page(after:)``, after finding the row by its key.
  public func page(startingAt key: Root.Source.Key) async throws -> Page<Output> {
    try await page { try $0.page(of: self, startingAt: key) }
  }

  /// The row with a key in the middle of the rows around it. Near an end there are fewer rows than a page has.
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

// MARK: - One after the other

extension Pages: AsyncSequence {
  /// The pages that follow a place; there may be none.
  public func starting(after cursor: PageCursor) -> Pages {
    starting(.forward, cursor)
  }

  /// The pages that precede a place, the nearest first, each with its rows in the query's order.
  public func starting(before cursor: PageCursor) -> Pages {
    starting(.backward, cursor)
  }

  /// The pages from the last one to the first, each with its rows in the query's order. For rows in the opposite order reverse the query.
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

  /// Reads one page after the other, when it is asked for; none that is empty.
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
