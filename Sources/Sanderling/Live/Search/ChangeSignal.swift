import GRDB
import Synchronization

/// A live query that reads nothing. It signals each write of a table that its statement reads, by this store or another
/// connection. It also signals when the tables can't be followed any more. Its value counts the signals.
final class ChangeSignal: LiveForm {
  private let statement: @Sendable () throws -> SQLStatement
  /// The number of signals, shared by the queries of this form, so that each count is new.
  private let count = Atomic<UInt64>(0)

  init(_ statement: @escaping @Sendable () throws -> SQLStatement) {
    self.statement = statement
  }

  var request: LiveRequest<LiveReading<UInt64>> {
    LiveRequest(key: LiveQueryKey(form: self, values: []), presentation: ValuePresentation<UInt64>.self)
  }

  func makeQuery(_ values: [StorageValue], runAgain reason: RequeryReason?) -> any LiveQuery {
    SignalQuery(reason ?? RequeryReason("its reader wants a signal after each change"), statement) { [self] in
      count.add(1, ordering: .relaxed).newValue
    }
  }
}

private final class SignalQuery: LiveQuery {
  let following: QueryFollowing
  private let statement: @Sendable () throws -> SQLStatement
  private let next: () -> UInt64
  /// The number of the last signal; nil until the tables are followed.
  private var number: UInt64?

  init(
    _ reason: RequeryReason, _ statement: @escaping @Sendable () throws -> SQLStatement, next: @escaping () -> UInt64
  ) {
    following = .runAgain(reason)
    self.statement = statement
    self.next = next
  }

  func content(window: Int) -> ValueContent<UInt64>? {
    number.map { ValueContent(value: $0, version: $0) }
  }

  func readTables(_ db: Database) throws -> Set<String> {
    try db.tables(readBy: statement())
  }

  func beginLoad(window: Int) -> @Sendable (Database) throws -> Void { { _ in } }

  func endLoad(window: Int) -> QueryOutcome {
    number = next()
    return .news
  }

  /// Nil, since the query has no values to compare.
  func check(window: Int) -> LiveCheck? { nil }
}
