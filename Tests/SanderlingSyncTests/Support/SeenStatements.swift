import Sanderling

/// The SQL of all statements that a store ran.
final class SeenStatements: StatementSink {
  /// Guards the texts, which the writer's and the readers' threads add to.
  let all = Lock<Set<String>>([])

  func receive(_ statement: StatementRecord) {
    _ = all.withLock { $0.insert(statement.sql) }
  }
}
