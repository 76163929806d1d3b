import GRDB
import Synchronization

/// Runs turns: carries out what was asked for, applies what was captured, tells consumers and waiters, and reads what is left.
final class TurnRunner: Sendable {
  let commands = CommandQueue()
  let waiters = LiveWaiters()
  let deliveries = MainDeliveries()
  let reader: SnapshotReader
  let scheduler: TurnScheduler
  let audits: AuditRunner
  /// What records the changes, once the writer's queue has made it.
  let capture: CaptureSlot
  /// Has the writer look for commits of others when files change.
  let outside: OutsideWatch
  private let connection: StoreConnection
  private let log: ChangeLog
  private let session: TurnConfined<LiveSession>
  /// The last commit that was looked at.
  private let processed = Atomic<UInt64>(0)
  /// Whether the writer runs a transaction whose caller wakes the engine. Changed on the writer's queue.
  private let defersWake = Atomic(false)
  /// Whether a commit of such a transaction left something to look at.
  private let hasDeferredWake = Atomic(false)

  init(_ connection: StoreConnection, _ log: ChangeLog, _ options: LiveOptions) {
    self.connection = connection
    self.log = log
    scheduler = TurnScheduler(clock: options.clock, interval: options.interval)
    let slot = CaptureSlot(log)
    capture = slot
    outside = OutsideWatch(
      observesSuspension: connection.writer.configuration.observesSuspensionNotifications,
      watchesFiles: options.watchesFiles
    ) { [weak connection, weak slot] begin in
      guard let connection, let slot else { return }
      connection.writer.asyncWriteWithoutTransaction { db in
        begin()
        if db.sqliteConnection != nil { slot.capture(db)?.look(db) }
      }
    }
    reader = SnapshotReader(connection) { slot.capture($0) }
    let writer = connection.writer
    audits = AuditRunner(writer, log, slot, options.audit.handler)
    session = TurnConfined(
      LiveSession(options, followed: log.followed) { error in writer.wrapping(error) })
  }

  /// Has a turn carry out a command as soon as one can begin.
  func send(_ command: LiveCommand) {
    commands.send(command)
    wake(isUrgent: true)
  }

  /// Has a turn begin on a thread of its own as soon as it may.
  func wake(isUrgent: Bool) { scheduler.wake(isUrgent: isUrgent, runner) }

  /// Runs a turn, unless the engine is gone.
  private var runner: TurnScheduler.Run { { [weak self] turn in if let self { run(turn) } } }

  /// The last commit that nothing is left to be looked at of.
  var processedCommit: Commit {
    // Read in this order: what was committed before is either still captured, in a turn that runs, or processed.
    let last = log.lastCommit
    if !log.hasPending, !scheduler.isTurning, commands.isEmpty { return Commit(number: last) }
    return Commit(number: processed.load(ordering: .acquiring))
  }
}

extension TurnRunner {
  /// How many queries a turn on the writer's queue may read.
  private static let greatestInlineCount = 4

  /// Runs a turn, and those that what it left to be read makes necessary: waking another thread takes as long as reading some rows.
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

  /// - Returns: Whether queries were read, which is for another turn.
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
    // The turn ends before the queries are read.
    var running = Optional(turn)
    var hasRead = false
    let surpriseCount = log.surpriseCount
    do {
      try reader.withSnapshot { snapshot in
        let changes = log.take(through: snapshot.commit)
        if changes.cameFromOutside { connection.folding?.wake() }
        if changes.schemaChanged { reader.close() }
        session.process(changes, at: snapshot, surpriseCount: surpriseCount)
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

  /// Runs a turn on the writer's queue, outside of a transaction, for what its last commit left.
  func run(_ turn: consuming Turn, onWriter db: Database) {
    let session = session.value(in: turn)
    begin(turn, session)
    let surpriseCount = log.surpriseCount
    do {
      try reader.withSnapshot(onWriter: db) { snapshot in
        let changes = log.take(through: snapshot.commit)
        if changes.cameFromOutside { connection.folding?.wake() }
        session.process(
          changes, at: snapshot, surpriseCount: surpriseCount, appliesAtMost: Self.greatestInlineCount)
        session.releaseEndedHolds()
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
    for command in commands.takeAll() { session.carryOut(command, in: turn) }
    // Before what is new holds them back again.
    if !session.isHolding { deliveries.add(session.takeNews()) }
    prepare(session)
  }

  /// Lets queries be read whose changes are captured, and asks the writer, in its turn, for what is missing.
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
    tell(session, at: commit)
    let isUrgent = leavesRest || !waiters.isEmpty
    let hasFailed = session.lastFailure != nil
    let continues = !commands.isEmpty || !hasFailed && (log.hasPending || session.needsSnapshot(isUrgent: isUrgent))
    let delay = session.nextTime().map { max(.zero, $0 - scheduler.clock.now()) }
    scheduler.end(turn, continues: continues, isUrgent: isUrgent, runner)
    if let delay, !continues { scheduler.wake(after: delay, runner) }
  }

  /// Tells consumers and waiters what there is to tell.
  ///
  /// - Parameter commit: The last commit that was looked at, if any was.
  private func tell(_ session: LiveSession, at commit: UInt64?) {
    if !session.isHolding {
      deliveries.add(session.takeNews())
      if let commit { processed.store(commit, ordering: .releasing) }
    }
    releaseWaiters(session)
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
      let report = LoadReport(load: load, outcome: outcome, duration: clock.now() - start, mark: mark)
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

// MARK: - When the writer commits

extension TurnRunner {
  /// Called on the writer's queue when a commit has left something to look at.
  private func committed() {
    if defersWake.load(ordering: .relaxed) {
      hasDeferredWake.store(true, ordering: .releasing)
    } else {
      wake(isUrgent: false)
    }
  }

  func transactionBegins() {
    // What was to be looked at when the writer is free would have to wait for this transaction.
    if log.takeLookAhead() { wake(isUrgent: false) }
    defersWake.store(true, ordering: .relaxed)
  }

  /// Has the writer's queue look at a small change next, once the caller has what it waits for: all that it takes is in the caches
  /// of that thread, and another one takes several times as long. What is more than a few rows is left to the caller, who wakes
  /// the engine once it has left the queue: waking a thread takes as long as a small transaction.
  func transactionEnded() {
    defersWake.store(false, ordering: .relaxed)
    guard hasDeferredWake.load(ordering: .relaxed), log.isSmall, commands.isEmpty, scheduler.mayBegin else {
      return
    }
    hasDeferredWake.store(false, ordering: .relaxed)
    log.setLookAhead()
    connection.writer.asyncWriteWithoutTransaction { [weak self] db in self?.lookOnWriter(db) }
  }

  private func lookOnWriter(_ db: Database) {
    guard log.takeLookAhead() else { return }
    guard db.sqliteConnection != nil, !db.isInsideTransaction, log.isSmall, commands.isEmpty,
      let turn = scheduler.begin()
    else { return wake(isUrgent: false) }
    run(turn, onWriter: db)
  }

  func writerWasLeft() {
    if hasDeferredWake.exchange(false, ordering: .acquiringAndReleasing) { wake(isUrgent: false) }
  }
}
