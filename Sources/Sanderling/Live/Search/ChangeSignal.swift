import GRDB
import Synchronization

/// A live query that reads nothing. It counts the writes of the tables that a statement reads, by this store and by
/// others, and the failures to follow them.
final class ChangeSignal: LiveForm {
  private let statement: @Sendable () throws -> SQLStatement
  /// Across the queries of this form, so that each count is another.
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
  /// Nil until the tables are followed.
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

  /// There is nothing that could be wrong.
  func check(window: Int) -> LiveCheck? { nil }
}
