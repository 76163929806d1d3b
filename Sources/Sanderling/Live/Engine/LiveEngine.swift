import Foundation
import GRDB
import Synchronization

/// Follows the database for all live results of a store.
///
/// Work is done in turns, one at a time, away from the main thread and, but for small changes after a pause, from the writer. A
/// turn carries out what was asked for, takes what was captured up to the commit that its snapshot shows, applies it, and tells
/// the consumers. Queries that have to be read are read at the same snapshot after the turn's end, beside later turns.
final class LiveEngine: Sendable {
  /// What queries that differ only in values share.
  let forms = LiveForms()
  private let connection: StoreConnection
  private let log: ChangeLog
  private let commands = CommandQueue()
  private let waiters = LiveWaiters()
  private let reader: SnapshotReader
  private let deliveries = MainDeliveries()
  private let scheduler: TurnScheduler
  private let session: TurnConfined<LiveSession>
  /// What records the changes, once the writer's queue has made it.
  private let capture: CaptureSlot
  private let audits: AuditRunner
  private let lastConsumer = Atomic<UInt64>(0)
  /// The last commit that was looked at.
  private let processed = Atomic<UInt64>(0)
  /// Whether the writer runs a transaction whose caller wakes the engine. Changed on the writer's queue.
  private let defersWake = Atomic(false)
  /// Whether a commit of such a transaction left something to look at.
  private let hasDeferredWake = Atomic(false)

  init(_ connection: StoreConnection, _ options: LiveOptions) {
    self.connection = connection
    let hook = EngineHook()
    log = ChangeLog(sequence: connection.sequence) { hook.engine?.committed() }
    scheduler = TurnScheduler(clock: options.clock, interval: options.interval) { turn in hook.run(turn) }
    let slot = CaptureSlot(log)
    capture = slot
    reader = SnapshotReader(connection) { slot.capture($0) }
    let writer = connection.writer
    audits = AuditRunner(writer, log, slot, options.audit.handler)
    session = TurnConfined(
      LiveSession(options, followed: log.followed) { error in writer.wrapping(error) })
    hook.set(self)
    if writer.configuration.observesSuspensionNotifications { observeResumption() }
  }

  func makeConsumerID() -> LiveConsumerID {
    LiveConsumerID(number: lastConsumer.add(1, ordering: .relaxed).newValue)
  }

  /// How many live results were compared with the database.
  var auditCounts: LiveAuditCounts { audits.counts }

  /// How many turns there were. For tests.
  var turnCount: Int { scheduler.turnCount }

  /// Whether something was committed that no turn has taken. For tests.
  var hasPending: Bool { log.hasPending }
}

// MARK: - Asking

extension LiveEngine {
  func send(_ command: LiveCommand) {
    commands.send(command)
    scheduler.wake(isUrgent: true)
  }

  /// Puts consumers that follow something else in the place of some, with all others that are replaced in this turn of the main actor,
  /// and before anything else is asked.
  func replace(_ consumers: [LiveReplacement]) {
    guard !consumers.isEmpty, commands.hold(consumers) else { return }
    Task { @MainActor [commands, scheduler] in
      if commands.sendHeld() { scheduler.wake(isUrgent: true) }
    }
  }

  /// The last commit through the store's writer.
  var lastCommit: Commit { Commit(number: log.lastCommit) }

  /// The last commit that nothing is left to be looked at of.
  var processedCommit: Commit {
    // Read in this order: what was committed before is either still captured, in a turn that runs, or processed.
    let last = log.lastCommit
    if !log.hasPending, !scheduler.isTurning, commands.isEmpty { return Commit(number: last) }
    return Commit(number: processed.load(ordering: .acquiring))
  }

  /// Takes what is ready for the main actor.
  @MainActor
  func deliverNow() {
    deliveries.deliver()
  }

  /// Waits until a consumer's query stands for a commit.
  func reached(_ commit: Commit, by consumer: LiveConsumerID) async throws {
    try await wait(for: commit.number, consumer)
  }

  /// Waits until all queries stand for the last commit, or could not be read.
  func settled() async {
    // The writer knows of commits that GRDB told nobody of, of statements that failed after some rows. A store that was
    // closed has its last commit behind it.
    let last = try? await connection.writer.writeWithoutTransaction { [capture, log] db in
      db.sqliteConnection == nil ? log.lastCommit : capture.capture(db)?.name(db) ?? log.lastCommit
    }
    // Only the cancellation of the task ends it early.
    _ = try? await wait(for: last ?? log.lastCommit, nil)
  }

  private func wait(for commit: UInt64, _ consumer: LiveConsumerID?) async throws {
    commands.sendHeld()
    try await waiters.wait(
      for: commit, consumer, sentCount: commands.sentCount, surpriseCount: log.surpriseCount
    ) { [scheduler] in
      scheduler.wake(isUrgent: true)
    }
  }

  /// Tells how a query would be followed.
  func explain(_ key: LiveQueryKey) async throws -> LiveExplanation {
    if let reason = key.makeQuery(runAgain: nil).requeryReason {
      do {
        let tables = try await connection.writer.readUnlessClosed { try key.makeQuery(runAgain: nil).readTables($0) }
        return LiveExplanation(isMaintained: false, reason: reason.description, tables: tables.sorted())
      } catch {
        throw connection.writer.wrapping(error)
      }
    }
    return try await withCheckedThrowingContinuation { continuation in
      send(.explain(LiveInquiry(key: key) { continuation.resume(with: $0) }))
    }
  }

  /// How many different queries are followed, once everything that was asked for is done. For tests.
  func followedQueryCount() async -> Int {
    await withCheckedContinuation { continuation in
      send(.countQueries { continuation.resume(returning: $0) })
    }
  }

  /// What a request gets, read on the calling thread.
  func immediate<Published>(_ request: LiveRequest<Published>, window: Int) -> Published {
    // Whether its tables can be captured is not known here, and what is read once needs no maintenance.
    let query = request.key.makeQuery(runAgain: RequeryReason("it is read once"))
    do {
      var published: Published?
      try reader.withSnapshot { snapshot in
        try query.beginLoad(window: window)(snapshot.database)
        _ = query.endLoad(window: window)
        published = request.presentation.published(of: query, window: window, at: Commit(number: snapshot.commit))
      }
      return published ?? .unread
    } catch {
      let error = connection.writer.wrapping(error)
      return Published.unread.inState(error as? StoreError == .suspended ? .suspended : .failed(error))
    }
  }

  /// Looks whether others wrote.
  func noticeOutsideChanges() async throws -> Bool {
    do {
      try connection.throwIfClosed()
      return try await connection.writer.writeWithoutTransaction { [connection, capture] db in
        try db.throwIfClosed()
        capture.capture(db)?.look(db)
        return connection.observer(db).hasOutsideChanges(db)
      }
    } catch {
      throw connection.writer.wrapping(error)
    }
  }

  /// Reads again what could not be read while the app was suspended. Where the database hears of its resumption after this, the
  /// first try comes too early, and the next one a tenth of a second later.
  private func observeResumption() {
    // The observation lasts as long as the process, and holds nothing.
    _ = NotificationCenter.default.addObserver(forName: Database.resumeNotification, object: nil, queue: nil) {
      [weak self] _ in self?.send(.retryAll)
    }
  }
}

// MARK: - The store

extension LiveEngine: StoreFollower {
  /// Called on the writer's queue when a commit has left something to look at.
  fileprivate func committed() {
    if defersWake.load(ordering: .relaxed) {
      hasDeferredWake.store(true, ordering: .releasing)
    } else {
      scheduler.wake(isUrgent: false)
    }
  }

  func transactionBegins() {
    // What was to be looked at when the writer is free would have to wait for this transaction.
    if log.takeLookAhead() { scheduler.wake(isUrgent: false) }
    defersWake.store(true, ordering: .relaxed)
  }

  /// Has the writer's queue look at a small change next, once the caller has what it waits for: all that it takes is in the caches
  /// of that thread, and another one takes several times as long. What is more than a few rows is left to the caller, who wakes
  /// the engine once it has left the queue: waking a thread takes as long as a small transaction.
  func transactionEnded() {
    defersWake.store(false, ordering: .relaxed)
    guard hasDeferredWake.load(ordering: .relaxed), log.isSmall, commands.isEmpty, scheduler.mayBegin else { return }
    hasDeferredWake.store(false, ordering: .relaxed)
    log.setLookAhead()
    connection.writer.asyncWriteWithoutTransaction { [weak self] db in self?.lookOnWriter(db) }
  }

  private func lookOnWriter(_ db: Database) {
    guard log.takeLookAhead() else { return }
    guard db.sqliteConnection != nil, !db.isInsideTransaction, log.isSmall, commands.isEmpty,
      let turn = scheduler.begin()
    else { return scheduler.wake(isUrgent: false) }
    run(turn, onWriter: db)
  }

  func writerWasLeft() {
    if hasDeferredWake.exchange(false, ordering: .acquiringAndReleasing) { scheduler.wake(isUrgent: false) }
  }

  func releaseMemory() {
    forms.releaseMemory()
    reader.close()
  }

  func storeWasClosed() {
    reader.close(forGood: true)
    send(.close)
  }
}

// MARK: - Turns

extension LiveEngine {
  /// How many queries a turn on the writer's queue may read.
  private static let greatestInlineCount = 4

  /// Runs a turn, and those that what it left to be read makes necessary: waking another thread takes as long as reading some rows.
  fileprivate func run(_ turn: consuming Turn) {
    var next = Optional(turn)
    var hasRead = false
    while let turn = next.take() {
      if !runOnce(turn) { break }
      hasRead = true
      next = scheduler.beginUrgent()
    }
    if hasRead { lookForOutsideChanges() }
  }

  /// - Returns: Whether queries were read, which is for another turn.
  private func runOnce(_ turn: consuming Turn) -> Bool {
    let session = session.value(in: turn)
    begin(turn, session)
    let isUrgent = !waiters.isEmpty
    guard !session.isClosed,
      log.hasPending || session.lastFailure != nil || session.needsSnapshot(isUrgent: isUrgent)
    else {
      if !session.capture.isWatching { reader.close() }
      end(turn, session)
      return false
    }
    // The turn ends before the queries are read.
    var running = Optional(turn)
    var hasRead = false
    let surpriseCount = log.surpriseCount
    do {
      try reader.withSnapshot { snapshot in
        let changes = log.take(through: snapshot.commit)
        if changes.schemaChanged { reader.close() }
        session.process(changes, at: snapshot, surpriseCount: surpriseCount)
        session.prepareWaiting()
        let reading = session.takeReading(isUrgent: isUrgent)
        if let turn = running.take() { end(turn, session, at: snapshot.commit) }
        if let reading {
          read(reading, snapshot)
          hasRead = true
        }
      }
    } catch {
      if running != nil { session.fail(error) }
    }
    if let turn = running.take() { end(turn, session) }
    return hasRead
  }

  /// Runs a turn on the writer's queue, outside of a transaction, for what its last commit left.
  private func run(_ turn: consuming Turn, onWriter db: Database) {
    let session = session.value(in: turn)
    begin(turn, session)
    let surpriseCount = log.surpriseCount
    do {
      try reader.withSnapshot(onWriter: db) { snapshot in
        let changes = log.take(through: snapshot.commit)
        session.process(
          changes, at: snapshot, surpriseCount: surpriseCount, appliesAtMost: Self.greatestInlineCount)
      }
      // What is left to be applied waits for no frame.
      end(turn, session, at: log.lastCommit, leavesRest: session.hasNoted)
    } catch {
      session.fail(error)
      end(turn, session)
    }
  }

  private func begin(_ turn: borrowing Turn, _ session: LiveSession) {
    scheduler.noteBegin(turn)
    session.retryIfDue()
    for command in commands.takeAll() { session.carryOut(command) }
    // Before what is new holds them back again.
    if !session.isHolding { deliveries.add(session.takeNews()) }
    prepare(session)
  }

  /// Lets queries be read whose changes are captured, and asks the writer, in its turn, for what is missing.
  private func prepare(_ session: LiveSession) {
    session.prepareWaiting()
    guard !session.isClosed, let goal = session.capture.nextGoal() else { return }
    connection.writer.asyncWriteWithoutTransaction { [connection, capture, weak self] db in
      let outcome = Result {
        try db.throwIfClosed()
        try connection.throwIfClosed()
        return try capture.makeCapture(connection, db).pursue(goal, on: db)
      }
      self?.send(.captureAnswered(outcome))
    }
  }

  /// Tells consumers and waiters, and lets the next turn begin.
  ///
  /// - Parameters:
  ///   - commit: The last commit that was looked at, if any was.
  ///   - leavesRest: Whether the turn leaves a part of its own work to the next.
  private func end(
    _ turn: consuming Turn, _ session: LiveSession, at commit: UInt64? = nil, leavesRest: Bool = false
  ) {
    session.letGoOfUnwatched()
    // What the turn brought up may be missing capture, or have to be read.
    prepare(session)
    if !session.isHolding {
      deliveries.add(session.takeNews())
      if let commit { processed.store(commit, ordering: .releasing) }
    }
    releaseWaiters(session)
    let isUrgent = leavesRest || !waiters.isEmpty
    let hasFailed = session.lastFailure != nil
    let continues = !commands.isEmpty || !hasFailed && (log.hasPending || session.needsSnapshot(isUrgent: isUrgent))
    let delay = session.nextTime().map { max(.zero, $0 - scheduler.clock.now()) }
    scheduler.end(turn, continues: continues, isUrgent: isUrgent)
    if let delay, !continues { scheduler.wake(after: delay) }
  }

  private func releaseWaiters(_ session: LiveSession) {
    if waiters.isEmpty { return }
    // Read first: of what was committed and found up to now, nothing is left to be looked at when nothing is pending.
    let last = log.lastCommit
    let surpriseCount = log.surpriseCount
    let takenCount = commands.takenCount
    let isIdle = commands.isEmpty && !log.hasPending
    if session.isHolding { return }
    if isIdle {
      processed.store(last, ordering: .releasing)
      session.noteSurprises(surpriseCount)
    }
    for waiter in waiters.all where waiter.sentCount <= takenCount && session.isDone(waiter, last: isIdle ? last : nil)
    {
      waiters.release(waiter, with: session.isSuspended(waiter) ? .failure(LiveError.suspended) : .success(()))
    }
  }

  /// Reads what a turn that is over left, at its snapshot. What came of it is sent for the next turn.
  private func read(_ reading: LeftToReader, _ snapshot: Snapshot) {
    let (clock, db) = (scheduler.clock, snapshot.database)
    let mark = reading.loads.isEmpty ? nil : snapshot.mark()
    for (index, load) in reading.loads.enumerated() {
      let start = clock.now()
      let outcome = Result { try load.read(db) }
      let report = LoadReport(
        query: load.query, load: load.number, outcome: outcome, duration: clock.now() - start, mark: mark)
      // The turn that the end of the last one begins knows that the reader is free.
      if index == reading.loads.count - 1 { commands.send(.loadEnded(report)) } else { send(.loadEnded(report)) }
    }
    // The turn that the reader's end begins knows of it.
    if let round = reading.audit, let ended = audits.run(round, db, confirmed: { [self] in send($0) }) {
      commands.send(ended)
    }
    commands.send(.readerEnded)
  }

  /// Has the writer look, in its turn, whether others wrote before the queries were read: what they wrote is not to be read again
  /// when it notices that with its next commit.
  private func lookForOutsideChanges() {
    guard connection.readsConcurrently else { return }
    connection.writer.asyncWriteWithoutTransaction { [capture] db in
      if db.sqliteConnection != nil { capture.capture(db)?.look(db) }
    }
  }
}

/// Leads from what the engine has made to the engine, without holding it.
private final class EngineHook: Sendable {
  private struct Reference: Sendable {
    weak var engine: LiveEngine?
  }

  /// Guards the reference, which is set once.
  private let reference = Lock(Reference())

  var engine: LiveEngine? { reference.withLock { $0.engine } }

  func set(_ engine: LiveEngine) {
    reference.withLock { $0.engine = engine }
  }

  func run(_ turn: consuming Turn) {
    if let engine { engine.run(turn) }
  }
}
