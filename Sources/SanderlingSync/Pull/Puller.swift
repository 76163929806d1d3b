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
  func run(_ source: any SyncSource, _ look: PollCounter? = nil) async throws {
    let log = WriteAheadLog(store)
    do {
      try await run(source, look, log)
      await log.end()
    } catch {
      await log.end()
      throw error
    }
  }

  private func run(_ source: any SyncSource, _ look: PollCounter?, _ log: WriteAheadLog) async throws {
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
    of source: any SyncSource, _ look: PollCounter?, _ progress: inout Progress
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

  /// Stores the cursor of the applied changes, in the transaction of the last change.
  func noteReached(_ cursor: String?, isCheckpoint: Bool, _ tx: WriteTransaction) throws {
    if let cursor { try tx.run(SyncState.setCursor, [.text(cursor), .text(name)]) }
    if isCheckpoint { try tx.run(SyncState.setCheckpoint, [.text(name)]) }
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
