import GRDB
import Sanderling

/// Applies changes in slices: transactions of some milliseconds.
extension Puller {
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
  /// - Returns: False if nothing was applied: rows of the batch exchange unique values, or many rows depend on deleted
  ///   rows.
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
  /// - Returns: Whether the changes were applied.
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
}
