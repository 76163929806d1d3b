public import GRDB
import SanderlingSQLite

/// Live results of GRDB's requests, for code that has them already.
///
/// ```swift
/// let players = store.liveList(Player.including(all: Player.games).order(Column("name")))
/// ```
///
/// A request is rerun after writes of the tables that it reads, and shown only if its rows changed. A query of
/// Sanderling is maintained from the changed rows instead: ``GRDB/FetchRequest/explainLive(_:)`` compares both.
extension Store {
  /// Returns a live list of the rows of a GRDB request: a `QueryInterfaceRequest`, an `SQLRequest` or any other.
  ///
  /// The elements are records or values, as GRDB's `fetchAll` returns them. A GRDB `Row` is not `Sendable`: decode a
  /// `FetchableRecord` instead, by `asRequest(of:)`. A row is identified by its table's primary key if the element is a
  /// `TableRecord` and the request selects the key. Otherwise it is identified by the element's `id`, or by all of its
  /// values.
  ///
  /// Rows with equal orderings come in any order: end the request's order with the primary key. A row changes with its
  /// values and with its prefetched rows. The list reads only the rows of its window, unless the SQL has a limit of
  /// its own.
  ///
  /// - Parameters:
  ///   - window: The number of rows to hold at first, from 1 on.
  ///   - start: When reading begins.
  @MainActor
  public func liveList<Request: FetchRequest>(
    _ request: Request, window: Int = 100, start: LiveStart = .whenObserved
  ) -> LiveList<Request.RowDecoder> where Request.RowDecoder: Sendable {
    makeList(LiveRequest(rowsOf: request, window: window), window: window, start: start)
  }

  /// Returns a live count of a GRDB request's rows, as `fetchCount` returns it.
  @MainActor
  public func liveCount(_ request: some FetchRequest, start: LiveStart = .whenObserved) -> LiveCount {
    makeValue(LiveRequest(countOf: request), start)
  }

  /// Returns the live first row of a GRDB request, as `fetchOne` returns it: nil without a row, and for a value that is
  /// NULL.
  @MainActor
  public func liveValue<Request: FetchRequest>(
    _ request: Request, start: LiveStart = .whenObserved
  ) -> LiveValue<Request.RowDecoder> where Request.RowDecoder: Sendable {
    makeValue(LiveRequest(firstRowOf: request), start)
  }

  /// Returns the live value that a closure reads, like `ValueObservation.tracking`.
  ///
  /// ```swift
  /// let board = store.liveValue { db in
  ///   try Board(players: Player.fetchAll(db), count: Game.fetchCount(db))
  /// }
  /// ```
  ///
  /// The closure is rerun after writes of the tables that it has read so far. It runs off the main thread, in one
  /// snapshot, and can't write. A value that is `Equatable` is shown only if it changed; other values are shown after
  /// each run. An error of the closure is the state of the value, and the next write of its tables runs it again.
  ///
  /// On the connections of live results, a function that the app has set by `Database.trace` is not called any more
  /// after the first closure. A store without a `DatabasePool` reruns closures after writes of any table.
  @MainActor
  public func liveValue<Value: Sendable>(
    start: LiveStart = .whenObserved, reading: @escaping @Sendable (Database) throws -> Value
  ) -> LiveValue<Value> {
    makeValue(LiveRequest(reading: reading), start)
  }
}

// MARK: - Without the main actor

extension Store {
  /// Each snapshot of the rows of a GRDB request, the current one first.
  public func snapshots<Request: FetchRequest>(
    of request: Request, window: Int = 100
  ) -> LiveSnapshots<Request.RowDecoder> where Request.RowDecoder: Sendable {
    snapshots(LiveRequest(rowsOf: request, window: window), window: window)
  }

  /// Each change of the rows of a GRDB request. The first inserts all rows.
  public func changes<Request: FetchRequest>(
    of request: Request, window: Int = 100
  ) -> LiveChanges<Request.RowDecoder> where Request.RowDecoder: Sendable {
    LiveChanges(snapshots: snapshots(of: request, window: window))
  }

  /// Each count of the rows of a GRDB request, the current one first.
  public func counts(of request: some FetchRequest) -> LiveReadings<Int> {
    readings(LiveRequest(countOf: request))
  }

  /// Each first row of a GRDB request, the current one first.
  public func values<Request: FetchRequest>(
    of request: Request
  ) -> LiveReadings<Request.RowDecoder> where Request.RowDecoder: Sendable {
    readings(LiveRequest(firstRowOf: request))
  }

  /// Each value that a closure reads, the current one first: see ``liveValue(start:reading:)``.
  public func values<Value: Sendable>(
    reading: @escaping @Sendable (Database) throws -> Value
  ) -> LiveReadings<Value> {
    readings(LiveRequest(reading: reading))
  }
}

// MARK: - In place

extension LiveList {
  /// Follows a GRDB request in place, like a query.
  public func replace(_ request: some FetchRequest<Element>) {
    replace { LiveRequest(rowsOf: request, window: $0) }
  }
}

extension LiveValue {
  /// Follows the first row of a GRDB request in place, like that of a query.
  public func replace(_ request: some FetchRequest<Value>) {
    source.replace(LiveRequest(firstRowOf: request), window: 1)
  }

  /// Counts the rows of a GRDB request in place, like those of a query.
  public func replace(counting request: some FetchRequest) where Value == Int {
    source.replace(LiveRequest(countOf: request), window: 1)
  }

  /// Follows the value of another closure in place: see ``Store/liveValue(start:reading:)``.
  public func replace(reading: @escaping @Sendable (Database) throws -> Value) {
    source.replace(LiveRequest(reading: reading), window: 1)
  }
}

// MARK: - Explaining

extension FetchRequest where RowDecoder: Sendable {
  /// Explains how a live list of the request would be kept current, and the cost that a query of Sanderling would save.
  ///
  /// ```swift
  /// print(try await Player.order(Column("score").desc).explainLive(store))
  /// ```
  ///
  /// Runs the request once, for the first 100 rows.
  ///
  /// - Throws: ``StoreError`` for a request that can't be run.
  public func explainLive(_ store: Store) async throws -> LiveExplanation {
    let explanation = try await store.live.explain(LiveRequest(rowsOf: self, window: 100).key)
    let cost = try await store.read { try runCost($0.database) }
    return LiveExplanation(
      isMaintained: false,
      reason: """
        \(explanation.reason ?? ""): each run takes \(cost.steps) steps of SQLite for \(cost.rows) rows, and more for \
        prefetched rows. A query of Sanderling reads only the changed rows if it is maintained
        """,
      tables: explanation.tables)
  }

  /// The rows of one run, and the steps of SQLite's virtual machine.
  private func runCost(_ db: Database) throws -> (rows: Int, steps: Int) {
    let prepared = try LimitedRequest(self, limit: 100).makePreparedRequest(db, forSingleResult: false)
    let statement = prepared.statement.sqliteStatement
    _ = sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_VM_STEP, 1)
    let rows = try Row.fetchCursor(prepared.statement, adapter: prepared.adapter)
    var count = 0
    while count < 100, try rows.next() != nil { count += 1 }
    return (count, Int(sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_VM_STEP, 1)))
  }
}
