/// The rows of a page, from its statements in turn until there are enough. Keeps the places of the first and the last
/// row.
///
/// Only the thread that steps the statements uses an instance.
final class PageRows: ResultRowSource {
  private struct IsOver: Error {}

  private let transaction: ReadTransaction
  private let statements: [SQLStatement]
  /// The greatest number of rows.
  private let limit: Int
  private let sortColumns: [Int32]
  private var count = 0
  private(set) var first: PagePosition?
  private var lastBytes: [UInt8] = []
  /// Whether another row follows the rows of the page.
  private(set) var hasMore = false

  init(_ transaction: ReadTransaction, _ statements: [SQLStatement], limit: Int, sortColumns: [Int32]) {
    self.transaction = transaction
    self.statements = statements
    self.limit = limit
    self.sortColumns = sortColumns
  }

  var last: PagePosition? { count == 0 ? nil : PagePosition(bytes: lastBytes) }

  func forEachRow(_ body: (ResultRow) throws -> Void) throws {
    var failure: (any Error)?
    do {
      for statement in statements {
        try transaction.run(statement) { row in
          if count == limit {
            hasMore = true
            throw IsOver()
          }
          do {
            try body(row)
          } catch {
            // Keeps the reader's error, which is more specific than the statement's.
            failure = error
            throw IsOver()
          }
          note(row)
        }
      }
    } catch is IsOver {
      if let failure { throw failure }
    }
  }

  /// Records the place of a row. Any row may be the last.
  private func note(_ row: ResultRow) {
    count += 1
    lastBytes.removeAll(keepingCapacity: true)
    for column in sortColumns { PagePosition.append(row.encodedValue(at: column), to: &lastBytes) }
    if count == 1 { first = PagePosition(bytes: lastBytes) }
  }
}
