import Sanderling

/// Changes that are to be seen with their checkpoint only.
extension Puller {
  /// How many staged changes are applied together: parents and children among them are put in order.
  private static let stagedCount = 2048

  /// Forgets what a run that was ended had staged of a batch, which comes again.
  ///
  /// Before anything else is staged, which it would count with.
  func forgetHalfBatch() async throws {
    let (last, highest) = try await store.read { tx in
      var highest: Int64 = 0
      try tx.run(StagedChanges.last, []) { highest = try $0.integer(at: 0, for: Int64.self) }
      return (try Stage(tx, name: name)?.last ?? 0, highest)
    }
    // Most runs find nothing, and write nothing.
    if highest > last { try await forgetStaged(behind: last) }
  }

  /// Goes on with what a former run staged.
  func beginStage(_ progress: inout Progress) async throws {
    guard let stage = progress.stage else { return }
    progress.cursor = stage.cursor
    if stage.isComplete || options.shows == .changes { try await applyStage(&progress) }
  }

  /// Takes a batch, and applies the staged changes that are complete with it.
  func complete(_ batch: SyncBatch, _ progress: inout Progress) async throws {
    if batch.restarts { try await forgetStage(&progress) }
    let isOneTransaction =
      batch.isCheckpoint && progress.stage == nil && !progress.isRestarting && !batch.restarts
      && batch.changes.count <= SlicePace.fewest
    if isOneTransaction, try await applyAtOnce(batch, &progress) { return }
    let count = try await stage(batch, &progress)
    // A source may give no checkpoint for ever.
    if batch.isCheckpoint || count >= options.stagedLimit { try await applyStage(&progress) }
  }

  /// Forgets the staged changes of a source that doesn't know the earlier ones any more.
  func forgetStage(_ progress: inout Progress) async throws {
    if progress.stage == nil { return }
    progress.stage = nil
    try await write { tx in try tx.run(StagedChanges.remove, [.text(name)]) }
    try await forgetStaged(behind: 0)
  }

  /// - Returns: How many changes are staged at most: others may have staged some of these numbers.
  private func stage(_ batch: SyncBatch, _ progress: inout Progress) async throws -> Int64 {
    hub.tell(.staging, isUrgent: false)
    // A source that begins anew without a cursor begins from nowhere when it is asked again.
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

  /// Applies all that is staged, while live results stay as they are.
  private func applyStage(_ progress: inout Progress) async throws {
    guard let stage = progress.stage else { return }
    hub.tell(.pulling)
    let hold = await store.holdLiveResults()
    defer { hold.end() }
    if stage.restarts {
      try await restart(isStaged: true)
      (progress.isRestarting, progress.isDue) = (true, false)
      // Not the stage as it is known here: what the server took meanwhile belongs to it.
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
      // Mutations that the server took meanwhile were staged, too.
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

  /// The changes that are to be applied next; nil where there are none.
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
