import Foundation
import GRDB
import Sanderling

/// Steps that concern a store as a whole.
extension CaseRunner {
  func perform(_ life: LifeStep) async throws {
    switch life {
    case .erase(let rows):
      guard database.opening != .readOnly else { return }
      try await inTime("erase()") { [store] in try await store.erase() }
      await run(rows)
    case .explain(let queries):
      for query in queries {
        let spec = fuzzCase.queries[query]
        try await inTime("explainLive()") { [store] in _ = try await spec.explanation(in: store) }
      }
    case .change(_, let steps): try await change(steps)
    case .reopen(let leaving): try await reopen(leaving)
    case .openStore(let queries): try openOther(queries)
    case .writeThrough(let place, let transaction):
      if others.indices.contains(place), let store = others[place].store, database.opening != .readOnly {
        await TransactionRunner(store: store, coverage: coverage, problems: database.writeProblems).run(transaction)
      }
    case .closeStore(let place, let leaving): try await closeOther(place, leaving)
    case .sweep(let sweep): try await perform(sweep)
    case .suspension(let transactions, let outside): try await suspendApp(transactions, outside)
    case .fault(let step): try await perform(step)
    case .overlap(let transaction, let opened, let own): try await overlap(transaction, opened, own)
    case .releaseMemory: store.releaseMemory()
    case .beside(_, let statements): await perform(statements)
    case .backup: try await makeCopy()
    case .restore(let own): try await restore(own)
    case .checkpoint(let truncates):
      try await inTime("checkpoint()") { [store] in try await store.checkpoint(truncates ? .truncate : .passive) }
      // A reset of the log looks like a write to every connection except the store's own, which made it.
      dataVersionAtLastLook = try await dataVersion()
    }
    if database.opening == .readOnly { try await noticeAfter() }
  }

  /// Opens queries in slots, without a consumer.
  func open(_ opened: [LifeStep.OpenedQuery]) {
    let style = OpenStyle(isImmediate: false, consumers: [], isSlow: false)
    for each in opened { open(each.query, in: each.slot, style) }
  }

  // MARK: Schema

  private func change(_ steps: SchemaSteps) async throws {
    let route = database.opening == .readOnly ? .plain : steps.route
    for transaction in steps.transactions {
      switch route {
      case .store:
        let migrator = migrator(transaction)
        try await migrate(migrator)
      case .migrator:
        let (migrator, writer) = (migrator(transaction), database.writer)
        try? await TransactionRunner.offThread { try migrator.migrate(writer) }
      case .plain: await run(["PRAGMA foreign_keys = OFF", "BEGIN"] + transaction + ["COMMIT"])
      }
      if steps.settlesBetween { try await settle() }
    }
  }

  private func migrate(_ migrator: DatabaseMigrator) async throws {
    var failure: (any Error)?
    try await inTime("migrate()") { [store] in
      do { try await store.migrate(migrator) } catch { failure = error }
    }
    // The obstacle may be the app's own or another store's, but not this store's. An object that belongs to the tables
    // is the app's.
    var message = failure.map { "\($0)" } ?? ""
    for name in ["sanderling_touch_"] + fuzzRecords.flatMap({ $0.table.derivedColumns }) {
      message = message.replacing(name, with: "")
    }
    if let failure, others.isEmpty, message.contains("sanderling_") {
      throw FuzzFailure(kind: .other, message: "objects of the store block a migration: \(failure)")
    }
  }

  private func migrator(_ transaction: [String]) -> DatabaseMigrator {
    migrationCount += 1
    // The random rows have foreign keys to missing rows.
    var migrator = DatabaseMigrator().disablingDeferredForeignKeyChecks()
    migrator.registerMigration("fuzz \(migrationCount) \(UUID().uuidString)") { db in
      for statement in transaction { try db.execute(sql: statement) }
    }
    return migrator
  }

  // MARK: Time and suspension

  private func perform(_ sweep: LifeStep.Sweep) async throws {
    try await visit(sweep.visited)
    for slot in sweep.closed { slots.removeValue(forKey: slot)?.result.close() }
    if sweep.settles { try await settle() }
    if sweep.holdsWriter { database.writer.asyncWriteWithoutTransaction { _ in usleep(5_000) } }
    database.clock.advance(by: .seconds(sweep.seconds))
    // Long enough for the store to send its request to the writer.
    if sweep.holdsWriter { try await Task.sleep(for: .milliseconds(2)) }
    open(sweep.opened)
    if sweep.settles { try await settle() }
  }

  /// Opens queries and releases them after their first read.
  private func visit(_ queries: [Int]) async throws {
    if queries.isEmpty { return }
    let style = OpenStyle(isImmediate: false, consumers: [], isSlow: false)
    let visited = queries.map { fuzzCase.queries[$0].open(in: store, style) }
    try await settle()
    for result in visited { result.close() }
  }

  private func suspendApp(_ transactions: [FuzzTransaction], _ outside: FuzzTransaction?) async throws {
    let center = NotificationCenter.default
    center.post(name: Database.suspendNotification, object: nil)
    for transaction in transactions { await self.transactions.run(transaction) }
    if let outside, let connection = database.outsideConnection {
      // Results that can be read while suspended may be read before the other connection writes.
      _ = try? await note()
      _ = try? await run(outside, on: connection)
    }
    let isSettled = await finishes(within: patience) { [store] in await store.settled() }
    // The order of observers is undefined, so the notification is posted twice. At the second one the database has
    // already resumed when the store receives it. After a single one the store might try too early, and its next
    // attempt would wait for a delay that this clock doesn't let pass.
    for _ in 1...2 { center.post(name: Database.resumeNotification, object: nil) }
    if !isSettled { throw FuzzFailure(kind: .missing, message: "settled() does not return while suspended") }
    if outside != nil { try await notice() }
  }

  // MARK: Other connections

  private func overlap(
    _ transaction: FuzzTransaction, _ opened: [LifeStep.OpenedQuery], _ own: FuzzTransaction?
  ) async throws {
    guard let connection = database.outsideConnection else { return }
    try await run(transaction, on: connection, opened: opened.map(\.query)) { [weak self] in
      let isOpened = DispatchSemaphore(value: 0)
      Task { @MainActor in
        self?.open(opened)
        isOpened.signal()
      }
      _ = isOpened.wait(timeout: .now() + 5)
      // Long enough for the store to begin its read.
      usleep(2_000)
    }
    if let own, database.opening != .readOnly {
      await transactions.run(own)
      try await note()
    }
    try await notice()
  }

  /// Asks the store, and the other stores on its connections, to notice outside changes. Alternatively, waits until
  /// they have noticed them by file events.
  ///
  /// - Parameter byEvents: Whether file events must report the changes. They need not after a failed call to the file
  ///   system: SQLite may then change the version number by itself, without a commit of another connection.
  /// - Returns: Whether the store found an outside change.
  @discardableResult
  func notice(byEvents: Bool = true) async throws -> Bool {
    var hasNoticed = false
    for store in byEvents ? [store] + others.compactMap(\.store) : [] where store.outsideChangeDetection == .events {
      let deadline = ContinuousClock.now + patience
      while await !store.hasSeenOutsideChanges() {
        if ContinuousClock.now > deadline {
          throw FuzzFailure(kind: .missing, message: "no file event reports the commit of another connection")
        }
        try await Task.sleep(for: .milliseconds(1))
      }
    }
    try await inTime("noticeOutsideChanges()") { [store] in hasNoticed = try await store.noticeOutsideChanges() }
    for other in others {
      try await inTime("noticeOutsideChanges()") { _ = try await other.store?.noticeOutsideChanges() }
    }
    dataVersionAtLastLook = try await dataVersion()
    return hasNoticed
  }

  private func perform(_ statements: [LifeStep.BesideStatement]) async {
    for statement in statements {
      switch statement {
      case .attach: await run(["ATTACH \(StorageValue.text(database.attachedPath).literal) AS extra"])
      case .sql(let sql): await run([sql])
      }
    }
    // Attaching a database sends no notification: results that could not be read wait for a commit to its tables.
    if statements.contains(where: { if case .attach = $0 { true } else { false } }) {
      await run(["INSERT OR REPLACE INTO extra.remote VALUES (99, 0)"])
      for slot in slots.values where fuzzCase.queries[slot.query].readsBeside { slot.result.retry() }
    }
  }

  private func makeCopy() async throws {
    try copy?.close()
    copy = nil
    migrationCount += 1
    guard let path = database.copyPath(migrationCount) else {
      let (source, copy) = (database.writer, try DatabaseQueue())
      try await TransactionRunner.offThread { try source.backup(to: copy) }
      self.copy = copy
      return
    }
    try await inTime("backup()") { [store] in try await store.backup(to: path) }
    copy = try DatabaseQueue(path: path)
  }

  private func restore(_ own: FuzzTransaction?) async throws {
    guard let copy else { return }
    let writer = database.writer
    try? await TransactionRunner.offThread { try copy.backup(to: writer) }
    let last = store.lastCommit
    if let own, database.opening != .readOnly { await transactions.run(own) }
    // A commit of the store's own connection lets the store notice the replaced file. A failing transaction does not.
    if store.lastCommit == last { try await notice() }
    // The new contents have no commit. A result may name any later commit.
    try await note(since: last)
  }
}
