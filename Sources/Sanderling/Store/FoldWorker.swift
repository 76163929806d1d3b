import Dispatch
import GRDB

/// Folds the texts that other writers left pending, in slices on the writer's queue, between the app's writes.
///
/// The opening of the store wakes the worker, and so do commits through the writer that aren't the store's. Reads and
/// turns of live results wake it if they find pending rows or outside changes. Until it is done, each reader folds the
/// texts itself. Folded texts stay folded, so that the worker continues after the end of the process.
///
/// If texts can't be folded, the worker retries after 0.1 s, and then at growing intervals up to 5 s. It ends with
/// ``close()``, with the writer, and when the store releases it.
final class FoldWorker: Sendable {
  fileprivate enum Phase: Equatable {
    case idle
    /// A slice runs, or waits for the writer's queue.
    case working
    /// The last pass failed. The number identifies the pause, since a waiter may end it early.
    case pausing(Int)
    /// The store was closed.
    case closed
  }

  fileprivate struct State {
    var phase = Phase.idle
    /// Whether the worker is held, so that it does nothing.
    var isHeld = false
    /// Whether the worker was woken while it was held.
    var isWanted = false
    /// The number of wake-ups. If it changed during a pass, another pass follows, so that no wake-up is missed.
    var requests = 0
    var pauseCount = 0
    var pace = FoldPace()
    var waiters = FoldWaiters()
  }

  private let texts: [any PendingTexts]
  private let writer: any DatabaseWriter
  /// Guards the state. Never held while texts are folded.
  private let state = Lock(State())

  /// Creates the worker of a schema's texts.
  ///
  /// - Returns: Nil if there is nothing to fold, or if the database is read-only.
  init?(_ schema: StoreSchema, on writer: any DatabaseWriter) {
    texts = schema.records.flatMap { record -> [any PendingTexts] in
      let table = record.table
      if table.isView { return [] }
      return table.folded.map { PendingFolds($0, of: table) } + [PendingDocuments(table)].compactMap { $0 }
    }
    self.writer = writer
    if texts.isEmpty || writer.configuration.readonly { return nil }
  }

  /// Starts the worker if it is idle. If it works, another pass follows. A pause continues.
  func wake() {
    let isIdle = state.withLock { state in
      state.requests += 1
      return state.begin(endingPause: false)
    }
    if isIdle { schedule() }
  }

  /// Stops the worker, or lets it continue: for tests of reads while texts are pending. While it is held, a transaction
  /// folds at most as many rows as it wrote.
  func hold(_ isHeld: Bool) {
    let isWanted = state.withLock { state in
      state.isHeld = isHeld
      defer { if !isHeld { state.isWanted = false } }
      return !isHeld && state.isWanted
    }
    if isWanted { wake() }
  }

  /// Ends the worker. The writer may live on, if it is the app's.
  func close() {
    state.withLock { state in
      state.phase = .closed
      return state.waiters.endAll(.failure(StoreError.closed))
    }.resume()
  }

  /// Folds the texts that a transaction left pending, before its commit.
  ///
  /// Other writers may have left many more pending texts before. So the number of folded rows is limited to the number
  /// of written rows plus a constant.
  ///
  /// - Parameter changes: The most rows that the transaction may have written.
  func foldBeforeCommit(_ db: Database, changes: Int) throws {
    if changes == 0 { return }
    let others = state.withLock { $0.isHeld ? 0 : FoldPace.leastRows }
    for texts in texts where try texts.isPending(db) {
      let limit = changes + others
      if try texts.settle(db, limit: limit) >= limit { wake() }
    }
  }
}

// MARK: - Waiting

extension FoldWorker {
  /// The number of tries in a row that may fail, for a reason that may pass, before waiters receive the error.
  static let failureLimit = 4

  /// Waits until no texts of a table, or of any table, are pending.
  ///
  /// - Parameter table: The name of the table; nil for all tables.
  /// - Throws: The reason why texts can't be folded. It is thrown at once if it can't pass by itself, otherwise after
  ///   ``failureLimit`` tries. Also ``StoreError/closed`` and `CancellationError`.
  func settled(_ table: String? = nil) async throws {
    try await wait { FoldWaiters.Waiter(table: table, isPatient: false, continuation: $0) }
  }

  /// Waits until the worker has nothing to do, regardless of failures.
  func finished() async {
    // Waiting fails if the store is closed or the task is cancelled. Then there is nothing to wait for.
    try? await wait { FoldWaiters.Waiter(table: nil, isPatient: true, continuation: $0) }
  }

  private func wait(_ makeWaiter: @Sendable (FoldWaiters.Continuation) -> FoldWaiters.Waiter) async throws {
    let number = state.withLock { $0.waiters.makeNumber() }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let (ended, isIdle) = state.withLock { state in
          var waiter = makeWaiter(continuation)
          if state.phase == .closed { return (EndedWaiters(continuation, .failure(StoreError.closed)), false) }
          if state.isHeld || waiter.isPatient && state.phase == .idle {
            return (EndedWaiters(continuation, .success(())), false)
          }
          if !waiter.isPatient {
            state.requests += 1
            state.pace.noteWaiting()
          }
          waiter.request = state.requests
          if let ended = state.waiters.add(waiter, number) { return (ended, false) }
          return (EndedWaiters(), !waiter.isPatient && state.begin(endingPause: true))
        }
        ended.resume()
        if isIdle { schedule() }
      }
    } onCancel: {
      state.withLock { $0.waiters.cancel(number) }.resume()
    }
    state.withLock { $0.waiters.forget(number) }
  }
}

extension FoldWorker.State {
  /// Begins to work, unless the worker works already, is held or closed.
  ///
  /// - Parameter endingPause: Whether a pause ends early.
  /// - Returns: Whether the caller must schedule a slice.
  fileprivate mutating func begin(endingPause: Bool) -> Bool {
    if isHeld {
      isWanted = true
      return false
    }
    switch phase {
    case .idle: break
    case .pausing where endingPause: break
    case .pausing, .working, .closed: return false
    }
    phase = .working
    return true
  }
}

// MARK: - Slices

extension FoldWorker {
  /// The reason why the texts of a table could not be settled.
  private struct Failure {
    let table: String
    let error: any Error
    /// Whether another try may succeed without any intervention.
    let mayPass: Bool
  }

  private func schedule() {
    writer.asyncWriteWithoutTransaction { [weak self] db in self?.runSlice(db) }
  }

  private func schedule(after seconds: Double, of pause: Int) {
    DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [weak self] in
      guard let self else { return }
      let isOver = state.withLock { state in
        guard state.phase == .pausing(pause) else { return false }
        state.phase = .working
        return true
      }
      if isOver { schedule() }
    }
  }

  private func runSlice(_ db: Database) {
    if db.sqliteConnection == nil { return close() }
    let (slice, ended) = state.withLock { $0.beginSlice() }
    ended.resume()
    guard let (request, pace) = slice else { return }
    var failures: [Failure] = []
    search: for texts in texts {
      do {
        guard try texts.isPending(db) else { continue }
        let start = ContinuousClock.now
        var count = 0
        try db.inTransaction(.immediate) {
          count = try texts.settle(db, limit: pace.rows)
          return count > 0 ? .commit : .rollback
        }
        if count > 0 {
          state.withLock { state in
            state.pace.note(ContinuousClock.now - start)
            state.waiters.noteProgress()
          }
          return schedule()
        }
        let error = StoreError.notSearchable(table: texts.table, reason: "a trigger of the app ignores the update")
        failures.append(Failure(table: texts.table, error: error, mayPass: false))
      } catch {
        let failure = failure(error, of: texts.table)
        failures.append(failure)
        // Nothing can be written if another process holds the lock, the disk is full or the app is suspended. A missing
        // table or a trigger of the app prevents only the folding of these texts.
        if failure.mayPass { break search }
      }
    }
    passEnded(failures, request)
  }

  private func failure(_ error: any Error, of table: String) -> Failure {
    let code = (error as? DatabaseError)?.resultCode
    let wrapped = writer.wrapping(error)
    switch code {
    case .SQLITE_ERROR, .SQLITE_CONSTRAINT:
      let reason = (wrapped as? StoreError)?.description ?? String(describing: wrapped)
      return Failure(table: table, error: StoreError.notSearchable(table: table, reason: reason), mayPass: false)
    case .SQLITE_READONLY, .SQLITE_CORRUPT, .SQLITE_NOTADB:
      return Failure(table: table, error: wrapped, mayPass: false)
    default:
      return Failure(table: table, error: wrapped, mayPass: true)
    }
  }

  private func passEnded(_ failures: [Failure], _ request: Int) {
    enum Next {
      case nothing, slice
      case pause(Int, Double)
    }
    let (ended, next): (EndedWaiters, Next) = state.withLock { state in
      if state.phase == .closed { return (EndedWaiters(), .nothing) }
      if failures.isEmpty {
        if request != state.requests { return (EndedWaiters(), .slice) }
        state.phase = .idle
        state.pace = FoldPace()
        return (state.waiters.endAll(.success(())), .nothing)
      }
      let ended = state.waiters.end(through: request) { waiter in
        let failure = failures.first { $0.mayPass || waiter.table == nil || waiter.table == $0.table }
        guard let failure else { return .success(()) }
        if failure.mayPass {
          waiter.failureCount += 1
          if waiter.failureCount < Self.failureLimit { return nil }
        }
        return .failure(failure.error)
      }
      // Readers fold pending texts themselves, so that a pause is harmless. But waiters that came during the pass don't
      // wait for a pause.
      if state.waiters.hasAny(after: request) { return (ended, .slice) }
      state.pauseCount += 1
      state.phase = .pausing(state.pauseCount)
      return (ended, .pause(state.pauseCount, state.pace.noteFailure()))
    }
    ended.resume()
    switch next {
    case .nothing: break
    case .slice: schedule()
    case .pause(let pause, let seconds): schedule(after: seconds, of: pause)
    }
  }
}

extension FoldWorker.State {
  /// Begins a slice.
  ///
  /// - Returns: The number of wake-ups and the size of the slice, or nil if there is nothing to do, and the waiters
  ///   that end.
  fileprivate mutating func beginSlice() -> (slice: (request: Int, pace: FoldPace)?, ended: EndedWaiters) {
    guard phase == .working else { return (nil, EndedWaiters()) }
    if isHeld {
      isWanted = true
      phase = .idle
      return (nil, waiters.endAll(.success(())))
    }
    return ((requests, pace), EndedWaiters())
  }
}

/// The number of rows that a slice folds, so that it takes some milliseconds. Texts may have ten letters or ten
/// million.
private struct FoldPace {
  static let leastRows = 64
  private static let mostRows = 8192

  private(set) var rows = leastRows
  private var delay = 0.1

  mutating func note(_ duration: Duration) {
    delay = 0.1
    if duration < .milliseconds(5) {
      rows = min(rows * 2, Self.mostRows)
    } else if duration > .milliseconds(15) {
      rows = max(rows / 2, 1)
    }
  }

  /// Makes the next retries come soon, because a task waits.
  mutating func noteWaiting() { delay = 0.1 }

  /// The time until the next try, in seconds.
  mutating func noteFailure() -> Double {
    defer { delay = min(delay * 2, 5) }
    return delay
  }
}
