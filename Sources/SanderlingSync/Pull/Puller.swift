import Sanderling

/// Brings what a source gives into the database, in transactions of some milliseconds between the app's writes.
struct Puller: Sendable {
  let name: String
  let store: Store
  let tables: SyncTables
  let options: SyncOptions
  let pullGuard: any PullGuard
  let lock: SyncLock
  let hub: ProgressHub
  let control: RunControl

  /// Pulls until the source's sequence ends.
  func run(_ source: any SyncSource) async throws {
    let (cursor, comparison) = try await store.read { tx in
      var state: (cursor: String?, comparison: SyncState.Comparison) = (nil, .none)
      try tx.run(SyncState.read, [.text(name)]) { row in
        state = (
          try row.optionalText(at: 0), SyncState.Comparison(rawValue: try row.integer(at: 1, for: Int64.self)) ?? .none
        )
      }
      return state
    }
    if comparison == .ended { try await forgetSeen() }
    var isRestarting = comparison == .underWay
    var pace = options.pace
    for try await batch in source.batches(after: cursor) {
      if batch.restarts {
        try await restart()
        isRestarting = true
      }
      var counts = SyncCounts()
      counts.received = batch.changes.count
      hub.add(counts)
      try await apply(batch, isRestarting, &pace)
    }
    if isRestarting { try await removeUnseen() }
    try await placeParked()
    try await write { tx in
      try tx.run(SyncState.setFinished, [.real(SyncState.now), .text(name)])
    }
  }

  // MARK: Batches

  private struct Slice: Sendable {
    var next: Int
    var held: [PlannedChange] = []
    var counts = SyncCounts()
    var neededCare = false
    var began = ContinuousClock.now
    var work = Duration.zero
  }

  private func apply(_ batch: SyncBatch, _ isRestarting: Bool, _ pace: inout SlicePace) async throws {
    var steps = BatchPlan(batch.changes, tables).steps
    var held: [PlannedChange] = []
    var position = 0
    var isLast = false
    var isCareful = false
    while true {
      try await control.proceed(hub)
      let round = Round(
        steps: steps, isLast: isLast, isRestarting: isRestarting, isCareful: isCareful, holdsNothing: held.isEmpty)
      let slice = try await apply(round, from: position, limit: pace.changes, batch)
      pace.note(work: slice.work, total: .now - slice.began)
      hub.add(slice.counts)
      isCareful = isCareful || slice.neededCare
      held += slice.held
      position = slice.next
      guard position == steps.count else { continue }
      if held.isEmpty { return }
      // What other rows made room for is tried again, as long as that helps.
      isLast = held.count == steps.count
      if isLast, try await exchange(held, isRestarting, batch) { return }
      (steps, held, position) = (held, [], 0)
    }
  }

  private struct Round: Sendable {
    let steps: [PlannedChange]
    let isLast: Bool
    let isRestarting: Bool
    let isCareful: Bool
    /// Whether all changes before are applied.
    let holdsNothing: Bool
  }

  private func apply(_ round: Round, from start: Int, limit: Int, _ batch: SyncBatch) async throws -> Slice {
    try await write { tx in
      var slice = Slice(next: start)
      try pullGuard.applying(tx.database) {
        do {
          if try round.isCareful || tx.isTrue(SyncState.hasParked, [.text(name)]) {
            throw PullTransaction.NeedsCare()
          }
          let tried = slice
          try tx.savepoint {
            slice = try apply(round, tried, limit, tx, isCareful: false)
          }
        } catch is PullTransaction.NeedsCare {
          slice = Slice(next: start, neededCare: true, began: slice.began)
          slice = try apply(round, slice, limit, tx, isCareful: true)
        }
      }
      if slice.next == round.steps.count, round.holdsNothing, slice.held.isEmpty { try finish(batch, tx) }
      slice.work = .now - slice.began
      return slice
    }
  }

  /// Notes that all changes of a batch are here.
  private func finish(_ batch: SyncBatch, _ tx: WriteTransaction) throws {
    if let cursor = batch.cursor { try tx.run(SyncState.setCursor, [.text(cursor), .text(name)]) }
    if batch.isCheckpoint { try tx.run(SyncState.setCheckpoint, [.text(name)]) }
  }

  /// Applies the last changes of a batch together, which have each other's values where they must be unique.
  ///
  /// - Returns: Whether it did.
  private func exchange(_ held: [PlannedChange], _ isRestarting: Bool, _ batch: SyncBatch) async throws -> Bool {
    let counts: SyncCounts? = try await write { tx in
      var counts: SyncCounts?
      try pullGuard.applying(tx.database) {
        var transaction = try transaction(tx, isRestarting, isCareful: true)
        if try transaction.exchange(held) { counts = transaction.counts }
      }
      if counts != nil { try finish(batch, tx) }
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
      do {
        try transaction.place(planned, isLast: round.isLast)
      } catch let collision as PullTransaction.Collision {
        var held = planned
        held.uniqueColumns = collision.columns
        slice.held.append(held)
      }
      slice.next += 1
      if slice.next % 16 == 0, .now - slice.began > SlicePace.target { break }
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
      tx, tables, name: name, misfits: misfits ?? options.misfits, guard: pullGuard, isRestarting: isRestarting,
      isCareful: isCareful)
  }

  private func write<Value: Sendable>(_ body: @Sendable (WriteTransaction) throws -> Value) async throws -> Value {
    try await store.write("sync \(name)", priority: .background) { tx in
      try lock.require(tx)
      return try body(tx)
    }
  }
}

// MARK: - What waits

extension Puller {
  private static let pageSize = 256

  /// Applies parked changes whose parents came in any way, until no more can be.
  private func placeParked() async throws {
    var isProgressing = true
    while isProgressing {
      isProgressing = false
      var last: Int64 = 0
      let highest = try await store.read { tx in
        var highest: Int64 = 0
        try tx.run("SELECT coalesce(max(id), 0) FROM main.sanderling_sync_parked", []) {
          highest = try $0.integer(at: 0, for: Int64.self)
        }
        return highest
      }
      while last < highest {
        try await control.proceed(hub)
        let after = last
        let ids = try await store.read { tx in
          var ids: [Int64] = []
          try tx.run(ParkedChanges.next, [.text(name), .integer(after), .integer(Int64(Self.pageSize))]) {
            ids.append(try $0.integer(at: 0, for: Int64.self))
          }
          return ids
        }
        guard !ids.isEmpty else { break }
        let (next, counts, hasPlaced) = try await placeParked(ids)
        hub.add(counts)
        isProgressing = isProgressing || hasPlaced
        last = next
      }
    }
  }

  private func placeParked(_ ids: [Int64]) async throws -> (last: Int64, counts: SyncCounts, hasPlaced: Bool) {
    try await write { tx in
      let began = ContinuousClock.now
      var last: Int64 = 0
      var counts = SyncCounts()
      var hasPlaced = false
      try pullGuard.applying(tx.database) {
        var transaction = try transaction(tx, false, isCareful: true)
        for id in ids {
          if try transaction.placeParked(id) { hasPlaced = true }
          last = id
          if .now - began > SlicePace.target { break }
        }
        counts = transaction.counts
        // They waited before.
        counts.parked = 0
      }
      return (last, counts, hasPlaced)
    }
  }
}

// MARK: - Sources that begin anew

extension Puller {
  /// Forgets what was seen before.
  private func restart() async throws {
    try await set(.ended)
    try await forgetSeen()
    // What waits comes again, if it is still there.
    for sql in [ParkedChanges.forget, QuarantinedChanges.forget] {
      while try await write({ tx in try tx.changes(sql, [.text(name), .integer(Int64(Self.pageSize))]) }) {
        try await control.proceed(hub)
      }
    }
    try await set(.underWay)
  }

  private func set(_ comparison: SyncState.Comparison) async throws {
    try await write { tx in try tx.run(SyncState.setRestarting, [.integer(comparison.rawValue), .text(name)]) }
  }

  /// Forgets which rows the source named, which a run that is ended here leaves to the next.
  private func forgetSeen() async throws {
    for table in tables.all {
      while try await write({ tx in try tx.changes(table.forgetSeen, [.integer(2048)]) }) {
        try await control.proceed(hub)
      }
    }
    try await set(.none)
  }

  /// Removes the rows that the source didn't name since it began anew, children first.
  private func removeUnseen() async throws {
    hub.tell(.removing)
    for number in tables.all.indices.sorted(by: { tables.ranks[$0] > tables.ranks[$1] }) {
      let table = tables.all[number]
      var last: [StorageValue] = []
      while true {
        try await control.proceed(hub)
        let behind = last
        // Beside the writer: most rows are only looked at.
        let keys = try await store.read { tx in
          var keys: [[StorageValue]] = []
          try tx.run(table.unseen(behindKey: !behind.isEmpty), behind + [.integer(Int64(Self.pageSize))]) { row in
            keys.append(table.keyNames.indices.map { row.storageValue(at: Int32($0)) })
          }
          return keys
        }
        guard let final = keys.last else { break }
        hub.add(
          try await write { tx in
            var counts = SyncCounts()
            try pullGuard.applying(tx.database) {
              var transaction = try transaction(tx, false, isCareful: true)
              for key in keys {
                let change = SyncChange(table.record.name, key: key, .departure)
                try transaction.place(PlannedChange(table: number, change: change), isLast: true)
              }
              counts = transaction.counts
            }
            return counts
          })
        last = final
      }
    }
    try await set(.ended)
    try await forgetSeen()
    hub.tell(.pulling)
  }
}
