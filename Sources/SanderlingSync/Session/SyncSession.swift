import GRDB
public import Sanderling
import SanderlingSQL

/// Keeps records of a store equal to those of a source, and sends the app's changes.
///
/// ```swift
/// let session = try await SyncSession(
///   "notes", store: store, records: [SyncedRecord(Folder.self), SyncedRecord(Note.self)], source: server,
///   sink: server)
/// let summary = try await session.run()
/// ```
///
/// Changes are applied in transactions of some milliseconds each, with lower priority than the app's own writes. The
/// progress is stored with them. A run that was cancelled, failed, or whose process was killed, continues from there
/// when it is run again. Rows that already equal the source's are not written. Rows that come before their parents are
/// parked in the database.
///
/// With a sink, every write to the records becomes a pending change in its own transaction, whichever connection
/// writes, and the next run sends it. The source's values for a record with pending changes are merged with them: see
/// ``ConflictPolicy``. Without a sink, rows take the source's values, and changes of the app are overwritten.
///
/// All methods can be called from any task.
public final class SyncSession: Sendable {
  /// The name under which the database stores the progress.
  public let name: String
  let store: Store
  let records: [SyncedRecord]
  let tables: SyncTables
  let source: any SyncSource
  private let options: SyncOptions
  private let hub = ProgressHub()
  let control = RunControl()
  let pushLoop: PushLoop?
  /// Recreates the triggers that are lost when a table is recreated; nil without a sink. It lives as long as the
  /// session.
  private let repair: SchemaRepair?

  /// Opens a synchronisation, and creates its tables in the store.
  ///
  /// Values of columns that the records lacked before are moved into the columns that they have now.
  ///
  /// - Parameters:
  ///   - name: The name under which the database stores the progress. Another name starts from the beginning.
  ///   - records: The records that are synchronised. Changes of other records don't fit.
  ///   - sink: The place to which the app's changes are sent. Changes before the first synchronisation with a sink
  ///     aren't sent, unless ``SyncOptions/sendsEarlierRows`` is true. Only one synchronisation sends the changes of a
  ///     table.
  /// - Throws: ``SyncError/invalidRecords(_:)``, ``SyncError/sentByAnother(table:name:)``, ``SyncTableError`` for a
  ///   table whose changes can't be recorded, and errors of the store.
  public init(
    _ name: String, store: Store, records: [SyncedRecord], source: any SyncSource, sink: (any SyncSink)? = nil,
    options: SyncOptions = SyncOptions()
  ) async throws {
    pushLoop = sink.map { sink in
      PushLoop(
        store: store, outbox: Outbox(name: name, records: records, isAppliedOnce: sink.knowsNumbers), sink: sink,
        batchSize: options.pushBatchSize, backoff: options.backoff, clock: options.clock)
    }
    self.name = name
    self.store = store
    self.records = records
    self.source = source
    self.options = options
    let isSending = sink != nil
    tables = try await store.write("open sync \(name)", priority: .background) { tx in
      try Self.prepare(name, records, isSending: isSending, options, tx)
    }
    repair =
      isSending
      ? store.repairingSchema { tx in
        guard try OutboxSessions.areClaimed(records, by: name, on: tx.database) else { return }
        try Self.prepare(name, records, isSending: true, options, tx)
      } : nil
    for number in tables.all.indices { try await ColumnAdoption(puller, number).run() }
  }

  /// Creates the synchronisation's tables and triggers in the store, or updates them.
  ///
  /// Each run begins with this, in the transaction that takes the lock, because the store may have been erased or a
  /// table recreated. Writes nothing if all is up to date. O(columns of the records) reads of the schema.
  ///
  /// - Returns: The records' actual tables in the database.
  /// - Throws: The errors of the initialiser.
  @discardableResult
  func prepare(_ tx: WriteTransaction) throws -> SyncTables {
    try Self.prepare(name, records, isSending: pushLoop != nil, options, tx)
  }

  @discardableResult
  private static func prepare(
    _ name: String, _ records: [SyncedRecord], isSending: Bool, _ options: SyncOptions, _ tx: WriteTransaction
  ) throws -> SyncTables {
    let tables = try SyncTables(records, tx.database)
    for sql in SyncState.definitions { try tx.database.execute(sql: sql) }
    for table in tables.all { try table.makeTables(tx.database) }
    try tx.run(SyncState.make, [.text(name)])
    if isSending {
      let new = try OutboxSessions.claim(records, for: name, on: tx.database)
      let rebuilt = try OutboxSchema.install(records, on: tx.database)
      try UnnotedRecords.note(rebuilt + (options.sendsEarlierRows ? new : []), of: name, tx.database)
    }
    return tables
  }

  deinit { hub.close() }

  /// Whether the synchronisation's tables exist. They are missing from an erasure of the store until the next run.
  func hasTables(_ tx: ReadTransaction) throws -> Bool {
    try Bool.fetchOne(tx.database.cachedStatement(sql: SyncState.isThere)) ?? false
  }

  /// Makes synchronisations request all rows again, because their stored rows are gone: their table was dropped or
  /// emptied.
  ///
  /// - Parameter isMeant: Selects synchronisations by name.
  package static func beginAnew(_ tx: WriteTransaction, where isMeant: (String) -> Bool) throws {
    guard try tx.database.tableExists("sanderling_sync_state") else { return }
    for name in try String.fetchAll(tx.database, sql: SyncState.names) where isMeant(name) {
      try tx.run(SyncState.forgetCursor, [.text(name)])
    }
  }

  /// The columns that sources have values for and the record's table doesn't have, in order. Their values are kept in
  /// another table.
  package func keptColumns() async throws -> [String] {
    try await store.read { [tables] tx in
      var columns: [String] = []
      guard try self.hasTables(tx) else { return [] }
      for table in tables.all {
        // Generated columns belong to the table and can't be written.
        let found = try TableReader(table.table.name, tx.database).columns()
        try tx.run(SyncState.readUnknown, [.text(table.table.name)]) { row in
          let column = try row.text(at: 0)
          if found.named(column) == nil { columns.append(column) }
        }
      }
      return columns
    }
  }

  /// The number of deletions that wait until no row refers to the row to delete.
  package func waitingDeletionCount() async throws -> Int {
    try await store.read { tx in
      var count = 0
      guard try self.hasTables(tx) else { return 0 }
      try tx.run(ParkedChanges.countDeletions, [.text(self.name)]) {
        count = Int(try $0.integer(at: 0, for: Int64.self))
      }
      return count
    }
  }
}

// MARK: - Running

extension SyncSession {
  /// Sends the pending changes, and pulls until the source's sequence ends.
  ///
  /// Changes that are made during the pull are sent during the pull, and the rest at its end. Cancelling the task ends
  /// the run; applied changes stay. While a run follows its server, ``refresh()`` makes it poll at once.
  ///
  /// - Throws: ``SyncError``, `StoreError`, `CancellationError`, and the errors of the source.
  @discardableResult
  public func run() async throws -> SyncSummary {
    guard control.begin() else { throw SyncError.alreadyRunning(name: name) }
    return try await begun(endsWithLook: false)
  }

  /// Performs the whole run that ``RunControl/begin()`` permitted.
  func begun(endsWithLook: Bool) async throws -> SyncSummary {
    defer { control.end() }
    let task = Task { try await runToEnd(endsWithLook: endsWithLook) }
    control.setTask(task)
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// Cancels the run, which throws `CancellationError`. Does nothing if no run is active.
  public func cancel() { control.cancel() }

  /// Makes the run wait before its next transaction, and later runs at their beginning. A running request to the source
  /// continues until it has a batch.
  public func pause() { control.setPaused(true) }

  /// Lets the run continue.
  public func resume() { control.setPaused(false) }

  var puller: Puller {
    Puller(
      name: name, store: store, tables: tables, options: options, outbox: pushLoop?.outbox,
      lock: SyncLock(store, name: name), hub: hub, control: control)
  }

  private func runToEnd(endsWithLook: Bool) async throws -> SyncSummary {
    let ((sent, waiting), end) = try await locked { puller in
      var puller = puller
      puller.endsWithLook = endsWithLook
      return (try await self.exchange(puller), try await self.waitingCount())
    }
    return SyncSummary(counts: end.counts, duration: end.duration, waiting: waiting, sent: sent)
  }

  /// Applies parked rows whose parents arrived in another way. Requests nothing from the source, and so removes
  /// nothing.
  ///
  /// - Returns: The number of written rows.
  /// - Throws: The errors of ``run()``.
  package func placeWaiting() async throws -> Int {
    guard control.begin() else { throw SyncError.alreadyRunning(name: name) }
    defer { control.end() }
    return try await locked { try await $0.placeParked() }.end.counts.written
  }

  /// Does work that only one run at a time may do.
  private func locked<Value: Sendable>(
    _ work: @escaping @Sendable (Puller) async throws -> Value
  ) async throws -> (value: Value, end: SyncProgress) {
    var preparing = puller
    preparing.tables = try await preparing.lock.take { try self.prepare($0) }
    let puller = preparing
    hub.begin()
    do {
      let value = try await Self.holding(puller.lock) { try await work(puller) }
      let end = hub.end()
      await puller.lock.release()
      return (value, end)
    } catch {
      _ = hub.end()
      let reason = await puller.lock.explained(error)
      await puller.lock.release()
      throw reason
    }
  }

  /// The greatest number of times that a run repeats pulling and sending because of concurrent changes.
  private static let rounds = 5

  private func exchange(_ puller: Puller) async throws -> SentCounts? {
    try await puller.forgetHalfBatch()
    let onCaughtUp: @Sendable (Int?) -> Void = { [control] in control.noteCaughtUp($0) }
    guard var unlocked = pushLoop else {
      try await puller.run(source, PollCounter(onCaughtUp: onCaughtUp))
      return nil
    }
    unlocked.lock = puller.lock
    let pushLoop = unlocked
    var counts = SentCounts()
    var last = try await pushLoop.run(isPersistent: false)
    counts.add(last)
    for _ in 0..<Self.rounds {
      let beside = PushBeside(pushLoop: pushLoop, control: control, hub: hub, onCaughtUp: onCaughtUp)
      let pushed = try await beside.run(inConflict: Set(last.inConflict.keys)) { look in
        try await puller.run(self.source, look)
      }
      counts += pushed.counts
      last = try await pushLoop.run(at: .afterPull, except: pushed.inConflict)
      for entry in pushed.inConflict { last.inConflict[entry] = 0 }
      counts.add(last)
      if last.conflicts == 0 { break }
    }
    counts.waiting = try await store.read { try pushLoop.outbox.countWaitingForRefused($0.database) }
    return counts
  }

  /// Does the work, and renews the lock's sign of life meanwhile.
  private static func holding<Value: Sendable>(
    _ lock: SyncLock, _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try await withThrowingTaskGroup(of: Value.self) { group in
      group.addTask {
        while true {
          try await Task.sleep(for: .seconds(SyncLock.interval))
          do {
            try await lock.keep()
          } catch is StoreError {
            // The disk is full, or another connection locks the database. A write of the run would throw for
            // the same reason, so this error is ignored.
          }
        }
      }
      group.addTask { try await work() }
      defer { group.cancelAll() }
      // The signs of life end only with an error, so the first result is the work's result or an error.
      guard let value = try await group.next() else { throw CancellationError() }
      return value
    }
  }

  private func waitingCount() async throws -> Int {
    try await store.read { tx in
      var count = 0
      try tx.run(ParkedChanges.count, [.text(self.name)]) { count = Int(try $0.integer(at: 0, for: Int64.self)) }
      return count
    }
  }
}

// MARK: - Looking at it

extension SyncSession {
  /// The progress for any task: first the present state, then the newest state, at most once a frame.
  public var progress: SyncProgressUpdates { SyncProgressUpdates(hub: hub) }

  /// The progress for views.
  @MainActor public var status: SyncStatus { SyncStatus(hub) }
}
