import GRDB

/// Leads each query through its life: it waits until what it depends on is captured, is read, follows the changes, is read again or
/// run again where they don't tell enough, fails and is tried again, and goes. Confined to the engine's turns.
///
/// The state of a query is in its ``FollowedQuery``. Whoever changes it does so here, so that all of it changes together: its phase, what
/// is captured for it (``CaptureRegistry``), and which changes reach it (``LiveRoutes``).
final class QueryLifecycle {
  let queries: QueryRegistry
  let clock: StoreClock
  let working: WorkQueue
  private let loads: LoadQueue
  private let needs: QueryNeeds
  /// Names the file in errors.
  private let wrapping: (any Error) -> any Error
  /// What the changes of the batch under way cost so far.
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

  /// Ends a query, with all that is known of it and captured for it.
  private func release(_ query: FollowedQuery) {
    needs.remove(query, now: clock.now())
    queries.remove(query)
  }

  /// Has a query run again in place of being maintained; as it was asked for, with no reason.
  func replace(_ query: FollowedQuery, runAgain reason: RequeryReason?) {
    release(query)
    let other = queries.addReplacement(for: query, runAgain: reason)
    add(other)
    other.hasNews = true
  }

  /// Consumers came, went, or want to see more or fewer rows.
  func consumersChanged(_ query: FollowedQuery) {
    query.hasNews = true
    if query.isCurrent { windowChanged(query) }
    // What was asked of it since it failed.
    if let error = query.failure { query.key.form.giveUp(error) }
  }

  private func windowChanged(_ query: FollowedQuery) {
    handle(query.values.windowChanged(to: query.window), of: query, notes: true)
  }

  /// Drops the changes that a query noted, since it stops to follow them.
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

  /// Whether it has to be found out what tables some queries read.
  var needsTables: Bool { needs.hasUnknownTables }

  /// Finds out what tables are read by queries that are run again.
  func findTables(_ db: Database) {
    needs.findTables(db) { query, error in fail(query, error) }
  }

  /// Has all queries wait until what they depend on is captured, since the schema changed.
  func captureAgain() {
    needs.schemaChanged()
    for query in queries.all where query.standsInForMaintained { replace(query, runAgain: nil) }
    for query in queries.all { captureAgain(query) }
  }

  /// Has the queries wait that are run again until it is known what they read, since tables beside the database may be others.
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
  /// Has a query read again.
  func reload(_ query: FollowedQuery) {
    stopFollowing(query)
    // One that failed may have done so before it was known what it reads, or before that was captured. Read now, nothing would
    // tell it of later changes.
    if query.failure != nil || needs.lacksTables(query) {
      needs.retry()
      query.unprepare()
    } else {
      query.outdate()
    }
  }

  /// Has those read again that were read in another state of the database.
  func reload(exceptReadIn mark: SnapshotMark?) {
    for query in queries.all where !query.wasRead(in: mark) { reload(query) }
  }

  /// Takes the queries that are to be read now.
  ///
  /// - Parameter isUrgent: Whether someone waits for queries that are run again.
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
    // One that was given up, because a snapshot failed meanwhile, may end after the next one has begun.
    guard query.isUnderWay(report.load.number) else { return }
    if case .failure(let error) = report.outcome { return loadFailed(query, error) }
    query.endLoad(after: report.duration, mark: report.mark)
    let outcome = query.values.endLoad(window: query.window)
    if query.isCurrent {
      handle(outcome, of: query)
      // A consumer may have grown since the load began.
      if query.isCurrent { windowChanged(query) }
    } else {
      query.values.forgetChanges()
    }
    updateBound(query)
  }

  private func loadFailed(_ query: FollowedQuery, _ error: any Error) {
    // One that is run again already would fail for the same reason, without an end.
    if !query.isRunAgain, let reason = error as? RequeryReason { return replace(query, runAgain: reason) }
    if fail(query, error) { prepareAgain(query) }
  }
}

// MARK: - Failing

extension QueryLifecycle {
  /// - Returns: Whether the query is outdated already, and worth another try.
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

  /// Tries those again for which the writer refused to capture something.
  func retryRefused() {
    for query in indexes[.refused] {
      query.isRefused = false
      retry(query)
    }
  }

  /// Tries again one that failed, from where it has to begin, or that is being read and fails in the end: that may be because of what is
  /// over now.
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
