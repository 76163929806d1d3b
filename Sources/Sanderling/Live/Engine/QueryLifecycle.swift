import GRDB

/// Leads each query through its phases: it waits for capture, is read, follows changes, is reloaded or rerun, fails and
/// is retried, and ends. Confined to the engine's turns.
///
/// The state of a query is in its ``FollowedQuery``. Its phase changes only through this type, so that three things
/// change together: the phase, the captured tables (``CaptureRegistry``) and the routes (``LiveRoutes``).
final class QueryLifecycle {
  let queries: QueryRegistry
  let clock: StoreClock
  let working: WorkQueue
  private let loads: LoadQueue
  private let needs: QueryNeeds
  /// Adds the file's name to errors.
  private let wrapping: (any Error) -> any Error
  /// The rows that each query received of the present batch.
  var weights: EventWeights?

  init(
    _ queries: QueryRegistry, _ loads: LoadQueue, _ capture: CaptureRegistry, clock: StoreClock,
    wrapping: @escaping (any Error) -> any Error
  ) {
    self.queries = queries
    self.loads = loads
    self.clock = clock
    self.wrapping = wrapping
    needs = QueryNeeds(queries, capture)
    working = WorkQueue(queries.indexes)
  }

  var indexes: QueryIndexes { queries.indexes }
}

// MARK: - Adding and removing

extension QueryLifecycle {
  func add(_ query: FollowedQuery) {
    needs.add(query)
  }

  func remove(_ query: FollowedQuery) {
    query.key.form.failRequests(LiveError.suspended)
    release(query)
  }

  /// Ends a query, its routes and its needs for capture.
  private func release(_ query: FollowedQuery) {
    needs.remove(query, now: clock.now())
    queries.remove(query)
  }

  /// Replaces a query by one that is rerun for a reason, or by one that is maintained if possible, with nil.
  func replace(_ query: FollowedQuery, runAgain reason: RequeryReason?) {
    release(query)
    let other = queries.addReplacement(for: query, runAgain: reason)
    add(other)
    other.hasNews = true
  }

  /// Notes that consumers came, left, or changed their windows.
  func consumersChanged(_ query: FollowedQuery) {
    query.hasNews = true
    if query.isCurrent { windowChanged(query) }
    // Fails the requests for more rows that came since the query failed.
    if let error = query.failure { query.key.form.failRequests(error) }
  }

  private func windowChanged(_ query: FollowedQuery) {
    handle(query.values.windowChanged(to: query.window), of: query, notes: true)
  }

  /// Drops the noted changes of a query that stops following them.
  private func stopFollowing(_ query: FollowedQuery) {
    query.values.forgetChanges()
    for consumer in query.consumers.values { consumer.setFollowing(false) }
  }
}

// MARK: - Capture and tables

extension QueryLifecycle {
  /// Lets waiting queries be read if their needs are captured. The others fail if the writer refused to capture.
  ///
  /// A query may begin to wait after the refusal: its load ended outdated, or its tables were found.
  func prepareWaiting() {
    for query in indexes[.waiting] {
      switch needs.readiness(of: query) {
      case .ready: query.prepare()
      case .unknown:
        guard let refusal = needs.refusal else { continue }
        fail(query, refusal)
        query.isRefused = true
      case .obstructed(let obstacle): replace(query, runAgain: RequeryReason(obstacle.description))
      }
    }
  }

  /// Whether the tables of a rerun query are unknown.
  var needsTables: Bool { needs.hasUnknownTables }

  /// Finds out which tables the rerun queries read.
  func findTables(_ db: Database) {
    needs.findTables(db) { query, error in fail(query, error) }
  }

  /// Has all queries wait for capture again, since the schema changed.
  func captureAgain() {
    needs.schemaChanged()
    for query in queries.all where query.couldBeMaintained { replace(query, runAgain: nil) }
    for query in queries.all { captureAgain(query) }
  }

  /// Has rerun queries wait until their tables are known again: temporary tables and views may have changed.
  func findTablesAgain() {
    for query in queries.all where query.isRunAgain { captureAgain(query) }
  }

  /// Has a query wait until the rows or tables that it depends on are followed.
  func captureAgain(_ query: FollowedQuery) {
    stopFollowing(query)
    needs.forgetTables(of: query)
    query.unprepare()
  }
}

// MARK: - Reading

extension QueryLifecycle {
  /// Schedules a reload of a query.
  func reload(_ query: FollowedQuery) {
    stopFollowing(query)
    // A failed query may not be captured, or its tables may be unknown. Read now, it would miss later changes.
    if query.failure != nil || needs.lacksTables(query) {
      needs.retry()
      query.unprepare()
    } else {
      query.outdate()
    }
  }

  /// Has the queries read again that outside changes concern, that were not read at the snapshot of a mark, and whose
  /// changes no history has.
  ///
  /// - Returns: The number of these queries.
  func reload(
    after changes: OutsideChanges, exceptReadIn mark: SnapshotMark?, orIn history: HistoryImages?
  ) -> Int {
    var count = 0
    var isWritten: [RecordType: Bool] = [:]
    for query in queries.all where !query.wasRead(in: mark) {
      if query.isCurrent || query.isLoading {
        if case .tables(let written) = changes, !reads(query, written, &isWritten) { continue }
        if let history, covers(query, history) { continue }
      }
      reload(query)
      count += 1
    }
    return count
  }

  /// Whether a query reads one of the tables.
  ///
  /// - Parameters:
  ///   - written: The folded names of the tables.
  ///   - isWritten: Whether the table of a record is one of them, as far as it is known.
  private func reads(
    _ query: FollowedQuery, _ written: Set<String>, _ isWritten: inout [RecordType: Bool]
  ) -> Bool {
    guard let plan = query.values.plan else { return query.route.tables.map { !$0.isDisjoint(with: written) } ?? true }
    return plan.needs.contains { need in
      if let known = isWritten[need.table] { return known }
      let isFound = written.contains(need.table.table.name.asciiLowercased)
      isWritten[need.table] = isFound
      return isFound
    }
  }

  /// Whether a query is current, and a history has the changes of all tables that it reads.
  func hasCurrent(in history: HistoryImages) -> Bool {
    queries.all.contains { ($0.isCurrent || $0.isLoading) && covers($0, history) }
  }

  private func covers(_ query: FollowedQuery, _ history: HistoryImages) -> Bool {
    if let plan = query.values.plan { return history.covers(plan.needs) }
    return query.route.tables.map(history.covers) ?? false
  }

  /// Takes the queries to be read now.
  ///
  /// - Parameter isUrgent: Whether reruns begin without the interval, since a caller waits for them.
  func takeLoads(isUrgent: Bool) -> [LiveLoad] {
    let now = clock.now()
    return loads.due(isUrgent: isUrgent, now: now).map { query in
      let number = query.beginLoad(now: now)
      query.values.forgetChanges()
      updateBound(query)
      let read = query.values.beginLoad(window: query.window)
      return LiveLoad(query: TurnConfined(query), number: number, read: read)
    }
  }

  func loadEnded(_ report: LoadReport, of query: FollowedQuery) {
    // A load that was given up, because a snapshot failed, may end after the next load has begun.
    guard query.isUnderWay(report.load.number) else { return }
    if case .failure(let error) = report.outcome { return loadFailed(query, error) }
    query.endLoad(after: report.duration, mark: report.mark)
    let outcome = query.values.endLoad(window: query.window)
    if query.isCurrent {
      handle(outcome, of: query)
      // A consumer's window may have grown since the load began.
      if query.isCurrent { windowChanged(query) }
    } else {
      query.values.forgetChanges()
    }
    updateBound(query)
  }

  private func loadFailed(_ query: FollowedQuery, _ error: any Error) {
    // A query that is rerun already would fail again for the same reason, without end.
    if !query.isRunAgain, let reason = error as? RequeryReason { return replace(query, runAgain: reason) }
    if fail(query, error) { prepareAgain(query) }
  }
}

// MARK: - Failing

extension QueryLifecycle {
  /// Fails a query.
  ///
  /// - Returns: Whether the query was invalidated or changed during a load, and is worth another try.
  @discardableResult
  func fail(_ query: FollowedQuery, _ error: any Error) -> Bool {
    stopFollowing(query)
    query.hasNews = true
    let error = wrapping(error)
    query.key.form.failRequests(error)
    return query.fail(error)
  }

  func failAll(_ error: any Error) {
    for query in queries.all { fail(query, error) }
  }

  /// Retries the queries whose capture the writer refused.
  func retryRefused() {
    for query in indexes[.refused] {
      query.isRefused = false
      retry(query)
    }
  }

  /// Retries a failed query from waiting. A load under way is retried if it fails, since the reason may be over.
  func retry(_ query: FollowedQuery) {
    if query.failure != nil {
      prepareAgain(query)
    } else if query.isLoading {
      query.noteChange()
    }
  }

  func retryAll() {
    for query in indexes[.failed].union(indexes[.loading]) { retry(query) }
  }

  private func prepareAgain(_ query: FollowedQuery) {
    query.values.forgetChanges()
    query.unprepare()
  }
}
