import GRDB

/// The effect of a change, or of a load, on a query.
enum QueryOutcome {
  case unchanged
  /// It has other values.
  case news
  /// It has to be read again.
  case reload
  /// The query can't follow changes of rows and must be rerun.
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

/// The values of one live query, and their changes with the database. Confined to the engine's turns.
///
/// A query knows nothing of the engine: it receives changes and returns their effects.
protocol LiveQuery<Content>: AnyObject {
  /// The content that consumers get.
  associatedtype Content

  var following: QueryFollowing { get }
  /// Whether any write of one of its rows concerns it.
  var showsRows: Bool { get }

  /// Begins to read the values.
  ///
  /// - Parameter window: The greatest number of rows that consumers show.
  /// - Returns: A job for a reader, beside later turns. ``endLoad(window:)`` takes its result.
  func beginLoad(window: Int) -> @Sendable (Database) throws -> Void

  /// Takes the result of the job.
  func endLoad(window: Int) -> QueryOutcome

  /// Notes the effect of a change on the query, for ``apply(_:window:)``.
  ///
  /// - Parameter isLoading: Whether a load is under way, so that the query's rows are unknown.
  /// - Throws: `EvaluationError` if only the database can decide.
  func rowChanged(_ event: RowEvent, _ dependencies: RouteDependencies, isLoading: Bool) throws

  /// Brings the values to the snapshot of a batch.
  func apply(_ rows: BatchRows, window: Int) throws -> QueryOutcome

  /// Drops the noted changes: the query is read again.
  func forgetChanges()

  /// Consumers show more rows, or fewer.
  ///
  /// - Returns: ``QueryOutcome/news`` when ``apply(_:window:)`` brings more, ``QueryOutcome/reload`` when reading does.
  func windowChanged(to window: Int) -> QueryOutcome

  /// Whether there is background work, which no consumer waits for, or only those that requested it.
  var hasWork: Bool { get }

  /// Does a slice of the background work at the snapshot of a turn that has applied all noted changes.
  func work(_ db: Database, _ slice: inout WorkSlice) throws -> QueryOutcome

  /// How long it takes to do all of it again after the query is read again; zero for nothing.
  var workDuration: Duration { get }

  /// The row beyond which nothing can enter; nil when all can.
  func routeBound(window: Int) -> RouteBound?

  /// The content for a window of some rows; nil before the first read.
  func content(window: Int) -> Content?

  /// The folded names of the tables that a query reads which is run again.
  func readTables(_ db: Database) throws -> Set<String>

  /// A check that compares the values with those of a database at the same commit; nil before the first read, and for a
  /// query that may return different values for the same database.
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
  /// A maintained query names its tables in its plan.
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

/// The place for the result of a query's last load. A load that was given up may still run beside its successor.
struct LoadSlot<Value: Sendable> {
  private var loaded: LoadedValue<Value>?

  /// - Returns: The place for the load's result.
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

/// The result of a load that its query has not taken.
final class LoadedValue<Value: Sendable>: Sendable {
  /// Guards the result, which a reader sets before a turn takes it.
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

/// The content of a query with rows.
struct RowsContent<Element: Sendable> {
  let rows: OrderedRows<Element>
  /// Whether there are rows beyond the window.
  let hasMore: Bool
}

/// The content of a query with one value.
struct ValueContent<Value> {
  let value: Value?
  /// A number that differs when the value does.
  let version: UInt64
}
