import GRDB

/// The state that turns work on: consumers, queries, captured tables and waiting loads. Confined to the engine's turns.
final class LiveSession {
  let capture: CaptureRegistry
  private var clock: StoreClock { options.clock }
  private let queries = QueryRegistry()
  private let loads: LoadQueue
  private let news: LiveNews
  private let lifecycle: QueryLifecycle
  private let auditor: Auditor
  private let options: LiveOptions
  /// Adds the file's name to errors.
  private let wrapping: (any Error) -> any Error
  private let inquiries: LiveInquiries
  /// The failure of the last turn's snapshot, with which all queries failed; nil after a snapshot.
  private var failure: (any Error)?
  private var retries = RetrySchedule()
  /// The commit at which all current queries are current.
  private(set) var commit: UInt64 = 0
  /// The part of ``ChangeLog/unreportedCount`` that is processed.
  private var unreportedCount = 0
  private(set) var isClosed = false
  private var history = FollowedHistory()
  private let reloads: OutsideReloads

  init(
    _ options: LiveOptions, followed: FollowedTables, _ reloads: OutsideReloads,
    wrapping: @escaping (any Error) -> any Error
  ) {
    self.options = options
    self.reloads = reloads
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
    news.deliverTogether(Set(replacements.map(\.id)))
  }

  private func resize(_ id: LiveConsumerID, _ window: Int) {
    queries.consumer(id)?.resize(window)
    if let query = queries.query(of: id) {
      lifecycle.consumersChanged(query)
    } else {
      queries.consumer(id)?.key.form.failRequests(LiveError.suspended)
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
    news.forget(id)
    if query.consumers.isEmpty { lifecycle.remove(query) }
    return true
  }

  /// Retries capture and the queries that the writer refused, if a retry is due.
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

  /// Notes that there is no snapshot, and fails all queries.
  func fail(_ error: any Error) {
    failure = error
    retries.failed(now: clock.now())
    lifecycle.failAll(error)
  }

  /// Lets waiting queries be read whose changes are captured, and answers the questions that can be answered.
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
  /// Applies the changes of commits, so that the queries equal the database at a snapshot.
  ///
  /// - Parameters:
  ///   - changes: The changes of all commits up to the snapshot's.
  ///   - unreportedCount: The value of ``ChangeLog/unreportedCount`` before the snapshot began.
  ///   - limit: The most dirty queries that this turn applies. With more, it leaves all of them to a later turn.
  func process(
    _ changes: CapturedChanges, at snapshot: Snapshot, unreportedCount: Int, appliesAtMost limit: Int = .max
  ) {
    if failure != nil {
      failure = nil
      retries.reset()
      retryAll()
    }
    var changes = changes
    let recorded = history.take(&changes, capture.history, lifecycle, snapshot.database)
    let rows = BatchRows(snapshot.database, changes: changes.tables, layouts: capture.layouts)
    do {
      if changes.schemaChanged {
        lifecycle.captureAgain()
      } else {
        if changes.outside != .none {
          let count = lifecycle.reload(after: changes.outside, exceptReadIn: snapshot.mark(), orIn: recorded)
          reloads.add(count, to: history.hasLostChanges ? \.prunedHistory : \.withoutHistory)
        }
        for table in changes.touchedTables { queries.routes.queries(touching: table).forEach(lifecycle.reload) }
        if changes.touchedTables.contains(TouchedTables.schema) { lifecycle.findTablesAgain() }
        for type in changes.overflowed {
          let dependents = queries.routes.queries(dependingOn: type)
          dependents.forEach(lifecycle.reload)
          if recorded?.tables[type] != nil { reloads.add(dependents.count, to: \.tooManyChanges) }
        }
        try lifecycle.note(changes, rows)
      }
    } catch {
      // The changes are lost, so all queries are read again.
      queries.all.forEach(lifecycle.reload)
    }
    commit = snapshot.commit
    noteUnreported(unreportedCount)
    auditor.note(changes, through: commit)
    if queries.indexes[.noted].count <= limit { lifecycle.apply(rows) }
    lifecycle.findTables(snapshot.database)
  }

  /// Notes that the unreported up to a count are processed.
  func noteUnreported(_ count: Int) {
    unreportedCount = max(unreportedCount, count)
  }
}

// MARK: - Loads and background work

/// The loads and the audit round that a reader runs at a turn's snapshot, after the turn.
struct LeftToReader: Sendable {
  let loads: [LiveLoad]
  let audit: Auditor.Round?
}

extension LiveSession {
  /// Takes the loads and the round to be run at the turn's snapshot; nil for none.
  ///
  /// - Parameter isUrgent: Whether reruns begin without the interval, since a caller waits for them.
  func takeReading(isUrgent: Bool) -> LeftToReader? {
    guard loads.hasFreeReader else { return nil }
    let taken = lifecycle.takeLoads(isUrgent: isUrgent)
    let round = auditor.takeRound(queries, commit: commit, unreportedCount: unreportedCount)
    if taken.isEmpty && round == nil { return nil }
    loads.readerBegan()
    return LeftToReader(loads: taken, audit: round)
  }

  /// Whether there is work that needs a snapshot.
  func needsSnapshot(isUrgent: Bool) -> Bool {
    if isClosed { return false }
    return hasNoted || hasWork || lifecycle.needsTables
      || loads.hasDue(isUrgent: isUrgent, now: clock.now()) || auditIsDue && loads.hasFreeReader
  }

  /// Whether a query has background work.
  var hasWork: Bool { !queries.indexes[.working].isEmpty }

  /// Does a slice of the background work.
  func work(_ db: Database) {
    var slice = WorkSlice(options)
    lifecycle.work(db, &slice)
  }

  /// Whether a query is dirty.
  var hasNoted: Bool { !queries.indexes[.noted].isEmpty }

  private var auditIsDue: Bool { auditor.isDue && !queries.isEmpty }

  /// Whether waiters for all results must wait for a comparison with the database.
  private var hasAuditLeft: Bool { auditor.isComplete && (auditIsDue || auditor.isRunning) }

  /// Ends the capture of tables that had no query for a while.
  func sweepCaptures() {
    capture.sweep(now: clock.now())
  }

  /// The time of the next turn without a request: for delayed reruns, unwatched tables and retries.
  func nextTime() -> Duration? {
    if isClosed { return nil }
    return [loads.nextTime, capture.nextSweep, retries.time].compactMap { $0 }.min()
  }

  /// The failure of the last turn's snapshot, which is worth another try; nil once the store is closed.
  var lastFailure: (any Error)? { isClosed ? nil : failure }
}

// MARK: - Publishing and waiters

extension LiveSession {
  /// Whether news must wait, so that all changes of a commit appear together.
  var isHolding: Bool { !queries.indexes.isEmpty([.holding, .noted]) }

  /// Puts the news into the consumers' feeds.
  ///
  /// - Returns: The deliveries for the main actor, by consumer.
  func takeNews() -> [LiveConsumerID: MainDeliveries.Delivery] {
    news.take(commit: Commit(number: commit))
  }

  /// Lets consumers of ended holds receive news again. Called when the earlier commits are processed.
  func releaseEndedHolds() { news.releaseEndedHolds() }

  /// Whether a waiter's condition holds.
  ///
  /// - Parameter last: The last commit, if all commits are processed and no command waits; nil otherwise.
  func isDone(_ waiter: LiveWaiters.Waiter, last: UInt64?) -> Bool {
    if failure != nil || isClosed { return true }
    guard max(commit, last ?? 0) >= waiter.commit, unreportedCount >= waiter.unreportedCount else { return false }
    guard let id = waiter.consumer else {
      return last != nil && isSettled && !hasAuditLeft && !(waiter.waitsForWork && hasWork)
    }
    guard let query = queries.query(of: id) else { return last != nil }
    return query.isSettled && !news.isHeldBack(id)
  }

  /// Whether all queries are current at the latest processed commit or have failed, and no hold keeps consumers from
  /// showing it.
  private var isSettled: Bool { queries.indexes.isEmpty([.waiting, .due, .loading, .noted]) && !news.isHolding }

  /// Whether a waiter's consumer follows no query.
  func isSuspended(_ waiter: LiveWaiters.Waiter) -> Bool {
    waiter.consumer.map { queries.query(of: $0) == nil } ?? false
  }
}
