import GRDB

/// The outcome of a change to a query, or of a load.
enum QueryOutcome {
  case unchanged
  /// The query has new values.
  case news
  /// The query must be read again.
  case reload
  /// Changes of rows can't maintain the query.
  case runAgain(RequeryReason)
  /// The query read tables that it is not known to read. They must be followed before it is read again.
  case readsOtherTables
  /// The query can't be read, and a reload would fail too.
  case failed(any Error)
}

/// How a query follows the database.
enum QueryFollowing {
  /// Maintained from changes of rows.
  case maintained(RoutePlan)
  /// Rerun after each change of its tables.
  case runAgain(RequeryReason)
}

/// The values of one live query, and how they follow the database. Confined to the engine's turns.
///
/// A query does not know the engine: it receives changes, and returns their outcomes.
protocol LiveQuery<Content>: AnyObject {
  /// The values that a query offers its consumers.
  associatedtype Content

  var following: QueryFollowing { get }
  /// Whether each write of one of its rows concerns it.
  var showsRows: Bool { get }

  /// Begins a load.
  ///
  /// - Parameter window: The greatest window of the consumers.
  /// - Returns: A job for a reader, which runs beside later turns. ``endLoad(window:)`` takes its result.
  func beginLoad(window: Int) -> @Sendable (Database) throws -> Void

  /// Takes the result of the job.
  func endLoad(window: Int) -> QueryOutcome

  /// Notes the effect of a change, for ``apply(_:window:)``.
  ///
  /// - Parameter isLoading: Whether the query is being read, so that its rows are unknown.
  /// - Throws: `EvaluationError` when Swift can't evaluate the change. The query is read again then.
  func rowChanged(_ event: RowEvent, _ dependencies: RouteDependencies, isLoading: Bool) throws

  /// Applies the noted changes at the snapshot of a batch.
  func apply(_ rows: BatchRows, window: Int) throws -> QueryOutcome

  /// Forgets the noted changes: the query is read again.
  func forgetChanges()

  /// Reacts to another greatest window of the consumers.
  ///
  /// - Returns: ``QueryOutcome/news`` when ``apply(_:window:)`` must read more rows, ``QueryOutcome/reload`` when a
  ///   load must.
  func windowChanged(to window: Int) -> QueryOutcome

  /// Whether there is background work. No consumer waits for it, except those who requested it.
  var hasWork: Bool { get }

  /// Does a slice of the background work, at the snapshot of a turn that has applied all noted changes.
  func work(_ db: Database, _ slice: inout WorkSlice) throws -> QueryOutcome

  /// The time of all background work that a reload causes; zero for none.
  var workDuration: Duration { get }

  /// The bound beyond which no row can enter the window; nil when every row can.
  func routeBound(window: Int) -> RouteBound?

  /// The content for a consumer with a window; nil before the first load.
  func content(window: Int) -> Content?

  /// The folded names of the tables that a rerun query reads.
  func readTables(_ db: Database) throws -> Set<String>

  /// Returns a comparison of the values with the query's result in a database at the same commit. Nil before the first
  /// load, and for a query whose result may differ between two runs at one snapshot.
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
  /// The empty set, since the plan of a maintained query names its tables.
  func readTables(_ db: Database) throws -> Set<String> { [] }
}

extension LiveQuery {
  /// The plan that routes changes to the query; nil if the query is rerun.
  var plan: RoutePlan? {
    if case .maintained(let plan) = following { plan } else { nil }
  }

  /// The reason for reruns; nil when the query is maintained.
  var requeryReason: RequeryReason? {
    if case .runAgain(let reason) = following { reason } else { nil }
  }
}

/// The place for the result of a query's last load. An earlier load that was given up may still run, and has its own
/// place.
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

/// The result of a load, until its query takes it.
final class LoadedValue<Value: Sendable>: Sendable {
  /// Guards the result: a reader sets it, and a turn takes it.
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
  /// A number that changes with the value.
  let version: UInt64
}
