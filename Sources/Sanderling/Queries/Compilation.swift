import Synchronization

/// The kept parts of a query between its runs: its SQL, and its number of rows.
final class Compilation: Sendable {
  /// Guards the text. Two threads that ask at once may both write it; they write the same.
  private let written = Lock<SQLStatement?>(nil)
  /// The number of rows of the last run: room for as many is made at once in the next, which spares the copies of an array
  /// that grows.
  let lastCount = Atomic(0)

  func statement(_ compile: () throws -> SQLStatement) rethrows -> SQLStatement {
    if let statement = written.withLock({ $0 }) { return statement }
    let statement = try compile()
    written.withLock { $0 = statement }
    return statement
  }
}
