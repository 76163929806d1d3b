import GRDB
import Sanderling

/// The actions of a round.
extension CaseRunner {
  var transactions: TransactionRunner {
    TransactionRunner(store: store, coverage: coverage, problems: database.writeProblems)
  }

  func perform(_ action: FuzzStep.Action) async throws {
    if database.opening == .readOnly, try await performOutside(action) { return }
    switch action {
    case .write(let transaction): await transactions.run(transaction)
    case .burst(let burst):
      coverage.note(.burst)
      for transaction in burst { await transactions.run(transaction) }
    case .stream(let stream):
      coverage.note(.stream)
      await transactions.run(stream)
    case .concurrent(let tasks, let opened): await performConcurrently(tasks, opened)
    case .outside(let transaction, let own): try await performOutside(transaction, own)
    case .statements(let kind, let statements):
      if !statements.isEmpty { coverage.note(kind) }
      await run(statements)
    case .open(let slot, let query, let style): open(query, in: slot, style)
    case .close(let slot):
      if let open = slots.removeValue(forKey: slot) {
        coverage.note(.close)
        open.result.close()
      }
    case .suspend(let slot):
      if slots[slot]?.isSuspended == false {
        coverage.note(.suspend)
        slots[slot]?.isSuspended = true
        slots[slot]?.result.suspend()
      }
    case .resume(let slot):
      if slots[slot]?.isSuspended == true {
        coverage.note(.resume)
        slots[slot]?.isSuspended = false
        slots[slot]?.result.resume()
      }
    case .replace(let slot, let query):
      if let open = slots[slot], open.result.replace(with: fuzzCase.queries[query]) {
        coverage.note(.replace)
        slots[slot]?.query = query
        slots[slot]?.recent.append((query, open.result.window))
      }
    case .growBattery(let place, let count):
      coverage.note(.growBattery)
      growBattery(place, by: count)
    case .grow(let slot, let count):
      if let open = slots[slot], case .rows = fuzzCase.queries[open.query].form {
        coverage.note(.grow)
        if !open.hasGrown { coverage.noteGrown() }
        open.result.grow(by: count)
        slots[slot]?.hasGrown = true
        slots[slot]?.recent.append((open.query, open.result.window))
      }
    case .life(let life):
      coverage.note(life.kind)
      try await perform(life)
    }
  }

  func open(_ query: Int, in slot: Int, _ style: OpenStyle) {
    slots.removeValue(forKey: slot)?.result.close()
    var spec = fuzzCase.queries[query]
    if let window = style.window { spec.window = window }
    var style = style
    // Swift can't compute positions for such a collation, as a test shows.
    if style.shape == .long, spec.isSortedByOwnCollation(of: fuzzCase.world) { style.shape = .list }
    coverage.note(.open)
    coverage.noteQuery(spec.constructs)
    let result = spec.open(in: store, style)
    slots[slot] = Slot(
      result: result, query: query, recent: [(query, result.window)], style: style,
      isSectioned: result.shown.sections != nil)
  }

  private func performConcurrently(_ tasks: [[FuzzTransaction]], _ opened: [Int]) async {
    coverage.note(.concurrent)
    var runner = transactions
    runner.isAlone = false
    let transactions = runner
    await withTaskGroup { group in
      for task in tasks {
        group.addTask { for transaction in task { await transactions.run(transaction) } }
      }
      for query in opened {
        let style = OpenStyle(isImmediate: false, consumers: [.changes], isSlow: false)
        let result = fuzzCase.queries[query].open(in: store, style)
        await Task.yield()
        result.close()
      }
    }
  }

  private func performOutside(_ transaction: FuzzTransaction, _ own: FuzzTransaction?) async throws {
    guard let connection = database.outsideConnection else { return }
    coverage.note(.outside)
    try await run(transaction, on: connection)
    if let own {
      await transactions.run(own)
      try await note()
    }
    try await notice()
  }

  /// Runs a transaction on another connection, and records the expectations before and after it. The store's commit
  /// number stays the same, so it names both states. So do the commits of folding in the background meanwhile.
  ///
  /// - Parameter opened: Queries that are opened meanwhile.
  func run(
    _ transaction: FuzzTransaction, on connection: DatabaseQueue, opened: [Int] = [],
    meanwhile: @escaping @Sendable () -> Void = {}
  ) async throws {
    let first = store.lastCommit
    let before = try await note(opened: opened)
    await TransactionRunner.run(transaction, on: connection, coverage, database.writeProblems, meanwhile: meanwhile)
    try await note(opened: opened, since: first)
    if !mayLackNumber { history.add(before, at: first...max(first, store.lastCommit)) }
  }

  func run(_ statements: [String]) async {
    try? await database.writer.writeWithoutTransaction { db in
      let enforcesForeignKeys = try Bool.fetchOne(db, sql: "PRAGMA foreign_keys") ?? false
      defer { try? db.execute(sql: "PRAGMA foreign_keys = \(enforcesForeignKeys ? "ON" : "OFF")") }
      do {
        for statement in statements { try db.execute(sql: statement) }
      } catch {
        if db.isInsideTransaction { try db.execute(sql: "ROLLBACK") }
      }
    }
  }
}
