import GRDB

/// What turns work on: what was asked for, what came of the commits, and what is left to be read. Confined to the engine's turns.
final class LiveSession {
  let capture: CaptureRegistry
  private var clock: StoreClock { options.clock }
  private let queries = QueryRegistry()
  private let loads: LoadQueue
  private let news: LiveNews
  private let lifecycle: QueryLifecycle
  private let auditor: Auditor
  private let options: LiveOptions
  /// Names the file in errors.
  private let wrapping: (any Error) -> any Error
  private let inquiries: LiveInquiries
  /// Why the last turn had no snapshot; nil when it had one. All queries have failed with it.
  private var failure: (any Error)?
  private var retries = RetrySchedule()
  /// The commit that all queries which are current stand for.
  private(set) var commit: UInt64 = 0
  /// How much was looked at of what was found that no commit told of.
  private var surpriseCount = 0
  private(set) var isClosed = false

  init(_ options: LiveOptions, followed: FollowedTables, wrapping: @escaping (any Error) -> any Error) {
    self.options = options
    auditor = Auditor(options.audit)
    self.wrapping = wrapping
    capture = CaptureRegistry(followed: followed)
    inquiries = LiveInquiries(capture)
    loads = LoadQueue(queries.indexes)
    news = LiveNews(queries)
    lifecycle = QueryLifecycle(queries, loads, capture, clock: options.clock, wrapping: wrapping)
  }
}

// MARK: - Commands

extension LiveSession {
  func carryOut(_ command: LiveCommand, in turn: borrowing Turn) {
    switch command {
    case .attach(let id, let make): attach(id, make())
    case .detach(let id):
      leave(id)
      queries.detach(id)
    case .replace(let replacements): replace(replacements)
    case .resize(let id, let window): resize(id, window)
    case .suspend(let id):
      if leave(id) { news.addSuspended(id) }
    case .resume(let id): follow(id)
    case .retry(let id): retry(id)
    case .retryAll: retryAll()
    case .explain(let inquiry):
      if isClosed { inquiry.answer(.failure(StoreError.closed)) } else { inquiries.add(inquiry) }
    case .loadEnded(let report): lifecycle.loadEnded(report, of: report.load.query.value(in: turn))
    case .readerEnded: loads.readerEnded()
    case .auditEnded(let query, let duration): auditor.roundEnded(at: query, after: duration)
    case .captureAnswered(let outcome): captureAnswered(outcome)
    case .close: close()
    case .hold(let number, let answer):
      if !isClosed { news.hold(number) }
      answer()
    case .endHold(let number): news.endHold(number)
    case .countQueries(let answer): answer(queries.all.count)
    }
  }

  private func attach(_ id: LiveConsumerID, _ consumer: any QueryConsumer) {
    queries.attach(id, consumer)
    follow(id)
  }

  private func replace(_ replacements: [LiveReplacement]) {
    for replacement in replacements where queries.hasConsumer(replacement.id) {
      let wasFollowing = leave(replacement.id)
      queries.attach(replacement.id, replacement.make())
      if wasFollowing { follow(replacement.id) }
    }
    news.tellTogether(Set(replacements.map(\.id)))
  }

  private func resize(_ id: LiveConsumerID, _ window: Int) {
    queries.consumer(id)?.resize(window)
    if let query = queries.query(of: id) {
      lifecycle.consumersChanged(query)
    } else {
      queries.consumer(id)?.key.form.giveUp(LiveError.suspended)
    }
  }

  private func follow(_ id: LiveConsumerID) {
    guard let (query, isNew) = queries.follow(id) else { return }
    if isNew { lifecycle.add(query) }
    if isNew, isClosed { lifecycle.fail(query, StoreError.closed) }
    lifecycle.consumersChanged(query)
  }

  @discardableResult
  private func leave(_ id: LiveConsumerID) -> Bool {
    guard let query = queries.leave(id) else { return false }
    news.letGo(id)
    if query.consumers.isEmpty { lifecycle.remove(query) }
    return true
  }

  /// Tries again what the writer or the snapshot refused, if it is time.
  func retryIfDue() {
    guard retries.takeTry(now: clock.now()) else { return }
    capture.retry()
    lifecycle.retryRefused()
  }

  private func retry(_ id: LiveConsumerID) {
    capture.retry()
    queries.query(of: id).map(lifecycle.retry)
  }

  private func retryAll() {
    capture.retry()
    lifecycle.retryAll()
  }

  private func close() {
    isClosed = true
    fail(StoreError.closed)
    inquiries.fail(StoreError.closed, now: clock.now())
  }

  /// Nothing can be read.
  func fail(_ error: any Error) {
    failure = error
    retries.failed(now: clock.now())
    lifecycle.failAll(error)
  }

  /// Lets waiting queries be read whose changes are captured, and answers how they would be followed.
  func prepareWaiting() {
    lifecycle.prepareWaiting()
    inquiries.answer(now: clock.now())
  }

  private func captureAnswered(_ outcome: Result<CaptureState?, any Error>) {
    switch outcome {
    case .success(let state):
      capture.answered(state)
      if failure == nil { retries.succeeded() }
    case .failure(let error):
      if capture.failed(error) { return }
      lifecycle.prepareWaiting()
      retries.failed(now: clock.now())
      inquiries.fail(wrapping(error), now: clock.now())
    }
  }
}

// MARK: - Changes

extension LiveSession {
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
        lifecycle.captureAgain()
      } else if changes.cameFromOutside {
        lifecycle.reload(exceptReadIn: snapshot.mark())
      } else {
        for table in changes.touchedTables { queries.routes.queries(touching: table).forEach(lifecycle.reload) }
        if changes.touchedTables.contains(TouchedTables.schema) { lifecycle.findTablesAgain() }
        for type in changes.overflowed { queries.routes.queries(dependingOn: type).forEach(lifecycle.reload) }
        try lifecycle.note(changes, rows)
      }
    } catch {
      // What the changes are is lost; what they led to is in the database.
      queries.all.forEach(lifecycle.reload)
    }
    commit = snapshot.commit
    noteSurprises(surpriseCount)
    auditor.note(changes, through: commit)
    if queries.indexes[.noted].count <= limit { lifecycle.apply(rows) }
    lifecycle.findTables(snapshot.database)
  }

  /// Notes that nothing is left to be looked at of what had been found so often that no commit told of.
  func noteSurprises(_ count: Int) {
    surpriseCount = max(surpriseCount, count)
  }
}

// MARK: - What is left to do

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
    let taken = lifecycle.takeLoads(isUrgent: isUrgent)
    let round = auditor.takeRound(queries, commit: commit, surpriseCount: surpriseCount)
    if taken.isEmpty && round == nil { return nil }
    loads.readerBegan()
    return LeftToReader(loads: taken, audit: round)
  }

  /// Whether there is something to do that takes a snapshot.
  func needsSnapshot(isUrgent: Bool) -> Bool {
    if isClosed { return false }
    return hasNoted || hasWork || lifecycle.needsTables
      || loads.hasDue(isUrgent: isUrgent, now: clock.now()) || auditIsDue && loads.hasFreeReader
  }

  /// Whether there is work that nobody waits for.
  var hasWork: Bool { !queries.indexes[.working].isEmpty }

  /// Does a slice of it.
  func work(_ db: Database) {
    var slice = WorkSlice(options)
    lifecycle.work(db, &slice)
  }

  /// Whether changes were noted that have to be applied at a snapshot.
  var hasNoted: Bool { !queries.indexes[.noted].isEmpty }

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

  /// Why the last turn had no snapshot, after which it is worth another try.
  var lastFailure: (any Error)? { isClosed ? nil : failure }
}

// MARK: - Telling

extension LiveSession {
  /// Whether nothing is told, so that what one commit changes changes together.
  var isHolding: Bool { !queries.indexes.isEmpty([.holding, .noted]) }

  /// Puts what is new into the consumers' feeds.
  ///
  /// - Returns: What takes it on the main actor.
  func takeNews() -> [LiveConsumerID: MainDeliveries.Delivery] {
    news.take(commit: Commit(number: commit))
  }

  /// Has consumers be told again whose hold ends: everything that was committed before is looked at.
  func releaseEndedHolds() { news.releaseEndedHolds() }

  /// Whether what someone waits for has come.
  ///
  /// - Parameter last: The last commit, if nothing of it and those before is left to be looked at, and nothing is asked.
  func isDone(_ waiter: LiveWaiters.Waiter, last: UInt64?) -> Bool {
    if failure != nil || isClosed { return true }
    guard max(commit, last ?? 0) >= waiter.commit, surpriseCount >= waiter.surpriseCount else { return false }
    guard let id = waiter.consumer else { return last != nil && isSettled && !hasAuditLeft }
    guard let query = queries.query(of: id) else { return last != nil }
    return query.isSettled && !news.isHeldBack(id)
  }

  /// Whether all queries equal the database at the commit that was looked at last, or could not be read, and consumers know.
  private var isSettled: Bool { queries.indexes.isEmpty([.waiting, .due, .loading, .noted]) && !news.isHolding }

  /// Whether someone waits for a consumer that follows nothing.
  func isSuspended(_ waiter: LiveWaiters.Waiter) -> Bool {
    waiter.consumer.map { queries.query(of: $0) == nil } ?? false
  }
}
