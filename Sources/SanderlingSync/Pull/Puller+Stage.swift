import Sanderling

/// Changes that become visible only with their checkpoint.
extension Puller {
  /// The number of staged changes that are applied together, with parents and children in order.
  private static let stagedCount = 2048

  /// Drops the part of a batch that an interrupted run staged; the batch comes again.
  ///
  /// This must happen before the next batch is staged. Otherwise the part would count as a part of that batch.
  func forgetHalfBatch() async throws {
    let (last, highest) = try await store.read { tx in
      var highest: Int64 = 0
      try tx.run(StagedChanges.last, []) { highest = try $0.integer(at: 0, for: Int64.self) }
      return (try Stage(tx, name: name)?.last ?? 0, highest)
    }
    // Most runs find nothing and write nothing.
    if highest > last { try await forgetStaged(behind: last) }
  }

  /// Continues with the changes that an earlier run staged.
  func beginStage(_ progress: inout Progress) async throws {
    guard let stage = progress.stage else { return }
    progress.cursor = stage.cursor
    if stage.isComplete || options.shows == .changes { try await applyStage(&progress) }
  }

  /// Stages a batch. Then applies all staged changes, if the batch is a checkpoint or many changes are staged.
  func complete(_ batch: SyncBatch, _ progress: inout Progress) async throws {
    if batch.restarts { try await forgetStage(&progress) }
    let isOneTransaction =
      batch.isCheckpoint && progress.stage == nil && !progress.isRestarting && !batch.restarts
      && batch.changes.count <= SlicePace.fewest
    if isOneTransaction, try await applyAtOnce(batch, &progress) { return }
    let count = try await stage(batch, &progress)
    // Some sources never give a checkpoint.
    if batch.isCheckpoint || count >= options.stagedLimit { try await applyStage(&progress) }
  }

  /// Drops all staged changes, because the source sends its rows from the start again.
  func forgetStage(_ progress: inout Progress) async throws {
    if progress.stage == nil { return }
    progress.stage = nil
    try await write { tx in try tx.run(StagedChanges.remove, [.text(name)]) }
    try await forgetStaged(behind: 0)
  }

  /// - Returns: An upper bound of the number of staged changes, computed from the first and the last identifier. Other
  ///   synchronisations may have used identifiers between them.
  private func stage(_ batch: SyncBatch, _ progress: inout Progress) async throws -> Int64 {
    hub.tell(.staging, isUrgent: false)
    // After a restart without a cursor, the next request begins from the start.
    var stage = progress.stage ?? Stage(cursor: batch.restarts ? nil : progress.cursor)
    stage.cursor = batch.cursor ?? stage.cursor
    stage.restarts = stage.restarts || batch.restarts
    stage.isComplete = batch.isCheckpoint
    var position = 0
    var count: Int64 = 0
    repeat {
      try await control.proceed(hub)
      let (start, limit, wanted) = (position, progress.pace.changes, stage)
      let slice = try await write { tx in
        let began = ContinuousClock.now
        let end = min(start + limit, batch.changes.count)
        for change in batch.changes[start..<end] {
          try tx.run(
            StagedChanges.add,
            [.text(name), .text(change.record), .text(StoredJSON.text(change.key)), .text(change.payload)])
        }
        var stage = wanted
        var first: Int64?
        if end == batch.changes.count {
          try tx.run(StagedChanges.last, []) { stage.last = try $0.integer(at: 0, for: Int64.self) }
          try stage.write(tx, name: name)
          if batch.restarts { try noteComparison(tx) }
          try tx.run(StagedChanges.first, [.text(name)]) { first = try $0.integer(at: 0, for: Int64.self) }
        }
        return (
          next: end, stage: stage, count: first.map { stage.last - $0 + 1 } ?? 0, began: began, work: .now - began
        )
      }
      progress.pace.note(work: slice.work, total: .now - slice.began)
      count = slice.count
      (position, progress.stage) = (slice.next, slice.stage)
    } while position < batch.changes.count
    return count
  }

  /// Applies all staged changes while live results stay unchanged.
  private func applyStage(_ progress: inout Progress) async throws {
    guard let stage = progress.stage else { return }
    hub.tell(.pulling)
    let hold = await store.holdLiveResults()
    defer { hold.end() }
    if stage.restarts {
      try await restart(isStaged: true)
      (progress.isRestarting, progress.isDue) = (true, false)
      // Updates the stored stage. The stage in memory lacks changes that the server acknowledged meanwhile.
      try await write { tx in try tx.run(StagedChanges.noteBegun, [.text(name)]) }
    }
    repeat {
      while let page = try await nextPage() {
        try await apply(page.changes, &progress) { tx in
          try tx.run(StagedChanges.removeThrough, [.text(name), .integer(page.last)])
        }
      }
      if stage.isComplete { try await settle(&progress) }
    } while try await !write({ tx in
      // Mutations that the server acknowledged meanwhile are staged, too.
      if try Self.hasStaged(tx, name) { return false }
      try tx.run(StagedChanges.remove, [.text(name)])
      try noteReached(stage.cursor, isCheckpoint: stage.isComplete, tx)
      return true
    })
    progress.stage = nil
  }

  private struct Page: Sendable {
    var last: Int64 = 0
    var changes: [SyncChange] = []
  }

  /// The next changes to apply; nil if there are none.
  private func nextPage() async throws -> Page? {
    try await store.read { tx in
      var page = Page()
      guard let last = try Stage(tx, name: name)?.last else { return nil }
      try tx.run(StagedChanges.next, [.text(name), .integer(last), .integer(Int64(Self.stagedCount))]) { row in
        page.last = try row.integer(at: 0, for: Int64.self)
        page.changes.append(try SyncChange(record: row.text(at: 1), key: row.text(at: 2), payload: row.text(at: 3)))
      }
      return page.changes.isEmpty ? nil : page
    }
  }

  private static func hasStaged(_ tx: ReadTransaction, _ name: String) throws -> Bool {
    guard let last = try Stage(tx, name: name)?.last else { return false }
    return try tx.isFound(StagedChanges.next, [.text(name), .integer(last), .integer(1)])
  }

  private func forgetStaged(behind last: Int64) async throws {
    while try await write({ tx in
      try tx.changes(StagedChanges.removeBehind, [.text(name), .integer(last), .integer(Int64(Self.pageSize))])
    }) {
      try await control.proceed(hub)
    }
  }
}
