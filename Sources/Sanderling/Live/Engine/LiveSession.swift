import GRDB

/// What turns work on: the queries, what they depend on, and how far each is. Confined to the engine's turns.
final class LiveSession {
  let queries = QueryRegistry()
  let capture: CaptureRegistry
  let loads = LoadQueue()
  private let auditor: Auditor
  private let clock: StoreClock
  /// Names the file in errors.
  private let wrapping: (any Error) -> any Error
  /// Queries with noted changes that have to be applied at a snapshot.
  private var noted: Set<Int> = []
  private let news = LiveNews()
  private let inquiries: LiveInquiries
  /// Why the last turn had no snapshot; nil when it had one. All queries have failed with it.
  private var failure: (any Error)?
  /// Queries that failed because the writer could not be asked for what they need.
  private var refused: Set<Int> = []
  private var retries = RetrySchedule()
  /// That of the batch under way.
  private var weights: EventWeights?
  /// The commit that all queries which are current stand for.
  private(set) var commit: UInt64 = 0
  /// How much was looked at of what was found that no commit told of.
  private var surpriseCount = 0
  private(set) var isClosed = false

  init(_ options: LiveOptions, followed: FollowedTables, wrapping: @escaping (any Error) -> any Error) {
    clock = options.clock
    auditor = Auditor(options.audit)
    self.wrapping = wrapping
    capture = CaptureRegistry(followed: followed)
    inquiries = LiveInquiries(capture)
  }

  private var routes: LiveRoutes { queries.routes }
}

// MARK: - Commands

extension LiveSession {
  func carryOut(_ command: LiveCommand) {
    switch command {
    case .attach(let id, let make): attach(id, make())
    case .detach(let id):
      leave(id)
      queries.detach(id)
    case .replace(let id, let make): replace(id, make())
    case .resize(let id, let window): resize(id, window)
    case .suspend(let id):
      if leave(id) { news.addSuspended(id) }
    case .resume(let id): follow(id)
    case .retry(let id): retry(id)
    case .retryAll: retryAll()
    case .explain(let inquiry):
      if isClosed { inquiry.answer(.failure(StoreError.closed)) } else { inquiries.add(inquiry) }
    case .loadEnded(let report): loadEnded(report)
    case .readerEnded: loads.readerEnded()
    case .auditEnded(let query, let duration): auditor.roundEnded(at: query, after: duration)
    case .captureAnswered(let outcome): captureAnswered(outcome)
    case .close: close()
    case .countQueries(let answer): answer(queries.all.count)
    }
  }

  private func attach(_ id: LiveConsumerID, _ consumer: any QueryConsumer) {
    queries.attach(id, consumer)
    follow(id)
  }

  private func replace(_ id: LiveConsumerID, _ consumer: any QueryConsumer) {
    guard queries.hasConsumer(id) else { return }
    let wasFollowing = leave(id)
    queries.attach(id, consumer)
    if wasFollowing { follow(id) }
  }

  private func resize(_ id: LiveConsumerID, _ window: Int) {
    queries.consumer(id)?.resize(window)
    if let entry = queries.entry(of: id) { consumersChanged(entry) }
  }

  private func follow(_ id: LiveConsumerID) {
    guard let (entry, isNew) = queries.follow(id) else { return }
    if isNew { added(entry) }
    consumersChanged(entry)
  }

  @discardableResult
  private func leave(_ id: LiveConsumerID) -> Bool {
    guard let entry = queries.leave(id) else { return false }
    if entry.consumers.isEmpty {
      removed(entry)
      queries.remove(entry)
    }
    return true
  }

  /// Tries again what the writer or the snapshot refused, if it is time.
  func retryIfDue() {
    guard retries.takeTry(now: clock.now()) else { return }
    capture.retry()
    for number in refused where loads.phase(number) == .failed { queries[number].map(prepareAgain) }
    refused = []
  }

  private func retry(_ id: LiveConsumerID) {
    capture.retry()
    if let entry = queries.entry(of: id), loads.phase(entry.number) == .failed { prepareAgain(entry) }
  }

  private func retryAll() {
    capture.retry()
    for number in loads.failed { queries[number].map(prepareAgain) }
  }

  /// Tries again what failed, from where it has to begin.
  private func prepareAgain(_ entry: QueryRegistry.Entry) {
    entry.query.forgetChanges()
    loads.unprepare(entry.number)
  }

  private func close() {
    isClosed = true
    fail(StoreError.closed)
    inquiries.fail(StoreError.closed, now: clock.now())
  }
}

// MARK: - Queries

extension LiveSession {
  private func added(_ entry: QueryRegistry.Entry) {
    loads.add(entry.number, isRunAgain: entry.query.plan == nil)
    capture.add(entry.query.plan?.needs ?? [])
    capture.retry()
    if isClosed { loads.fail(entry.number, with: StoreError.closed) }
  }

  private func removed(_ entry: QueryRegistry.Entry) {
    loads.remove(entry.number)
    noted.remove(entry.number)
    news.remove(entry.number)
    refused.remove(entry.number)
    capture.remove(entry.query.plan?.needs ?? [], now: clock.now())
    setTables(nil, of: entry)
  }

  private func setTables(_ tables: Set<String>?, of entry: QueryRegistry.Entry) {
    if let old = routes.tables(of: entry.number) { capture.unfollow(old) }
    routes.setTables(tables, of: entry.number)
    if let tables { capture.follow(tables) }
  }

  private func consumersChanged(_ entry: QueryRegistry.Entry) {
    news.add(entry.number)
    guard loads.isCurrent(entry.number) else { return }
    handle(entry.query.windowChanged(to: entry.window), of: entry, notes: true)
  }

  /// Does what came of a change to a query.
  ///
  /// - Parameter notes: Whether the query has other values only when its changes are applied.
  private func handle(_ outcome: QueryOutcome, of entry: QueryRegistry.Entry, notes: Bool = false) {
    switch outcome {
    case .unchanged: break
    case .news: if notes { noted.insert(entry.number) } else { news.add(entry.number) }
    case .reload: reload(entry)
    case .runAgain(let reason): runAgain(entry, reason)
    }
  }

  private func reload(_ entry: QueryRegistry.Entry) {
    entry.query.forgetChanges()
    noted.remove(entry.number)
    setFollowing(false, entry)
    // One that failed before it was known what it reads has to find that out first.
    if needsTables(entry.number) { loads.unprepare(entry.number) } else { loads.outdate(entry.number) }
  }

  private func runAgain(_ entry: QueryRegistry.Entry, _ reason: RequeryReason) {
    replace(entry, runAgain: reason)
  }

  private func replace(_ entry: QueryRegistry.Entry, runAgain reason: RequeryReason?) {
    removed(entry)
    if let other = queries.replace(entry, runAgain: reason) {
      added(other)
      news.add(other.number)
    }
  }

  private func setFollowing(_ isFollowing: Bool, _ entry: QueryRegistry.Entry) {
    for consumer in entry.consumers.values { consumer.setFollowing(isFollowing) }
  }

  private func fail(_ entry: QueryRegistry.Entry, _ error: any Error) -> Bool {
    entry.query.forgetChanges()
    noted.remove(entry.number)
    setFollowing(false, entry)
    news.add(entry.number)
    return loads.fail(entry.number, with: wrapping(error))
  }

  /// Nothing can be read.
  func fail(_ error: any Error) {
    failure = error
    retries.failed(now: clock.now())
    for entry in queries.all { _ = fail(entry, error) }
  }
}

// MARK: - What queries depend on

extension LiveSession {
  /// Lets waiting queries be read whose changes are captured.
  func prepareWaiting() {
    for number in loads.waiting {
      guard let entry = queries[number] else { continue }
      if let plan = entry.query.plan {
        switch capture.readiness(of: plan.needs) {
        case .ready: loads.prepared(number)
        case .unknown: break
        case .obstructed(let obstacle): runAgain(entry, RequeryReason(obstacle.description))
        }
      } else if let tables = routes.tables(of: number), capture.follows(tables) {
        loads.prepared(number)
      }
    }
    inquiries.answer(now: clock.now())
  }

  /// Whether a query is run again of which it is not known what it reads.
  private func needsTables(_ number: Int) -> Bool {
    queries[number]?.query.plan == nil && routes.tables(of: number) == nil
  }

  private func captureAnswered(_ outcome: Result<CaptureState?, any Error>) {
    switch outcome {
    case .success(let state):
      capture.answered(state)
      if failure == nil { retries.succeeded() }
    case .failure(let error):
      capture.failed()
      refused.formUnion(loads.waiting)
      retries.failed(now: clock.now())
      for number in loads.waiting { queries[number].map { _ = fail($0, error) } }
      inquiries.fail(wrapping(error), now: clock.now())
    }
  }

  /// Has all queries wait until what they depend on is captured, since the schema changed.
  private func captureAgain() {
    capture.schemaChanged()
    for entry in queries.all where entry.standsInForMaintained { replace(entry, runAgain: nil) }
    for entry in queries.all { captureAgain(entry) }
  }

  /// Has the queries wait that are run again until it is known what they read, since tables beside the database may be others.
  private func findTablesAgain() {
    for entry in queries.all where entry.query.plan == nil { captureAgain(entry) }
  }

  private func captureAgain(_ entry: QueryRegistry.Entry) {
    entry.query.forgetChanges()
    noted.remove(entry.number)
    setFollowing(false, entry)
    setTables(nil, of: entry)
    loads.unprepare(entry.number)
  }
}

// MARK: - Changes

extension LiveSession: BatchReceiver {
  /// Brings the queries to a snapshot.
  ///
  /// - Parameters:
  ///   - changes: What all commits up to that of the snapshot left.
  ///   - surpriseCount: How often something had been found that no commit told of, before the snapshot began.
  ///   - appliesAtMost: How many queries may read what they noted, if the others are left for a later turn.
  func process(
    _ changes: CapturedChanges, at snapshot: Snapshot, surpriseCount: Int, appliesAtMost limit: Int = .max
  ) {
    if failure != nil {
      failure = nil
      retries.reset()
      retryAll()
    }
    let rows = BatchRows(snapshot.database, changes: changes.tables, layouts: capture.layouts)
    do {
      if changes.schemaChanged {
        captureAgain()
      } else if changes.cameFromOutside {
        let mark = snapshot.mark()
        for entry in queries.all where !loads.wasRead(entry.number, in: mark) { reload(entry) }
      } else {
        for table in changes.touchedTables { reload(routes.queries(touching: table)) }
        if changes.touchedTables.contains(TouchedTables.schema) { findTablesAgain() }
        for type in changes.overflowed { reload(routes.queries(dependingOn: type)) }
        weights = EventWeights(changes)
        var batch = Batch(rows, routes, now: clock.now, receiver: self)
        try batch.run()
      }
    } catch {
      // What the changes are is lost; what they led to is in the database.
      for entry in queries.all { reload(entry) }
    }
    weights = nil
    commit = snapshot.commit
    noteSurprises(surpriseCount)
    auditor.note(changes, through: commit)
    if noted.count <= limit { apply(rows) }
    findTables(snapshot.database)
  }

  private func reload(_ numbers: Set<Int>) {
    for number in numbers { queries[number].map(reload) }
  }

  func receive(_ event: RowEvent, for query: Int) -> Bool {
    guard let entry = queries[query] else { return false }
    switch loads.phase(query) {
    case .waiting, .due, nil: return false
    case .failed:
      reload(entry)
      return false
    case .loading: loads.changedWhileLoading(query)
    case .current:
      if weights?.isTooMuch(for: query, loadDuration: loads.loadDuration(query)) ?? false {
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

  func mustReload(_ query: Int) {
    queries[query].map(reload)
  }

  func mustRunAgain(_ query: Int, _ reason: RequeryReason) {
    queries[query].map { runAgain($0, reason) }
  }

  func loadDuration(of query: Int) -> Duration {
    loads.isCurrent(query) ? loads.loadDuration(query) : .zero
  }

  /// Brings the queries that something was noted for to the snapshot.
  private func apply(_ rows: BatchRows) {
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

  private func updateBound(_ entry: QueryRegistry.Entry) {
    // What is being read is not known: nothing is beyond its bound.
    let isCurrent = loads.isCurrent(entry.number)
    routes.update(
      entry.number, bound: isCurrent ? entry.query.routeBound(window: entry.window) : nil, of: entry.query.plan)
  }

  /// Finds out what tables are read by queries that are run again.
  private func findTables(_ db: Database) {
    for number in loads.waiting where needsTables(number) {
      guard let entry = queries[number] else { continue }
      do {
        setTables(try entry.query.readTables(db), of: entry)
      } catch {
        _ = fail(entry, error)
      }
    }
  }
}

// MARK: - Reading

/// A query that is read at the snapshot of a turn that is over.
struct LiveLoad: Sendable {
  let query: Int
  let read: @Sendable (Database) throws -> Void
}

/// What a turn leaves to be done at its snapshot when it is over.
struct LeftToReader: Sendable {
  let loads: [LiveLoad]
  let audit: Auditor.Round?
}

extension LiveSession {
  /// Takes what is to be read at the snapshot of the turn; nil for nothing.
  ///
  /// - Parameter isUrgent: Whether someone waits for queries that are run again.
  func takeReading(isUrgent: Bool) -> LeftToReader? {
    guard loads.hasFreeReader else { return nil }
    let loads = takeLoads(isUrgent: isUrgent)
    let round = auditor.takeRound(queries, commit: commit, surpriseCount: surpriseCount) { entry in
      self.loads.isCurrent(entry.number) && !noted.contains(entry.number)
    }
    if loads.isEmpty && round == nil { return nil }
    self.loads.readerBegan()
    return LeftToReader(loads: loads, audit: round)
  }

  private func takeLoads(isUrgent: Bool) -> [LiveLoad] {
    loads.take(isUrgent: isUrgent, now: clock.now()).compactMap { number in
      guard let entry = queries[number] else { return nil }
      entry.query.forgetChanges()
      noted.remove(number)
      updateBound(entry)
      return LiveLoad(query: number, read: entry.query.beginLoad(window: entry.window))
    }
  }

  private func loadEnded(_ report: LoadReport) {
    guard let entry = queries[report.query], loads.phase(report.query) == .loading else { return }
    if case .failure(let error) = report.outcome { return loadFailed(entry, error) }
    let end = loads.end(report.query, duration: report.duration, mark: report.mark)
    if end == .obsolete { return }
    let outcome = entry.query.endLoad(window: entry.window)
    if end == .outdated {
      entry.query.forgetChanges()
      // What it depends on may not be captured any more.
      loads.unprepare(entry.number)
    } else {
      handle(outcome, of: entry)
      if end == .changed { noted.insert(entry.number) }
      // A consumer may have grown since the load began.
      if loads.isCurrent(entry.number) {
        handle(entry.query.windowChanged(to: entry.window), of: entry, notes: true)
      }
    }
    updateBound(entry)
  }

  private func loadFailed(_ entry: QueryRegistry.Entry, _ error: any Error) {
    if let reason = error as? RequeryReason { return runAgain(entry, reason) }
    if fail(entry, error) { prepareAgain(entry) }
  }

  /// Whether there is something to do that takes a snapshot.
  func needsSnapshot(isUrgent: Bool) -> Bool {
    if isClosed { return false }
    return hasNoted || loads.waiting.contains(where: needsTables)
      || loads.hasDue(isUrgent: isUrgent, now: clock.now()) || auditIsDue && loads.hasFreeReader
  }

  private var auditIsDue: Bool { auditor.isDue && !queries.isEmpty }

  /// Whether those who wait until everything is settled wait for live results to be compared.
  private var hasAuditLeft: Bool { auditor.isComplete && (auditIsDue || auditor.isRunning) }

  /// Gives up what nobody has watched for long.
  func letGoOfUnwatched() {
    capture.sweep(now: clock.now())
  }

  /// When a turn is to look again: at queries that wait for their turn, at tables that nobody watches, at what has failed.
  func nextTime() -> Duration? {
    if isClosed { return nil }
    return [loads.nextTime, capture.nextSweep, retries.time].compactMap { $0 }.min()
  }
}

// MARK: - News

extension LiveSession {
  /// Whether changes were noted that have to be applied at a snapshot.
  var hasNoted: Bool { noted.contains(where: loads.isCurrent) }

  /// Whether nothing is told, so that what one commit changes changes together.
  var isHolding: Bool { loads.isHolding || hasNoted }

  /// Puts what is new into the consumers' feeds.
  ///
  /// - Returns: What takes it on the main actor.
  func takeNews() -> [LiveConsumerID: MainDeliveries.Delivery] {
    news.take(queries, loads, commit: Commit(number: commit))
  }

  /// Whether what someone waits for has come.
  ///
  /// - Parameter last: The last commit, if nothing of it and those before is left to be looked at, and nothing is asked.
  func isDone(_ waiter: LiveWaiters.Waiter, last: UInt64?) -> Bool {
    if failure != nil || isClosed { return true }
    guard max(commit, last ?? 0) >= waiter.commit, surpriseCount >= waiter.surpriseCount else { return false }
    guard let id = waiter.consumer else { return last != nil && loads.isSettled && noted.isEmpty && !hasAuditLeft }
    guard let entry = queries.entry(of: id) else { return last != nil }
    return loads.isSettled(entry.number) && !noted.contains(entry.number)
  }

  /// Notes that nothing is left to be looked at of what had been found so often that no commit told of.
  func noteSurprises(_ count: Int) {
    surpriseCount = max(surpriseCount, count)
  }

  /// Whether someone waits for a consumer that follows nothing.
  func isSuspended(_ waiter: LiveWaiters.Waiter) -> Bool {
    waiter.consumer.map { queries.entry(of: $0) == nil } ?? false
  }

  /// Why the last turn had no snapshot, after which it is worth another try.
  var lastFailure: (any Error)? { isClosed ? nil : failure }
}
