import GRDB

/// What came of a change to a query, or of reading it.
enum QueryOutcome {
  case unchanged
  /// It has other values.
  case news
  /// It has to be read again.
  case reload
  /// No changes of rows tell what becomes of it.
  case runAgain(RequeryReason)
  /// It can't be read, and reading it again would come to the same.
  case failed(any Error)
}

/// How a query follows the database.
enum QueryFollowing {
  /// By the changes of rows.
  case maintained(RoutePlan)
  /// By running it again after any change of its tables.
  case runAgain(RequeryReason)
}

/// The values of one live query, and how they follow the database. Confined to the engine's turns.
///
/// A query knows nothing of the engine: it is told of changes, and says what came of them.
protocol LiveQuery<Content>: AnyObject {
  /// What consumers are shown of it.
  associatedtype Content

  var following: QueryFollowing { get }
  /// Whether any write of one of its rows concerns it.
  var showsRows: Bool { get }

  /// Begins to read the values.
  ///
  /// - Parameter window: How many rows consumers show at most.
  /// - Returns: A job for a reader, beside later turns. What it read is taken by ``endLoad(window:)``.
  func beginLoad(window: Int) -> @Sendable (Database) throws -> Void

  /// Takes what the job read.
  func endLoad(window: Int) -> QueryOutcome

  /// Notes what a change does to the query, for ``apply(_:window:)``.
  ///
  /// - Parameter isLoading: Whether the query is being read, so that what it will have is not known.
  /// - Throws: `EvaluationError` where only the database tells.
  func rowChanged(_ event: RowEvent, _ dependencies: RouteDependencies, isLoading: Bool) throws

  /// Brings the values to the snapshot of a batch.
  func apply(_ rows: BatchRows, window: Int) throws -> QueryOutcome

  /// Gives up what was noted about changes: the query is read again.
  func forgetChanges()

  /// Consumers show more rows, or fewer.
  ///
  /// - Returns: ``QueryOutcome/news`` when ``apply(_:window:)`` brings more, ``QueryOutcome/reload`` when reading does.
  func windowChanged(to window: Int) -> QueryOutcome

  /// Whether there is something to do that no consumer waits for, or only those who asked for it.
  var hasWork: Bool { get }

  /// Does a slice of what there is to do, at the snapshot of a turn for which everything that was noted was applied.
  func work(_ db: Database, _ slice: inout WorkSlice) throws -> QueryOutcome

  /// How long it takes to do all of it again after the query is read again; zero for nothing.
  var workDuration: Duration { get }

  /// The row beyond which nothing can enter; nil when all can.
  func routeBound(window: Int) -> RouteBound?

  /// What a consumer is shown who shows so many rows; nil before anything was read.
  func content(window: Int) -> Content?

  /// The folded names of the tables that a query reads which is run again.
  func readTables(_ db: Database) throws -> Set<String>

  /// What compares the values with those that the query returns in a database at the same commit; nil before anything was read,
  /// and for a query that may return one thing and then another in one state of the database.
  func check(window: Int) -> LiveCheck?
}

extension LiveQuery {
  var showsRows: Bool { false }
  func rowChanged(_ event: RowEvent, _ dependencies: RouteDependencies, isLoading: Bool) throws {}
  func apply(_ rows: BatchRows, window: Int) throws -> QueryOutcome { .unchanged }
  func forgetChanges() {}
  func windowChanged(to window: Int) -> QueryOutcome { .unchanged }
  var hasWork: Bool { false }
  func work(_ db: Database, _ slice: inout WorkSlice) throws -> QueryOutcome { .unchanged }
  var workDuration: Duration { .zero }
  func routeBound(window: Int) -> RouteBound? { nil }
  /// One that follows the changes of rows names its tables in its plan.
  func readTables(_ db: Database) throws -> Set<String> { [] }
}

extension LiveQuery {
  /// How changes find the query; nil when it is run again.
  var plan: RoutePlan? {
    if case .maintained(let plan) = following { plan } else { nil }
  }

  /// Why the query is run again; nil when it follows the changes of rows.
  var requeryReason: RequeryReason? {
    if case .runAgain(let reason) = following { reason } else { nil }
  }
}

/// Where the last load of a query leaves what it reads. One that was given up may still be read, beside the one that took its place.
struct LoadSlot<Value: Sendable> {
  private var loaded: LoadedValue<Value>?

  /// - Returns: Where to put what the load reads.
  mutating func begin() -> LoadedValue<Value> {
    let loaded = LoadedValue<Value>()
    self.loaded = loaded
    return loaded
  }

  mutating func take() -> Value? {
    defer { loaded = nil }
    return loaded?.take()
  }
}

/// What a load has read and its query has not taken.
final class LoadedValue<Value: Sendable>: Sendable {
  /// Guards what was read: by a reader, before a turn takes it.
  private let value = Lock<Value?>(nil)

  func put(_ newValue: Value) {
    value.withLock { $0 = newValue }
  }

  func take() -> Value? {
    value.withLock { value in
      defer { value = nil }
      return value
    }
  }
}

/// What a query with rows shows of them.
struct RowsContent<Element: Sendable> {
  let rows: OrderedRows<Element>
  /// Whether there are rows beyond the window.
  let hasMore: Bool
}

/// What a query shows that has one value.
struct ValueContent<Value> {
  let value: Value?
  /// A number that differs when the value does.
  let version: UInt64
}
