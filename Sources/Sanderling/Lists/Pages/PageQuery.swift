/// A query that is read in pages, without its store.
struct PageQuery<Output: Sendable>: Sendable {
  /// The form, or the error that each read throws if the query can't be read in pages.
  private let form: Result<PageForm, any Error>
  let size: Int
  private let decodeAll: @Sendable (ReadTransaction, ResultRows) throws -> [Output]

  init(
    _ statement: SelectStatement, size: Int,
    decodeAll: @escaping @Sendable (ReadTransaction, ResultRows) throws -> [Output]
  ) {
    form = Result { try PageForm(statement) }
    self.size = size
    self.decodeAll = decodeAll
  }

  func checkedForm() throws -> PageForm { try form.get() }

  /// The place of the row with a key.
  func cursor(of key: [Term], _ transaction: ReadTransaction) throws -> PageCursor {
    let form = try checkedForm()
    guard form.hasRecords else {
      throw PageError.notPageable(
        reason: "its rows are groups or distinct values, which have no record's key: keep the cursor of a page")
    }
    var position: [UInt8]?
    try transaction.run(form.statement(ofRow: key)) { row in
      position = form.orderings.indices.reduce(into: []) { bytes, index in
        PagePosition.append(row.encodedValue(at: Int32(index)), to: &bytes)
      }
    }
    guard let position else { throw PageError.noSuchRow(table: form.table.name) }
    return PageCursor(form: form.number, position: PagePosition(bytes: position))
  }

  /// Reads a page.
  ///
  /// - Parameters:
  ///   - cursor: The place where the page begins, or ends if it is read backward. For nil, the first or the last row.
  ///   - count: The greatest number of rows.
  func page(
    _ direction: PageForm.Direction, from cursor: PageCursor?, count: Int, _ transaction: ReadTransaction
  ) throws -> Page<Output> {
    let form = try checkedForm()
    let edge = try cursor.map { try constants(of: $0, form) }
    let isInclusive = cursor?.side == (direction == .forward ? .beforeRow : .afterRow)
    let statements = try form.statements(direction, from: edge, isInclusive: isInclusive, count: count + 1)
    let source = PageRows(transaction, statements, limit: count, sortColumns: form.sortColumns)
    var rows = try decodeAll(transaction, ResultRows(source: source, expectedCount: min(count, Self.greatestReserve)))
    if direction == .backward { rows.reverse() }

    guard let first = source.first, let last = source.last else {
      // An empty page leads back the way the reader came. The returned cursor includes the row at the edge.
      return Page(
        rows: rows, next: direction == .backward ? cursor?.movedBeforeRow : nil,
        previous: direction == .forward ? cursor?.movedAfterRow : nil, start: nil, end: nil)
    }
    let (top, bottom) = direction == .forward ? (first, last) : (last, first)
    let start = try checkedCursor(top, form)
    let end = try checkedCursor(bottom, form)
    let (hasPrevious, hasNext) =
      direction == .forward ? (cursor != nil, source.hasMore) : (source.hasMore, cursor != nil)
    return Page(rows: rows, next: hasNext ? end : nil, previous: hasPrevious ? start : nil, start: start, end: end)
  }

  /// The greatest number of rows for which memory is reserved in advance.
  private static var greatestReserve: Int { 10_000 }

  /// Reads a page with a row in the middle of the rows around it.
  func page(around cursor: PageCursor, _ transaction: ReadTransaction) throws -> Page<Output> {
    let count = (size - 1) / 2
    let before = try page(.backward, from: cursor, count: count, transaction)
    let after = try page(.forward, from: cursor.movedBeforeRow, count: size - before.rows.count, transaction)
    return Page(
      rows: before.rows + after.rows, next: after.next, previous: count > 0 ? before.previous : after.previous,
      start: before.start ?? after.start, end: after.end)
  }

  private func constants(of cursor: PageCursor, _ form: PageForm) throws -> [Term] {
    guard cursor.form == form.number else { throw PageError.cursorOfOtherQuery(table: form.table.name) }
    let constants = cursor.position.constants
    // Only a cursor that was made by hand fails here.
    guard constants.count == form.orderings.count else { throw PageError.damagedCursor }
    return constants
  }

  /// The cursor of a row. Throws if the row's key is NULL, since such a key isn't unique.
  private func checkedCursor(_ position: PagePosition, _ form: PageForm) throws -> PageCursor {
    let constants = position.constants
    if form.keyPositions.contains(where: { constants[$0] == .constant(.null) }) {
      throw PageError.keyIsNull(table: form.table.name)
    }
    return PageCursor(form: form.number, position: position)
  }
}
