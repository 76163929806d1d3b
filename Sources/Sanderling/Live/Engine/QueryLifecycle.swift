import GRDB

/// Leads each query through its life: it waits until what it depends on is captured, is read, follows the changes, is read again or
/// run again where they don't tell enough, fails and is tried again, and goes. Confined to the engine's turns.
///
/// Whoever changes what is known of a query does so here, so that all of it changes together: how far it is (``LoadQueue``), what
/// is captured for it (``CaptureRegistry``), which changes reach it (``LiveRoutes``), what it noted, and what its consumers are told.
final class QueryLifecycle {
  let queries: QueryRegistry
  let loads: LoadQueue
  private let needs: QueryNeeds
  private let clock: StoreClock
  /// Names the file in errors.
  private let wrapping: (any Error) -> any Error
  /// Queries with noted changes that have to be applied at a snapshot.
  private var noted: Set<Int> = []
  private let news = LiveNews()
  /// Those that have something to do which nobody waits for.
  let working = WorkQueue()

  init(
    _ queries: QueryRegistry, _ loads: LoadQueue, _ capture: CaptureRegistry, clock: StoreClock,
    wrapping: @escaping (any Error) -> any Error
  ) {
    self.queries = queries
    self.loads = loads
    needs = QueryNeeds(queries, loads, capture)
    self.clock = clock
    self.wrapping = wrapping
  }

  private var routes: LiveRoutes { queries.routes }
}

// MARK: - Coming and going

extension QueryLifecycle {
  func add(_ entry: QueryRegistry.Entry) {
    loads.add(entry.number, isRunAgain: entry.query.plan == nil)
    needs.add(entry)
  }

  func remove(_ entry: QueryRegistry.Entry) {
    entry.key.form.giveUp(LiveError.suspended)
    letGo(entry)
    queries.remove(entry)
  }

  private func letGo(_ entry: QueryRegistry.Entry) {
    loads.remove(entry.number)
    noted.remove(entry.number)
    news.remove(entry.number)
    working.remove(entry.number)
    needs.remove(entry, now: clock.now())
  }

  /// Has a query run again in place of being maintained; as it was asked for, with no reason.
  func replace(_ entry: QueryRegistry.Entry, runAgain reason: RequeryReason?) {
    letGo(entry)
    if let other = queries.replace(entry, runAgain: reason) {
      add(other)
      news.add(other.number)
    }
  }

  /// Consumers came, went, or want to see more or fewer rows.
  func consumersChanged(_ entry: QueryRegistry.Entry) {
    news.add(entry.number)
    if loads.isCurrent(entry.number) { windowChanged(entry) }
    // What was asked of it since it failed.
    if let error = loads.failure(entry.number), loads.phase(entry.number) == .failed { entry.key.form.giveUp(error) }
  }

  func consumerWasSuspended(_ id: LiveConsumerID) {
    news.addSuspended(id)
  }

  private func windowChanged(_ entry: QueryRegistry.Entry) {
    handle(entry.query.windowChanged(to: entry.window), of: entry, notes: true)
  }

  /// Drops what was noted for a query that stops to follow the changes.
  private func stopFollowing(_ entry: QueryRegistry.Entry) {
    entry.query.forgetChanges()
    noted.remove(entry.number)
    working.remove(entry.number)
    for consumer in entry.consumers.values { consumer.setFollowing(false) }
  }
}

// MARK: - What queries depend on

extension QueryLifecycle {
  /// Lets waiting queries be read whose changes are captured.
  func prepareWaiting() {
    for number in loads.waiting {
      guard let entry = queries[number] else { continue }
      switch needs.readiness(of: entry) {
      case .ready: loads.prepared(number)
      case .unknown: break
      case .obstructed(let obstacle): replace(entry, runAgain: RequeryReason(obstacle.description))
      }
    }
  }

  /// Whether it has to be found out what tables some queries read.
  var needsTables: Bool { needs.hasUnknownTables }

  /// Finds out what tables are read by queries that are run again.
  func findTables(_ db: Database) {
    needs.findTables(db) { entry, error in fail(entry, error) }
  }

  /// Has all queries wait until what they depend on is captured, since the schema changed.
  func captureAgain() {
    needs.schemaChanged()
    for entry in queries.all where entry.standsInForMaintained { replace(entry, runAgain: nil) }
    for entry in queries.all { captureAgain(entry) }
  }

  /// Has the queries wait that are run again until it is known what they read, since tables beside the database may be others.
  func findTablesAgain() {
    for entry in queries.all where entry.query.plan == nil { captureAgain(entry) }
  }

  private func captureAgain(_ entry: QueryRegistry.Entry) {
    stopFollowing(entry)
    needs.forgetTables(of: entry)
    loads.unprepare(entry.number)
  }
}

// MARK: - Changes

extension QueryLifecycle {
  /// Notes that a row changed, which may concern a query.
  ///
  /// - Parameter weights: What the changes of the batch cost so far.
  /// - Returns: Whether the query wants to hear of more rows of the batch.
  func rowChanged(_ event: RowEvent, for query: Int, _ weights: inout EventWeights?) -> Bool {
    guard let entry = queries[query] else { return false }
    switch loads.phase(query) {
    case .waiting, .due, nil: return false
    case .failed:
      reload(entry)
      return false
    case .loading: loads.changedWhileLoading(query)
    case .current:
      if weights?.isTooMuch(for: query, loadDuration: loadDuration(of: query)) ?? false {
        reload(entry)
        return false
      }
    }
    do {
      try entry.query.rowChanged(event, entry.dependencies, isLoading: loads.phase(query) == .loading)
      noted.insert(query)
      return true
    } catch {
      reload(entry)
      return false
    }
  }

  /// How many queries noted changes.
  var notedCount: Int { noted.count }

  /// Whether changes were noted that have to be applied at a snapshot.
  var hasNoted: Bool { noted.contains(where: loads.isCurrent) }

  func hasNoted(_ query: Int) -> Bool { noted.contains(query) }

  /// Brings the queries that something was noted for to the snapshot.
  func apply(_ rows: BatchRows) {
    let numbers = noted.filter { loads.isCurrent($0) }
    noted = []
    for number in numbers {
      guard let entry = queries[number] else { continue }
      do {
        handle(try entry.query.apply(rows, window: entry.window), of: entry)
        updateBound(entry)
      } catch {
        // Reading it again tells whether it fails, and why.
        reload(entry)
      }
    }
  }

  /// Does what came of a change to a query.
  ///
  /// - Parameter notes: Whether the query has other values only when its changes are applied.
  func handle(_ outcome: QueryOutcome, of entry: QueryRegistry.Entry, notes: Bool = false) {
    switch outcome {
    case .unchanged: break
    case .news: if notes { noted.insert(entry.number) } else { news.add(entry.number) }
    case .reload: return reload(entry)
    case .runAgain(let reason): return replace(entry, runAgain: reason)
    case .failed(let error):
      fail(entry, error)
      return
    }
    working.set(entry.number, hasWork: entry.query.hasWork)
  }

  private func updateBound(_ entry: QueryRegistry.Entry) {
    // What is being read is not known: nothing is beyond its bound.
    let isCurrent = loads.isCurrent(entry.number)
    routes.update(
      entry.number, bound: isCurrent ? entry.query.routeBound(window: entry.window) : nil, of: entry.query.plan)
  }
}

// MARK: - Reading

extension QueryLifecycle {
  /// Has a query read again.
  func reload(_ entry: QueryRegistry.Entry) {
    stopFollowing(entry)
    // One that failed may have done so before it was known what it reads, or before that was captured. Read now, nothing would
    // tell it of later changes.
    if loads.phase(entry.number) == .failed || needs.lacksTables(entry) {
      needs.retry()
      loads.unprepare(entry.number)
    } else {
      loads.outdate(entry.number)
    }
  }

  func reload(_ numbers: Set<Int>) {
    for number in numbers { queries[number].map(reload) }
  }

  /// Has those read again that were read in another state of the database.
  func reload(exceptReadIn mark: SnapshotMark?) {
    for entry in queries.all where !loads.wasRead(entry.number, in: mark) { reload(entry) }
  }

  /// Takes the queries that are to be read now.
  ///
  /// - Parameter isUrgent: Whether someone waits for queries that are run again.
  func takeLoads(isUrgent: Bool) -> [LiveLoad] {
    loads.take(isUrgent: isUrgent, now: clock.now()).compactMap { number, load in
      guard let entry = queries[number] else { return nil }
      entry.query.forgetChanges()
      noted.remove(number)
      updateBound(entry)
      return LiveLoad(query: number, number: load, read: entry.query.beginLoad(window: entry.window))
    }
  }

  func loadEnded(_ report: LoadReport) {
    // One that was given up, because a snapshot failed meanwhile, may end after the next one has begun.
    guard let entry = queries[report.query], loads.isUnderWay(report.load, of: report.query) else { return }
    if case .failure(let error) = report.outcome { return loadFailed(entry, error) }
    let end = loads.end(report.query, duration: report.duration, mark: report.mark)
    let outcome = entry.query.endLoad(window: entry.window)
    if end == .outdated {
      // What it depends on may not be captured any more.
      prepareAgain(entry)
    } else {
      handle(outcome, of: entry)
      if end == .changed { noted.insert(entry.number) }
      // A consumer may have grown since the load began.
      if loads.isCurrent(entry.number) { windowChanged(entry) }
    }
    updateBound(entry)
  }

  private func loadFailed(_ entry: QueryRegistry.Entry, _ error: any Error) {
    // One that is run again already would fail for the same reason, without an end.
    if entry.query.plan != nil, let reason = error as? RequeryReason { return replace(entry, runAgain: reason) }
    if fail(entry, error) { prepareAgain(entry) }
  }
}

// MARK: - Failing

extension QueryLifecycle {
  /// - Returns: Whether the query is outdated already, and worth another try.
  @discardableResult
  func fail(_ entry: QueryRegistry.Entry, _ error: any Error) -> Bool {
    stopFollowing(entry)
    news.add(entry.number)
    let error = wrapping(error)
    entry.key.form.giveUp(error)
    return loads.fail(entry.number, with: error)
  }

  func failAll(_ error: any Error) {
    for entry in queries.all { fail(entry, error) }
  }

  /// What waiting queries depend on can't be captured.
  ///
  /// - Returns: The queries.
  func failWaiting(_ error: any Error) -> Set<Int> {
    let waiting = loads.waiting
    for number in waiting { queries[number].map { _ = fail($0, error) } }
    return waiting
  }

  /// Tries again those that failed, from where they have to begin, and those that are being read and fail in the end: that may be
  /// because of what is over now.
  func retry(_ numbers: Set<Int>) {
    for number in numbers {
      switch loads.phase(number) {
      case .failed: queries[number].map(prepareAgain)
      case .loading: loads.changedWhileLoading(number)
      default: break
      }
    }
  }

  func retryAll() {
    retry(loads.failed.union(loads.loading.keys))
  }

  private func prepareAgain(_ entry: QueryRegistry.Entry) {
    entry.query.forgetChanges()
    loads.unprepare(entry.number)
  }
}

// MARK: - News

extension QueryLifecycle {
  /// Whether nothing is told, so that what one commit changes changes together.
  var isHolding: Bool { loads.isHolding || hasNoted }

  /// Whether all queries equal the database at the commit that was looked at last, or could not be read, and consumers know.
  var isSettled: Bool { loads.isSettled && noted.isEmpty && !news.isHolding }

  func isSettled(_ query: Int) -> Bool { loads.isSettled(query) && !noted.contains(query) }

  /// Whether all that was asked of a consumer's query is done, and the consumer can be told of it.
  func isDone(_ consumer: LiveConsumerID, _ entry: QueryRegistry.Entry) -> Bool {
    isSettled(entry.number) && !news.isHeldBack(consumer, queries, loads)
  }

  /// Keeps all consumers as they are until the hold ends. Those that come later, or follow something else, are told what there is.
  func hold(_ number: UInt64) {
    let consumers = queries.all.flatMap { $0.consumers.keys }
    for entry in queries.all { for consumer in entry.consumers.values { consumer.setFollowing(false) } }
    news.hold(Set(consumers), number)
  }

  func endHold(_ number: UInt64) { news.endHold(number) }

  /// What was committed before holds were asked to end is looked at.
  func releaseEndedHolds() {
    for consumer in news.takeEndedHolds() { queries.entry(of: consumer).map { news.add($0.number) } }
  }

  func letGo(_ consumer: LiveConsumerID) { news.letGo(consumer) }

  /// See ``LiveNews/tellTogether(_:)``.
  func tellTogether(_ consumers: Set<LiveConsumerID>) {
    news.tellTogether(consumers)
  }

  /// Puts what is new into the consumers' feeds.
  ///
  /// - Parameter commit: What current queries stand for.
  /// - Returns: What takes it on the main actor.
  func takeNews(commit: Commit) -> [LiveConsumerID: MainDeliveries.Delivery] {
    news.take(queries, loads, commit: commit)
  }
}
