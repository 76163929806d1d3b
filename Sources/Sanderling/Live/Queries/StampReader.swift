/// Iterates over the rows of a statement in chunks, for code that decodes their elements, and reads their stamps.
///
/// Used on the thread that steps the statement.
final class StampReader {
  /// The stamps so far; nil during ``forEachRow(of:_:)``, which holds them in a local variable. Each access to an
  /// object's property is checked.
  private var rows: StampRows?
  /// The most rows to read.
  private let limit: Int

  init(_ statements: RowStatements, limit: Int) {
    rows = StampRows(statements)
    self.limit = limit
  }

  /// The number of rows read so far.
  var count: Int { rows?.stamps.count ?? 0 }

  /// Whether there may be further rows.
  var mayHaveMore: Bool { rows?.stamps.isChunkFull ?? false && count < limit }

  /// Iterates over the rows of the next chunk.
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

/// The next rows of a running statement, for code that decodes their elements. A reader reads their stamps.
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
