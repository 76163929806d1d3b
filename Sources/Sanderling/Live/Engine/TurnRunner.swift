import GRDB
import Synchronization

/// Runs turns: carries out commands, applies captured changes, publishes to consumers and waiters, and runs loads.
final class TurnRunner: Sendable {
  let commands = CommandQueue()
  let waiters = LiveWaiters()
  let deliveries = MainDeliveries()
  let reader: SnapshotReader
  let scheduler: TurnScheduler
  let audits: AuditRunner
  /// The capture, once the writer's queue has made it.
  let capture: CaptureSlot
  /// Has the writer look for commits of others when files change.
  let outside: OutsideWatch
  private let connection: StoreConnection
  private let log: ChangeLog
  /// The results that were read again after outside changes.
  let reloads = OutsideReloads()
  private let session: TurnConfined<LiveSession>
  /// The latest processed commit.
  private let processed = Atomic<UInt64>(0)
  /// Whether a transaction runs whose caller wakes the engine afterwards. Changed on the writer's queue.
  private let defersWake = Atomic(false)
  /// Whether such a transaction's commit left changes to process.
  private let hasDeferredWake = Atomic(false)

  init(_ connection: StoreConnection, _ log: ChangeLog, _ options: LiveOptions) {
    self.connection = connection
    self.log = log
    scheduler = TurnScheduler(clock: options.clock, interval: options.interval)
    let slot = CaptureSlot(log)
    capture = slot
    outside = OutsideWatch(watchesFiles: options.watchesFiles) { [weak connection, weak slot] begin, end in
      guard let connection, let slot else { return }
      connection.writer.asyncWriteWithoutTransaction { db in
        begin()
        end(db.sqliteConnection == nil ? true : slot.capture(db)?.lookForOutsideChanges(db) ?? true)
      }
    }
    reader = SnapshotReader(connection) { slot.capture($0) }
    let writer = connection.writer
    audits = AuditRunner(writer, log, slot, options.audit.handler)
    session = TurnConfined(
      LiveSession(options, followed: log.followed, reloads) { error in writer.wrapping(error) })
  }

  /// Sends a command, and requests a turn that carries it out as soon as one may begin.
  func send(_ command: LiveCommand) {
    commands.send(command)
    wake(isUrgent: true)
  }

  /// Requests a turn, on a thread of its own as soon as one may begin.
  func wake(isUrgent: Bool) { scheduler.wake(isUrgent: isUrgent, runner) }

  /// Runs a turn, unless the engine was released.
  private var runner: TurnScheduler.Run { { [weak self] turn in if let self { run(turn) } } }

  /// The latest fully processed commit.
  var processedCommit: Commit {
    // This order matters: the changes of `last` are still captured, in a running turn, or processed.
    let last = log.lastCommit
    if !log.hasPending, !scheduler.isTurning, commands.isEmpty { return Commit(number: last) }
    return Commit(number: processed.load(ordering: .acquiring))
  }
}

extension TurnRunner {
  /// The most dirty queries that a turn on the writer's queue applies. With more, it leaves all of them to the next
  /// turn.
  private static let greatestInlineCount = 4

  /// Runs a turn, and the further turns that its loads require. They run on this thread: waking another takes as long
  /// as reading some rows.
  func run(_ turn: consuming Turn) {
    var next = Optional(turn)
    var hasRead = false
    while let turn = next.take() {
      if !runOnce(turn) { break }
      hasRead = true
      next = scheduler.beginUrgent()
    }
    if hasRead { lookForOutsideChanges() }
  }

  /// - Returns: Whether queries were read. Then another turn must follow.
  private func runOnce(_ turn: consuming Turn) -> Bool {
    let session = session.value(in: turn)
    begin(turn, session)
    let isUrgent = !waiters.isEmpty
    guard !session.isClosed,
      log.hasPending || session.lastFailure != nil || session.needsSnapshot(isUrgent: isUrgent)
    else {
      if !session.capture.isWatching { reader.close() }
      session.releaseEndedHolds()
      end(turn, session)
      return false
    }
    // The turn ends before the loads.
    var running = Optional(turn)
    var hasRead = false
    let unreportedCount = log.unreportedCount
    do {
      try reader.withSnapshot { snapshot in
        let changes = log.take(through: snapshot.commit)
        if changes.outside != .none { connection.folding?.wake() }
        if changes.schemaChanged { reader.close() }
        session.process(changes, at: snapshot, unreportedCount: unreportedCount)
        session.releaseEndedHolds()
        session.prepareWaiting()
        if session.hasWork {
          tell(session, at: snapshot.commit)
          session.work(snapshot.database)
        }
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

  /// Runs a turn on the writer's queue, outside of a transaction, for the changes of its last commit.
  func run(_ turn: consuming Turn, onWriter db: Database) {
    let session = session.value(in: turn)
    begin(turn, session)
    let unreportedCount = log.unreportedCount
    do {
      try reader.withSnapshot(onWriter: db) { snapshot in
        let changes = log.take(through: snapshot.commit)
        if changes.outside != .none { connection.folding?.wake() }
        session.process(
          changes, at: snapshot, unreportedCount: unreportedCount, appliesAtMost: Self.greatestInlineCount)
        session.releaseEndedHolds()
      }
      // The rest is urgent: it does not wait for the next frame.
      end(turn, session, at: log.lastCommit, leavesRest: session.hasNoted)
    } catch {
      session.fail(error)
      end(turn, session)
    }
  }

  private func begin(_ turn: borrowing Turn, _ session: LiveSession) {
    scheduler.noteBegin(turn)
    session.retryIfDue()
    for command in commands.takeAll() { session.carryOut(command, in: turn) }
    // Publishes the older news before this turn's changes hold them back again.
    if !session.isHolding { deliveries.add(session.takeNews()) }
    prepare(session)
  }

  /// Makes queries due if their tables are captured, and asks the writer to capture the missing tables.
  private func prepare(_ session: LiveSession) {
    session.prepareWaiting()
    guard !session.isClosed, let goal = session.capture.nextGoal() else { return }
    connection.writer.asyncWriteWithoutTransaction { [connection, capture, outside, weak self] db in
      let outcome = Result {
        try db.throwIfClosed()
        try connection.throwIfClosed()
        return try capture.makeCapture(connection, outside, db) { [weak self] in self?.committed() }
          .pursue(goal, on: db)
      }
      self?.send(.captureAnswered(outcome))
    }
  }

  /// Publishes to consumers and waiters, and lets the next turn begin.
  ///
  /// - Parameters:
  ///   - commit: The latest processed commit; nil when the turn had no snapshot.
  ///   - leavesRest: Whether the turn leaves a part of its own work to the next.
  private func end(
    _ turn: consuming Turn, _ session: LiveSession, at commit: UInt64? = nil, leavesRest: Bool = false
  ) {
    session.sweepCaptures()
    // Queries that came up in this turn may need capture or a load.
    prepare(session)
    tell(session, at: commit)
    let isUrgent = leavesRest || !waiters.isEmpty
    let hasFailed = session.lastFailure != nil
    let continues = !commands.isEmpty || !hasFailed && (log.hasPending || session.needsSnapshot(isUrgent: isUrgent))
    let delay = session.nextTime().map { max(.zero, $0 - scheduler.clock.now()) }
    scheduler.end(turn, continues: continues, isUrgent: isUrgent, runner)
    if let delay, !continues { scheduler.wake(after: delay, runner) }
  }

  /// Publishes the news to consumers, and releases the waiters whose condition holds.
  ///
  /// - Parameter commit: The latest processed commit; nil when the turn had no snapshot.
  private func tell(_ session: LiveSession, at commit: UInt64?) {
    if !session.isHolding {
      deliveries.add(session.takeNews())
      if let commit { processed.store(commit, ordering: .releasing) }
    }
    releaseWaiters(session)
  }

  private func releaseWaiters(_ session: LiveSession) {
    if waiters.isEmpty { return }
    // Read before `isIdle`: if nothing is pending then, all of these commits and unreported are processed.
    let last = log.lastCommit
    let unreportedCount = log.unreportedCount
    let takenCount = commands.takenCount
    let isIdle = commands.isEmpty && !log.hasPending
    if session.isHolding { return }
    if isIdle {
      processed.store(last, ordering: .releasing)
      session.noteUnreported(unreportedCount)
    }
    for waiter in waiters.all where waiter.sentCount <= takenCount && session.isDone(waiter, last: isIdle ? last : nil)
    {
      waiters.release(waiter, with: session.isSuspended(waiter) ? .failure(LiveError.suspended) : .success(()))
    }
  }

  /// Runs the loads and the audit round of an ended turn, at its snapshot. The outcomes are sent as commands for the
  /// next turn.
  private func read(_ reading: LeftToReader, _ snapshot: Snapshot) {
    let (clock, db) = (scheduler.clock, snapshot.database)
    let mark = reading.loads.isEmpty ? nil : snapshot.mark()
    for (index, load) in reading.loads.enumerated() {
      let start = clock.now()
      let outcome = Result { try load.read(db) }
      let report = LoadReport(load: load, outcome: outcome, duration: clock.now() - start, mark: mark)
      // The last report requests no turn, so that the next turn also receives `readerEnded`.
      if index == reading.loads.count - 1 { commands.send(.loadEnded(report)) } else { send(.loadEnded(report)) }
    }
    // Requests no turn, for the same reason.
    if let round = reading.audit, let ended = audits.run(round, db, confirmed: { [self] in send($0) }) {
      commands.send(ended)
    }
    commands.send(.readerEnded)
  }

  /// Has the writer check for outside changes after loads, which contain them already. Otherwise the next commit would
  /// notice them, and the queries would be read again for nothing.
  private func lookForOutsideChanges() {
    guard connection.readsConcurrently else { return }
    connection.writer.asyncWriteWithoutTransaction { [capture] db in
      if db.sqliteConnection != nil { capture.capture(db)?.look(db) }
    }
  }
}

// MARK: - When the writer commits

extension TurnRunner {
  /// Requests a turn for a commit's changes, or defers the request to the transaction's caller. Called on the writer's
  /// queue.
  private func committed() {
    if defersWake.load(ordering: .relaxed) {
      hasDeferredWake.store(true, ordering: .releasing)
    } else {
      wake(isUrgent: false)
    }
  }

  func transactionBegins() {
    // A look on the writer's queue would have to wait for this transaction, so another thread takes the turn.
    if log.takePlannedTurn() { wake(isUrgent: false) }
    defersWake.store(true, ordering: .relaxed)
  }

  /// Lets the writer's queue process a small change next, after the caller has its result. That thread has all needed
  /// data in its caches; another takes several times as long. A larger change is left to the caller, who wakes the
  /// engine after leaving the queue. Waking a thread takes as long as a small transaction.
  func transactionEnded() {
    defersWake.store(false, ordering: .relaxed)
    guard hasDeferredWake.load(ordering: .relaxed), log.isSmall, commands.isEmpty, scheduler.mayBegin else {
      return
    }
    hasDeferredWake.store(false, ordering: .relaxed)
    log.planTurn()
    connection.writer.asyncWriteWithoutTransaction { [weak self] db in self?.lookOnWriter(db) }
  }

  private func lookOnWriter(_ db: Database) {
    guard log.takePlannedTurn() else { return }
    guard db.sqliteConnection != nil, !db.isInsideTransaction, log.isSmall, commands.isEmpty,
      let turn = scheduler.begin()
    else { return wake(isUrgent: false) }
    run(turn, onWriter: db)
  }

  func writerWasLeft() {
    if hasDeferredWake.exchange(false, ordering: .acquiringAndReleasing) { wake(isUrgent: false) }
  }
}
