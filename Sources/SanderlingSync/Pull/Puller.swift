import GRDB
import Sanderling

/// Applies a source's changes to the database, in transactions of some milliseconds between the app's writes.
struct Puller: Sendable {
  let name: String
  let store: Store
  var tables: SyncTables
  let options: SyncOptions
  /// The outbox of a synchronisation that sends; nil if the source's rows replace all local edits.
  let outbox: Outbox?
  let lock: SyncLock
  /// Whether a source that follows its server is ended after one poll.
  var endsWithLook = false
  let hub: ProgressHub
  let control: RunControl

  /// Pulls until the source's sequence ends.
  ///
  /// - Parameter look: Counts each requested batch.
  func run(_ source: any SyncSource, _ look: PullLook? = nil) async throws {
    let log = WriteAheadLog(store)
    do {
      try await run(source, look, log)
      await log.end()
    } catch {
      await log.end()
      throw error
    }
  }

  private func run(_ source: any SyncSource, _ look: PullLook?, _ log: WriteAheadLog) async throws {
    defer { look?.endAll() }
    // Changes that an earlier run left staged are applied like a batch.
    look?.begin()
    look?.received()
    var progress = try await begin(log)
    look?.end()
    while try await takeBatches(of: source, look, &progress) {}
    // A cancelled sequence ends too, without having named all rows.
    try Task.checkCancellation()
    if progress.stage == nil { try await settle(&progress) }
    try await write { tx in
      try tx.run(SyncState.setFinished, [.real(SyncState.now), .text(name)])
    }
  }

  /// Processes batches until the source's sequence ends or all rows must be requested.
  ///
  /// - Returns: Whether all rows must be requested from the source.
  private func takeBatches(
    of source: any SyncSource, _ look: PullLook?, _ progress: inout Progress
  ) async throws -> Bool {
    var asksForAll = progress.isDue
    return try await withThrowingTaskGroup(of: SyncBatch?.self) { group in
      let reader = BatchReader(source, after: asksForAll ? nil : progress.cursor, look)
      group.addTask { try await reader.next() }
      while var batch = try await group.next() ?? nil {
        // An incomplete source is no reason to remove unnamed rows.
        batch.restarts = batch.restarts || batch.serverWentBack || asksForAll && batch.beginning == nil
        asksForAll = false
        // The source works while the database does.
        group.addTask { try await reader.next() }
        try await take(batch, &progress)
        // A page may be empty, too.
        let isEnd = source is any LookingSource ? batch.endOfLook != nil : batch.isCheckpoint || batch.changes.isEmpty
        let isCaughtUp = progress.stage == nil && isEnd
        if isCaughtUp, try await isComparisonDue() {
          group.cancelAll()
          look?.endAll()
          progress.isDue = true
          return true
        }
        look?.end(isCaughtUp: isCaughtUp, ofSource: batch.endOfLook)
        if endsWithLook, batch.endOfLook != nil {
          group.cancelAll()
          break
        }
      }
      return false
    }
  }

  /// Whether a change was in conflict too often since the run began. No other event makes a comparison due meanwhile.
  private func isComparisonDue() async throws -> Bool {
    if outbox == nil { return false }
    return try await store.read { tx in try tx.isFound(SyncState.isDue, [.text(name)]) }
  }

  private func take(_ batch: SyncBatch, _ progress: inout Progress) async throws {
    hub.received(batch)
    if let beginning = batch.beginning { try await begin(beginning, &progress) }
    if batch.serverWentBack { try await returnAcknowledged() }
    guard options.misfits == .stop, let place = batch.changes.firstIndex(where: { $0.refusal != nil }) else {
      return try await take(whole: batch, &progress)
    }
    // The changes before it are stored, and come again with it.
    let refused = batch.changes[place]
    if place > 0 {
      try await take(whole: SyncBatch(Array(batch.changes[..<place]), restarts: batch.restarts), &progress)
    }
    throw refused.error(nil, refused.withLine(refused.refusal?.quarantined ?? ""))
  }

  private func take(whole batch: SyncBatch, _ progress: inout Progress) async throws {
    switch options.shows {
    case .changes: try await apply(batch, &progress)
    case .checkpoints: try await complete(batch, &progress)
    }
  }

  private func returnAcknowledged() async throws {
    while try await write({ tx in try outbox?.returnAcknowledged(limit: 64, tx.database) ?? false }) {
      try await control.proceed(hub)
    }
  }

  /// A run's knowledge of its own state.
  struct Progress {
    var cursor: String?
    /// Whether the source's named rows are recorded after a restart.
    var isRestarting: Bool
    /// Whether an earlier run left the request for all rows to this one.
    var isDue = false
    var pace: SlicePace
    let log: WriteAheadLog
    /// The changes that wait for their checkpoint.
    var stage: Stage?
  }

  private func begin(_ log: WriteAheadLog) async throws -> Progress {
    let pace = options.pace
    var (comparison, progress) = try await store.read { tx in
      var progress = Progress(
        cursor: nil, isRestarting: false, pace: pace, log: log, stage: try Stage(tx, name: name))
      var comparison = SyncState.Comparison.none
      try tx.run(SyncState.read, [.text(name)]) { row in
        progress.cursor = try row.optionalText(at: 0)
        comparison = SyncState.Comparison(rawValue: try row.integer(at: 1, for: Int64.self)) ?? .none
      }
      return (comparison, progress)
    }
    if comparison == .ended { try await forgetSeen() }
    progress.isRestarting = [.underWay, .unsure].contains(comparison)
    // All rows were already requested for the stage.
    progress.isDue = comparison == .due && progress.stage?.restarts != true
    try await beginStage(&progress)
    return progress
  }

  /// The remaining work once the records equal the source.
  func settle(_ progress: inout Progress) async throws {
    if progress.isRestarting { try await removeUnseen() }
    progress.isRestarting = false
    try await placeParked()
  }

  // MARK: Batches

  /// Applies a batch when it arrives.
  func apply(_ batch: SyncBatch, _ progress: inout Progress) async throws {
    if batch.restarts {
      try await restart()
      (progress.isRestarting, progress.isDue) = (true, false)
    }
    try await apply(batch.changes, &progress) { tx in
      try noteReached(batch.cursor, isCheckpoint: batch.isCheckpoint, tx)
    }
    if batch.isCheckpoint { try await settle(&progress) }
  }

  /// Stores the cursor of the applied changes, in the transaction of the last one.
  func noteReached(_ cursor: String?, isCheckpoint: Bool, _ tx: WriteTransaction) throws {
    if let cursor { try tx.run(SyncState.setCursor, [.text(cursor), .text(name)]) }
    if isCheckpoint { try tx.run(SyncState.setCheckpoint, [.text(name)]) }
  }

  private struct Slice: Sendable {
    var next: Int
    var held: [PlannedChange] = []
    var counts = SyncCounts()
    var neededCare = false
    var began = ContinuousClock.now
    var work = Duration.zero
    /// The writer's count before this slice.
    var pagesWritten: Int32 = 0
  }

  /// Applies changes in slices.
  ///
  /// - Parameter finish: Called in the transaction of the last change.
  func apply(
    _ changes: [SyncChange], _ progress: inout Progress, finish: @escaping @Sendable (WriteTransaction) throws -> Void
  ) async throws {
    let isRestarting = progress.isRestarting
    let plan = BatchPlan(changes, tables)
    hub.add(SyncCounts(superseded: plan.supersededCount))
    var steps = plan.steps
    var held: [PlannedChange] = []
    var position = 0
    var isLast = false
    var isCareful = false
    while true {
      try await control.proceed(hub)
      let round = Round(
        steps: steps, isLast: isLast, isRestarting: isRestarting, isCareful: isCareful, holdsNothing: held.isEmpty)
      let slice = try await apply(round, from: position, limit: progress.pace.changes, finish)
      progress.pace.note(work: slice.work, total: .now - slice.began)
      await progress.log.move(written: slice.pagesWritten)
      hub.add(slice.counts)
      isCareful = isCareful || slice.neededCare
      held += slice.held
      position = slice.next
      guard position == steps.count else { continue }
      if held.isEmpty { return }
      // Changes that needed room from other rows are tried again while that makes progress.
      isLast = held.count == steps.count
      if isLast, try await exchange(held, isRestarting, finish) { return }
      (steps, held, position) = (held, [], 0)
    }
  }

  private struct Round: Sendable {
    let steps: [PlannedChange]
    var isLast = false
    var isRestarting = false
    var isCareful = false
    /// Whether all earlier changes are applied.
    var holdsNothing = true
    /// Whether the batch must be one transaction or none.
    var isWhole = false
  }

  /// Other rows must make room first, which a single transaction can't do.
  private struct NeedsMore: Error {}

  /// Applies a batch outside a comparison in one transaction, however long that takes.
  ///
  /// - Returns: False if its rows must make room for each other first, or if many rows depend on the deleted ones.
  ///   Nothing is applied then.
  func applyAtOnce(_ batch: SyncBatch, _ progress: inout Progress) async throws -> Bool {
    try await control.proceed(hub)
    let plan = BatchPlan(batch.changes, tables)
    let round = Round(steps: plan.steps, isWhole: true)
    do {
      let slice = try await apply(round, from: 0, limit: round.steps.count) { tx in
        try noteReached(batch.cursor, isCheckpoint: batch.isCheckpoint, tx)
      }
      hub.add(slice.counts)
      hub.add(SyncCounts(superseded: plan.supersededCount))
      await progress.log.move(written: slice.pagesWritten)
    } catch is NeedsMore {
      return false
    }
    if batch.isCheckpoint { try await settle(&progress) }
    return true
  }

  private func apply(
    _ round: Round, from start: Int, limit: Int, _ finish: @escaping @Sendable (WriteTransaction) throws -> Void
  ) async throws -> Slice {
    if !round.isCareful {
      do {
        let slice = try await write { tx in
          try tx.isTrue(SyncState.hasParked, [.text(name)])
            ? nil : apply(round, from: start, limit: limit, tx, isCareful: false, finish)
        }
        if let slice { return slice }
      } catch is PullTransaction.NeedsCare {
        // The transaction was rolled back. A savepoint would keep a copy of every page that the slice writes.
      }
    }
    return try await write { tx in
      var slice = try apply(round, from: start, limit: limit, tx, isCareful: true, finish)
      slice.neededCare = true
      return slice
    }
  }

  private func apply(
    _ round: Round, from start: Int, limit: Int, _ tx: WriteTransaction, isCareful: Bool,
    _ finish: @Sendable (WriteTransaction) throws -> Void
  ) throws -> Slice {
    var slice = Slice(next: start)
    try applying(tx.database) {
      slice = try apply(round, slice, limit, tx, isCareful: isCareful)
    }
    if round.isWhole, !slice.held.isEmpty { throw NeedsMore() }
    if slice.next == round.steps.count, round.holdsNothing, slice.held.isEmpty { try finish(tx) }
    slice.work = .now - slice.began
    slice.pagesWritten = tx.database.pagesWritten
    return slice
  }

  /// Applies the last changes of a batch together, because they exchange unique values.
  ///
  /// - Returns: Whether they were applied.
  private func exchange(
    _ held: [PlannedChange], _ isRestarting: Bool, _ finish: @escaping @Sendable (WriteTransaction) throws -> Void
  ) async throws -> Bool {
    let counts: SyncCounts? = try await write { tx in
      var counts: SyncCounts?
      try applying(tx.database) {
        var transaction = try transaction(tx, isRestarting, isCareful: true)
        if try transaction.exchange(held) { counts = transaction.counts }
      }
      if counts != nil { try finish(tx) }
      return counts
    }
    if let counts { hub.add(counts) }
    return counts != nil
  }

  private func apply(
    _ round: Round, _ from: Slice, _ limit: Int, _ tx: WriteTransaction, isCareful: Bool
  ) throws -> Slice {
    var slice = from
    var transaction = try transaction(tx, round.isRestarting, isCareful: isCareful)
    let end = min(round.steps.count, slice.next + limit)
    while slice.next < end {
      let planned = round.steps[slice.next]
      guard try transaction.makeRoom(for: planned, since: round.isWhole ? nil : slice.began) else {
        if round.isWhole { throw NeedsMore() }
        break
      }
      do {
        try transaction.place(planned, isLast: round.isLast)
      } catch let collision as PullTransaction.Collision {
        var held = planned
        held.uniqueColumns = collision.columns
        slice.held.append(held)
      }
      slice.next += 1
      if !round.isWhole, slice.next % 16 == 0, .now - slice.began > SlicePace.target { break }
    }
    if !isCareful, transaction.hasBrokenReferences { throw PullTransaction.NeedsCare() }
    slice.counts = transaction.counts
    return slice
  }

  func transaction(
    _ tx: WriteTransaction, _ isRestarting: Bool, isCareful: Bool, misfits: SyncOptions.Misfits? = nil
  ) throws -> PullTransaction {
    // Parents may come after their children.
    try tx.run("PRAGMA defer_foreign_keys = ON", [])
    return try PullTransaction(
      tx, tables, name: name, misfits: misfits ?? options.misfits, outbox: outbox, isRestarting: isRestarting,
      isCareful: isCareful)
  }

  /// Runs the part of a transaction that writes the source's changes, so that they are not recorded as local changes.
  /// On an error the transaction is rolled back.
  func applying(_ db: Database, _ body: () throws -> Void) throws {
    try outbox == nil ? body() : SyncControl.applyingOrRollingBack(db, body)
  }

  func write<Value: Sendable>(_ body: @Sendable (WriteTransaction) throws -> Value) async throws -> Value {
    try await store.write("sync \(name)", priority: .background) { tx in
      try lock.require(tx)
      return try body(tx)
    }
  }
}
