import Synchronization

/// The parts of a query that are kept between its runs: its SQL, and its number of rows.
final class Compilation: Sendable {
  /// Guards the statement. Two threads may compile it at the same time, with the same result.
  private let written = Lock<SQLStatement?>(nil)
  /// The number of rows of the last run. The next run reserves memory for as many, which avoids copies of a growing
  /// array.
  let lastCount = Atomic(0)

  func statement(_ compile: () throws -> SQLStatement) rethrows -> SQLStatement {
    if let statement = written.withLock({ $0 }) { return statement }
    let statement = try compile()
    written.withLock { $0 = statement }
    return statement
  }
}
