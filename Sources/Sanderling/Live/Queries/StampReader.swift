/// Goes through the rows of a statement for code that decodes their elements, chunk by chunk, and reads their stamps.
///
/// Used on the thread that steps the statement.
final class StampReader {
  /// Nil while rows are read, and in a local variable: access to a property of an object is checked each time.
  private var rows: StampRows?
  /// How many rows to read at most.
  private let limit: Int

  init(_ statements: RowStatements, limit: Int) {
    rows = StampRows(statements)
    self.limit = limit
  }

  /// How many rows were read.
  var count: Int { rows?.stamps.count ?? 0 }

  /// Whether there may be rows after the last read one.
  var mayHaveMore: Bool { rows?.stamps.isChunkFull ?? false && count < limit }

  /// Goes through the rows of the next chunk.
  func forEachRow(of execution: StatementExecution, _ body: (ResultRow) throws -> Void) throws {
    guard var rows = self.rows.take() else { return }
    defer { self.rows = rows }
    rows.closeChunk()
    while !rows.stamps.isChunkFull, rows.stamps.count < limit, let row = try execution.next() {
      try rows.read(row)
      try body(row)
    }
  }

  func finish() -> StampChunks { rows?.finish() ?? StampChunks() }
}

/// The next rows of a statement that runs, for code that decodes their elements; a reader reads their stamps.
final class StampedRows: ResultRowSource {
  private let reader: StampReader
  private let execution: StatementExecution

  init(_ reader: StampReader, _ execution: StatementExecution) {
    self.reader = reader
    self.execution = execution
  }

  func forEachRow(_ body: (ResultRow) throws -> Void) throws {
    try reader.forEachRow(of: execution, body)
  }
}
