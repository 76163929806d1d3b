import Sanderling

/// A page with rows as stored values.
struct ReadPage: Sendable {
  let rows: [[StorageValue]]
  let next: PageCursor?
  let previous: PageCursor?
  let start: PageCursor?
  let end: PageCursor?
}

/// The place where a page begins.
enum PageMove: Sendable {
  case first, last
  case after(PageCursor)
  case before(PageCursor)
  /// From the record with a key, or around it.
  case startingAt([StorageValue])
  case around([StorageValue])
}

extension LiveQuerySpec {
  /// Reads a page.
  ///
  /// - Returns: Nil if the move doesn't apply, for example to a key whose values are of other types.
  func page(_ move: PageMove, size: Int, in store: Store, _ tx: ReadTransaction) throws -> ReadPage? {
    switch reading {
    case .stored: try page(store.pages(of: query, size: size), move, tx) { $0.values }
    case .typed(let output): try typedPage(output, move, size, store, tx)
    case .prefetched(let prefetch): try prefetch.query(statement).page(move, size, store, tx)
    }
  }

  private func typedPage<Output: FuzzOutput>(
    _ output: Output.Type, _ move: PageMove, _ size: Int, _ store: Store, _ tx: ReadTransaction
  ) throws -> ReadPage? {
    if let record = output as? any FuzzRecord.Type { return try recordPage(record, move, size, store, tx) }
    return try page(store.pages(of: query(reading: output), size: size), move, tx) { try $0.storedValues() }
  }

  private func recordPage<R: FuzzRecord>(
    _ record: R.Type, _ move: PageMove, _ size: Int, _ store: Store, _ tx: ReadTransaction
  ) throws -> ReadPage? {
    let pages = store.pages(of: query(reading: record), size: size)
    func read(_ page: Page<R>) throws -> ReadPage { try ReadPage(page) { try $0.storedValues() } }
    switch move {
    case .startingAt(let values):
      guard let key = R.key(values) else { return nil }
      return try read(tx.page(of: pages, startingAt: key))
    case .around(let values):
      guard let key = R.key(values) else { return nil }
      return try read(tx.page(of: pages, around: key))
    default: return try page(pages, move, tx) { try $0.storedValues() }
    }
  }

  private func page<Root, Output>(
    _ pages: Pages<Root, Output>, _ move: PageMove, _ tx: ReadTransaction, _ values: (Output) throws -> [StorageValue]
  ) throws -> ReadPage? {
    try ReadPage(pages, move, tx, values)
  }
}

extension ReadPage {
  /// - Returns: Nil for a move to a record.
  init?<Root, Output>(
    _ pages: Pages<Root, Output>, _ move: PageMove, _ tx: ReadTransaction, _ values: (Output) throws -> [StorageValue]
  ) throws {
    let page: Page<Output>
    switch move {
    case .first: page = try tx.firstPage(of: pages)
    case .last: page = try tx.lastPage(of: pages)
    case .after(let cursor): page = try tx.page(of: pages, after: cursor)
    case .before(let cursor): page = try tx.page(of: pages, before: cursor)
    case .startingAt, .around: return nil
    }
    try self.init(page, values)
  }

  init<Output>(_ page: Page<Output>, _ values: (Output) throws -> [StorageValue]) throws {
    self.init(
      rows: try page.rows.map(values), next: page.next, previous: page.previous, start: page.start, end: page.end)
  }
}
