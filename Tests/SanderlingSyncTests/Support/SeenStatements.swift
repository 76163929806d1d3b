import Sanderling

/// The SQL of all statements that a store ran.
final class SeenStatements: StatementSink {
  /// Guards the texts, which the threads of the writer and the readers add to.
  let all = Lock<Set<String>>([])

  func receive(_ statement: StatementRecord) {
    _ = all.withLock { $0.insert(statement.sql) }
  }
}
