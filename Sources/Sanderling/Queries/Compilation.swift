import Synchronization

/// The SQL of one query, written at most once however often the query runs.
final class Compilation: Sendable {
  /// Guards the text. Two threads that ask at once may both write it; they write the same.
  private let written = Mutex<SQLStatement?>(nil)

  func statement(_ compile: () throws -> SQLStatement) rethrows -> SQLStatement {
    if let statement = written.withLock({ $0 }) { return statement }
    let statement = try compile()
    written.withLock { $0 = statement }
    return statement
  }
}
