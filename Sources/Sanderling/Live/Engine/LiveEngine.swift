import Dispatch
import GRDB
import Synchronization

/// Follows the database for all live results of a store.
///
/// Work is done in turns, one at a time, away from the writer and the main thread. A turn carries out what consumers asked for,
/// takes what was captured up to the commit that its snapshot shows, applies it, and tells the consumers. Queries that have to
/// be read are read at the same snapshot after the turn's end, beside later turns.
final class LiveEngine: Sendable {
  private struct State {
    var commands: [LiveCommand] = []
    /// How many commands were sent, and how many of them turns have taken.
    var sentCount = 0
    var takenCount = 0
    var waiters: [Waiter] = []
    var isTurning = false
    /// Whether there is something to do after the turn that runs.
    var isAsked = false
    /// Whether it can't wait for the next frame.
    var isUrgent = false
    /// Whether a timer will start the next turn.
    var isScheduled = false
    /// When the last turn began.
    var lastTurn: Duration?
    /// How many turns are over whose readers still read.
    var readerCount = 0
    var isRequeryScheduled = false
    var isSweepScheduled = false
  }

  struct Waiter {
    let number: UInt64
    let commit: UInt64
    /// Nil for all consumers.
    let consumer: LiveConsumerID?
    /// How many commands were sent before it: what a result was asked for comes first.
    let sentCount: Int
    let continuation: CheckedContinuation<Void, any Error>
  }

  let writer: any DatabaseWriter
  let capture: ChangeCapture
  let clock: LiveClock
  let deliveries: MainDeliveries
  /// The least time between the begins of two turns, unless someone waits.
  let interval: Duration
  /// Guards what is asked of the engine. Never held while work is done.
  private let state = Lock(State())
  /// Used by the turn that runs, and there is one at a time: `isTurning`, under the lock of the state, is what guards it.
  nonisolated(unsafe) private let core: LiveCore
  let turnReader = TurnReader()
  private let lastConsumer = Atomic<UInt64>(0)
  /// The last commit that was looked at.
  private let processed = Atomic<UInt64>(0)
  /// Whether the writer runs a transaction whose caller wakes the engine. Changed on the writer's queue.
  private let defersWake = Atomic(false)
  /// Whether a commit of such a transaction left something to look at.
  private let hasDeferredWake = Atomic(false)
  private let queue = DispatchQueue(label: "Sanderling.live", qos: .userInitiated, attributes: .concurrent)

  /// How many turns may still be reading queries when another begins.
  private static let greatestReaderCount = 2

  init(writer: any DatabaseWriter, commits: CommitObserver, clock: LiveClock, interval: Duration) {
    self.writer = writer
    capture = commits.capture
    self.clock = clock
    self.interval = interval
    deliveries = MainDeliveries()
    core = LiveCore(writer: writer, capture: capture, clock: clock)
    capture.onCommit = { [weak self] in self?.committed() }
    if writer.configuration.observesSuspensionNotifications { observeResumption() }
  }

  func makeConsumerID() -> LiveConsumerID {
    LiveConsumerID(number: lastConsumer.add(1, ordering: .relaxed).newValue)
  }
}

// MARK: - Asking

extension LiveEngine {
  func send(_ command: LiveCommand) {
    state.withLock { state in
      state.commands.append(command)
      state.sentCount += 1
    }
    wake(isUrgent: true)
  }

  /// Called on the writer's queue when a commit has left something to look at.
  func committed() {
    if defersWake.load(ordering: .relaxed) {
      hasDeferredWake.store(true, ordering: .releasing)
    } else {
      wake(isUrgent: false)
    }
  }

  /// Runs a transaction on the writer's queue, for a caller that wakes the engine once it has left the queue: waking a thread
  /// takes as long as a small transaction.
  func deferringWake<Value>(_ transaction: () throws -> Value) rethrows -> Value {
    defersWake.store(true, ordering: .relaxed)
    defer { defersWake.store(false, ordering: .relaxed) }
    return try transaction()
  }

  func wakeIfDeferred() {
    if hasDeferredWake.exchange(false, ordering: .acquiringAndReleasing) { wake(isUrgent: false) }
  }

  /// The last commit that nothing is left to be looked at of.
  var processedCommit: Commit {
    // Read in this order: what was committed before is either still captured, in a turn that runs, or processed.
    let last = capture.lastCommit
    if !capture.hasPending, !state.withLock({ $0.isTurning || !$0.commands.isEmpty }) { return Commit(number: last) }
    return Commit(number: processed.load(ordering: .acquiring))
  }

  /// Takes what is ready for the main actor.
  @MainActor
  func deliverNow() {
    deliveries.deliver()
  }

  /// Waits until a consumer's query stands for a commit.
  func reached(_ commit: Commit, by consumer: LiveConsumerID) async throws {
    try await wait(commit.number, consumer)
  }

  /// Waits until all queries stand for the last commit, or could not be read.
  func settled() async {
    // The writer knows of commits that GRDB told nobody of, of statements that failed after some rows. A store that was
    // closed has its last commit behind it.
    let last = try? await writer.writeWithoutTransaction { [capture] db in
      db.sqliteConnection == nil ? capture.lastCommit : capture.name(onWriter: db)
    }
    // Only the cancellation of the task ends it early.
    _ = try? await wait(last ?? capture.lastCommit, nil)
  }

  private func wait(_ commit: UInt64, _ consumer: LiveConsumerID?) async throws {
    let number = lastConsumer.add(1, ordering: .relaxed).newValue
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isCancelled = state.withLock { state in
          if Task.isCancelled { return true }
          state.waiters.append(
            Waiter(
              number: number, commit: commit, consumer: consumer, sentCount: state.sentCount,
              continuation: continuation))
          return false
        }
        if isCancelled { return continuation.resume(throwing: CancellationError()) }
        wake(isUrgent: true)
      }
    } onCancel: {
      let waiter = state.withLock { state in
        state.waiters.firstIndex { $0.number == number }.map { state.waiters.remove(at: $0) }
      }
      waiter?.continuation.resume(throwing: CancellationError())
    }
  }
}

// MARK: - Turns

extension LiveEngine {
  /// Has a turn begin as soon as it may.
  func wake(isUrgent: Bool) {
    let delay: Duration? = state.withLock { state in
      state.isUrgent = state.isUrgent || isUrgent
      if state.isTurning {
        state.isAsked = true
        return nil
      }
      let delay = state.isUrgent ? .zero : state.lastTurn.map { max(.zero, $0 + interval - clock.now()) } ?? .zero
      if delay == .zero {
        state.isTurning = true
      } else if state.isScheduled {
        return nil
      } else {
        state.isScheduled = true
      }
      return delay
    }
    guard let delay else { return }
    if delay == .zero {
      queue.async { self.turn() }
    } else {
      Task {
        try? await clock.sleep(delay)
        state.withLock { $0.isScheduled = false }
        wake(isUrgent: true)
      }
    }
  }

  private func turn() {
    let (commands, isUrgent) = state.withLock { state in
      defer { state.commands = [] }
      state.takenCount = state.sentCount
      state.isUrgent = false
      state.isAsked = false
      state.lastTurn = clock.now()
      return (state.commands, !state.waiters.isEmpty)
    }
    for command in commands { command.run(core) }
    // Before what is new holds them back again.
    if core.held.isEmpty { deliveries.add(core.takeNews()) }
    if let installation = core.prepareWaiting() { install(installation) }
    let needsSnapshot = core.needsSnapshot(isUrgent: isUrgent)
    guard capture.hasPending || needsSnapshot else {
      if core.allQueries.isEmpty { turnReader.close() }
      return endTurn()
    }
    do {
      try withSnapshot(followsCommit: !needsSnapshot) { db, commit in
        let now = clock.now()
        let mayLoad = state.withLock { $0.readerCount < Self.greatestReaderCount }
        let changes = capture.take(through: commit)
        if changes.schemaChanged { turnReader.close() }
        let loads = core.process(
          changes, through: commit, db, isUrgent: isUrgent, mayLoad: mayLoad, at: now)
        if !loads.isEmpty { state.withLock { $0.readerCount += 1 } }
        endTurn(commit)
        run(loads, db, commit)
      }
    } catch {
      core.fail(error)
      endTurn()
    }
  }

  /// Reads queries at the snapshot of a turn that is over.
  private func run(_ loads: [LiveLoad], _ db: Database, _ commit: UInt64) {
    for (index, load) in loads.enumerated() {
      let start = clock.now()
      let outcome = Result { try load.run(db) }
      let duration = clock.now() - start
      // Before the last turn that this reader asks for, which may begin another.
      if index == loads.count - 1 { state.withLock { $0.readerCount -= 1 } }
      send(LiveCommand { core in core.finish(load.query, outcome, commit: commit, duration: duration) })
    }
  }

  /// Asks the writer, in its turn, to capture more.
  private func install(_ installation: LiveCore.Installation) {
    writer.asyncWriteWithoutTransaction { [capture] db in
      let outcome = Result {
        try db.throwIfClosed()
        capture.follow(tables: installation.allTables)
        return try capture.install(installation.needs, on: db)
      }
      self.send(LiveCommand { core in core.installed(installation, outcome) })
    }
  }

  /// Tells consumers and waiters, and lets the next turn begin.
  ///
  /// - Parameter commit: The last commit that was looked at, if any was.
  private func endTurn(_ commit: UInt64? = nil) {
    if core.held.isEmpty {
      deliveries.add(core.takeNews())
      if let commit { processed.store(commit, ordering: .releasing) }
    }
    // What the turn brought up may be missing capture, or have to be read.
    if let installation = core.prepareWaiting() { install(installation) }
    let delay = core.timeToNextLoad
    let hasUnwatched = core.noteUnwatched()
    for (waiter, isSuspended) in takeReached() {
      if isSuspended {
        waiter.continuation.resume(throwing: LiveError.suspended)
      } else {
        waiter.continuation.resume()
      }
    }
    let next: (isAsked: Bool, isUrgent: Bool) = state.withLock { state in
      let isUrgent = !state.waiters.isEmpty
      let mayRead = state.readerCount < Self.greatestReaderCount
      let isAsked =
        state.isAsked || !state.commands.isEmpty || capture.hasPending
        || mayRead && core.needsSnapshot(isUrgent: isUrgent)
      state.isTurning = false
      return (isAsked, state.isUrgent || isUrgent)
    }
    if next.isAsked { wake(isUrgent: next.isUrgent) }
    if let delay { wake(after: delay) }
    if hasUnwatched { scheduleSweep() }
  }

  /// Those whose wait is over.
  private func takeReached() -> [(waiter: Waiter, isSuspended: Bool)] {
    // Read first: of what was committed up to now, nothing is left to be looked at when nothing is pending.
    let last = capture.lastCommit
    let (waiters, isIdle) = state.withLock { state in
      (state.waiters.filter { $0.sentCount <= state.takenCount }, state.commands.isEmpty && !capture.hasPending)
    }
    if !core.held.isEmpty { return [] }
    if isIdle { processed.store(last, ordering: .releasing) }
    let done = waiters.filter { core.isDone($0, last: isIdle ? last : nil) }.map {
      (waiter: $0, isSuspended: core.isSuspended($0))
    }
    if done.isEmpty { return [] }
    let numbers = Set(done.map(\.waiter.number))
    // Those that were cancelled meanwhile are gone already.
    let remaining = state.withLock { state in
      let remaining = Set(state.waiters.map(\.number))
      state.waiters.removeAll { numbers.contains($0.number) }
      return remaining
    }
    return done.filter { remaining.contains($0.waiter.number) }
  }

  /// - Returns: Whether no sweep is scheduled yet.
  func beginSweep() -> Bool {
    state.withLock { state in
      defer { state.isSweepScheduled = true }
      return !state.isSweepScheduled
    }
  }

  func endSweep() {
    state.withLock { $0.isSweepScheduled = false }
  }

  /// Has a turn begin later, for queries that wait for their turn to be run again.
  private func wake(after delay: Duration) {
    let schedules = state.withLock { state in
      defer { state.isRequeryScheduled = true }
      return !state.isRequeryScheduled
    }
    guard schedules else { return }
    Task {
      try? await clock.sleep(delay)
      state.withLock { $0.isRequeryScheduled = false }
      wake(isUrgent: true)
    }
  }
}
