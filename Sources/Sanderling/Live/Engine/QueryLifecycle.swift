import GRDB

/// The state machine of each query: waiting for capture, loading, current, reloading or rerunning, failed, removed.
/// Confined to the engine's turns.
///
/// The state of a query is in its ``FollowedQuery``. All changes of it happen here, so that its parts change together:
/// its phase, its captured tables (``CaptureRegistry``), and its routes (``LiveRoutes``).
final class QueryLifecycle {
  let queries: QueryRegistry
  let clock: StoreClock
  let working: WorkQueue
  private let loads: LoadQueue
  private let needs: QueryNeeds
  /// Adds the file's name to errors.
  private let wrapping: (any Error) -> any Error
  /// The cost of the current batch's changes so far.
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

// MARK: - Coming and going

extension QueryLifecycle {
  func add(_ query: FollowedQuery) {
    needs.add(query)
  }

  func remove(_ query: FollowedQuery) {
    query.key.form.giveUp(LiveError.suspended)
    release(query)
  }

  /// Ends a query, with its routes and its captures.
  private func release(_ query: FollowedQuery) {
    needs.remove(query, now: clock.now())
    queries.remove(query)
  }

  /// Replaces a maintained query by a rerun one; by the best way to follow it if there is no reason.
  func replace(_ query: FollowedQuery, runAgain reason: RequeryReason?) {
    release(query)
    let other = queries.addReplacement(for: query, runAgain: reason)
    add(other)
    other.hasNews = true
  }

  /// The consumers of a query changed, or their windows.
  func consumersChanged(_ query: FollowedQuery) {
    query.hasNews = true
    if query.isCurrent { windowChanged(query) }
    // Requests since the failure get the error.
    if let error = query.failure { query.key.form.giveUp(error) }
  }

  private func windowChanged(_ query: FollowedQuery) {
    handle(query.values.windowChanged(to: query.window), of: query, notes: true)
  }

  /// Drops the noted changes of a query that stops following.
  private func stopFollowing(_ query: FollowedQuery) {
    query.values.forgetChanges()
    for consumer in query.consumers.values { consumer.setFollowing(false) }
  }
}

// MARK: - What queries depend on

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

  /// Whether the tables of some queries are still unknown.
  var needsTables: Bool { needs.hasUnknownTables }

  /// Finds out which tables rerun queries read.
  func findTables(_ db: Database) {
    needs.findTables(db) { query, error in fail(query, error) }
  }

  /// Lets all queries wait for new captures, since the schema changed.
  func captureAgain() {
    needs.schemaChanged()
    for query in queries.all where query.standsInForMaintained { replace(query, runAgain: nil) }
    for query in queries.all { captureAgain(query) }
  }

  /// Lets rerun queries wait until their tables are found again, since attached or temporary tables may have changed.
  func findTablesAgain() {
    for query in queries.all where query.isRunAgain { captureAgain(query) }
  }

  private func captureAgain(_ query: FollowedQuery) {
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
    // A failed query may have failed before its tables were known or captured. If it were read now, later changes would
    // not reach it.
    if query.failure != nil || needs.lacksTables(query) {
      needs.retry()
      query.unprepare()
    } else {
      query.outdate()
    }
  }

  /// Reloads the queries that were read in another state of the database.
  func reload(exceptReadIn mark: SnapshotMark?) {
    for query in queries.all where !query.wasRead(in: mark) { reload(query) }
  }

  /// Begins the loads of the queries that are due.
  ///
  /// - Parameter isUrgent: Whether a caller waits for rerun queries.
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
    // A load is given up if a snapshot fails meanwhile. It may end after the next load has begun.
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
    // A rerun query would fail for the same reason again and again.
    if !query.isRunAgain, let reason = error as? RequeryReason { return replace(query, runAgain: reason) }
    if fail(query, error) { prepareAgain(query) }
  }
}

// MARK: - Failing

extension QueryLifecycle {
  /// - Returns: Whether the query became outdated meanwhile, so that another try makes sense.
  @discardableResult
  func fail(_ query: FollowedQuery, _ error: any Error) -> Bool {
    stopFollowing(query)
    query.hasNews = true
    let error = wrapping(error)
    query.key.form.giveUp(error)
    return query.fail(error)
  }

  func failAll(_ error: any Error) {
    for query in queries.all { fail(query, error) }
  }

  /// Retries the queries whose needs the writer refused to capture.
  func retryRefused() {
    for query in indexes[.refused] {
      query.isRefused = false
      retry(query)
    }
  }

  /// Retries a failed query from the beginning. A load under way gets another try if it fails, because it may fail for
  /// a reason that is gone now.
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
