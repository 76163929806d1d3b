/// The rows of a page for code that decodes them, from one statement after the other until there are enough; notes the places of the
/// first and the last.
///
/// Used on the thread that steps the statements.
final class PageRows: ResultRowSource {
  private struct IsOver: Error {}

  private let transaction: ReadTransaction
  private let statements: [SQLStatement]
  /// How many rows to read at most.
  private let limit: Int
  private let sortColumns: [Int32]
  private var count = 0
  private(set) var first: PagePosition?
  private var lastBytes: [UInt8] = []
  /// Whether another row follows the read ones.
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
            // The error of the row reader is more specific than that of the statement.
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

  /// Notes the place of a row. Which is the last isn't known before the next.
  private func note(_ row: ResultRow) {
    count += 1
    lastBytes.removeAll(keepingCapacity: true)
    for column in sortColumns { PagePosition.append(row.encodedValue(at: column), to: &lastBytes) }
    if count == 1 { first = PagePosition(bytes: lastBytes) }
  }
}
