import Sanderling

/// What is compared after each step.
extension CaseRunner {
  func check(_ check: FuzzStep.Check) async throws {
    if let problem = database.writeProblems.first { throw FuzzFailure(kind: .write, message: problem) }
    let expectations = try await note()
    switch check {
    case .none: return
    case .settled:
      try await settle()
      for number in slots.keys.sorted() { try await compare(number, expectations, isSettled: true) }
      try await compareBattery()
      try await compareOthers()
      if let report = database.auditReports.first { throw FuzzFailure(kind: .audit, message: report) }
    case .reached:
      for number in slots.keys.sorted() {
        try await reach(number)
        try await compare(number, expectations, isSettled: false)
      }
    }
    history.forget(before: store.lastCommit)
  }

  func settle() async throws {
    try await inTime("settled()") { [store] in await store.settled() }
    mayLackNumber = false
  }

  /// Runs what may fail, but has to end.
  func inTime(_ name: String, _ work: @escaping @MainActor () async throws -> Void) async throws {
    guard await finishes(within: patience, { try? await work() }) else {
      throw FuzzFailure(kind: .missing, message: "\(name) does not return")
    }
  }

  /// Notes what the queries that are followed have to be at the last commit.
  @discardableResult
  func note() async throws -> [Int: Expectation] {
    let selects = selects
    let numbers = Set(slots.values.flatMap { $0.recent.map(\.query) + [$0.query] })
    let expectations = try await store.read { tx in
      Dictionary(uniqueKeysWithValues: numbers.map { ($0, selects[$0].expectation(tx)) })
    }
    // What the last commit was need not be what is there.
    if !mayLackNumber { history.add(expectations, at: store.lastCommit) }
    return expectations
  }

  private func reach(_ number: Int) async throws {
    guard let slot = slots[number] else { return }
    let commit = store.lastCommit
    let outcome = ReachOutcome()
    let isInTime = await finishes(within: patience) {
      do { try await slot.result.reached(commit) } catch { outcome.error = error }
    }
    if !isInTime { throw FuzzFailure(kind: .missing, message: "reached() does not return", slot: number) }
    if slot.isSuspended {
      guard outcome.error as? LiveError == .suspended else {
        throw FuzzFailure(
          kind: .state, message: "reached() of a suspended result ended with \(outcome.text)", slot: number)
      }
      return
    }
    let shown = slot.result.shown
    if outcome.error == nil, let shownCommit = shown.commit, shownCommit < commit {
      throw FuzzFailure(
        kind: .commit, message: "reached \(commit.number), but shows commit \(shownCommit.number)", slot: number)
    }
  }

  private func compare(_ number: Int, _ expectations: [Int: Expectation], isSettled: Bool) async throws {
    guard let slot = slots[number], let expectation = expectations[slot.query] else { return }
    var constructs = constructs[slot.query]
    if slot.hasGrown { constructs.insert(.windowGrown) }
    func fail(_ kind: FuzzFailure.Kind, _ message: String) -> FuzzFailure {
      FuzzFailure(
        kind: kind, message: "\(message); slot \(number): \(fuzzCase.queries[slot.query].description)", slot: number)
    }

    if !slot.isSuspended {
      let shown = slot.result.shown
      if let problem = shown.inconsistency(last: store.lastCommit) { throw fail(.commit, problem) }
      if let problem = shown.problem { throw fail(.rows, problem) }
      if let difference = try await difference(shown, fuzzCase.queries[slot.query], slot.result.window, expectation) {
        throw fail(difference.kind, difference.text)
      }
      coverage.noteCheck(constructs)
    }
    for log in slot.result.logs {
      try await compare(log, slot, expectation, isSettled: isSettled, fail)
    }
    if isSettled, !slot.isSuspended { slots[number]?.recent = [(slot.query, slot.result.window)] }
  }

  /// What differs between what is shown and a fresh SELECT, beyond what sums of doubles may by SQLite's plan.
  func difference(
    _ shown: Shown, _ spec: LiveQuerySpec, _ window: Int, _ expectation: Expectation
  ) async throws -> (kind: FuzzFailure.Kind, text: String)? {
    guard let difference = try await plainDifference(shown, spec, window, expectation) else { return nil }
    guard let dependence = PlanDependence(spec) else { return difference }
    let isExplained = try await store.read { tx in try dependence.explains(shown, expectation, window: window, tx) }
    return isExplained ? nil : difference
  }

  /// Whether a query that the slot has, or had, adds up numbers whose sum depends on SQLite's plan.
  private func mayRound(_ slot: Slot) async throws -> Bool {
    let dependences = slot.recent.compactMap { PlanDependence(fuzzCase.queries[$0.query]) }
    return try await store.read { tx in try dependences.contains { try $0.mayRound(tx) } }
  }

  private func plainDifference(
    _ shown: Shown, _ spec: LiveQuerySpec, _ window: Int, _ expectation: Expectation
  ) async throws -> (kind: FuzzFailure.Kind, text: String)? {
    if let rows = expectation.rows {
      guard shown.state.isCurrent else {
        return (.state, "the state is \(shown.state), but SQLite has \(rows.count) rows")
      }
      if let long = shown.long { return long.difference(from: rows).map { (.rows, $0) } }
      if let difference = expectation.difference(from: shown.rows, window: window) { return (.rows, difference) }
      if let hasMore = shown.hasMore, hasMore != (rows.count > window) {
        return (.hasMore, "hasMore is \(hasMore) in a window of \(window), but SQLite has \(rows.count) rows")
      }
      return nil
    }
    // A long list may not come to the row at which SQLite fails.
    if shown.state.error != nil || shown.long != nil { return nil }
    // Nobody is told that a database was detached.
    if spec.readsBeside { return nil }
    if let counted = spec.countedRows {
      let expectation = try await store.read { tx in counted.expectation(tx) }
      if expectation.rows != nil { return expectation.difference(from: shown.rows, window: window).map { (.rows, $0) } }
    }
    // What fails may lie beyond the window. Whether SQLite gets there depends on its plan, and that on the limit.
    for isStepped in [false, true] {
      let limited = try await store.read { tx in spec.expectation(tx, window: window, isStepped: isStepped) }
      if limited.rows != nil { return limited.difference(from: shown.rows, window: window).map { (.rows, $0) } }
    }
    return (.state, "the state is \(shown.state), but SQLite fails: \(expectation.error ?? "")")
  }

  /// Compares what a consumer got with what was to be expected at the commits that it names, and waits until it has the
  /// newest.
  private func compare(
    _ log: ConsumerLog, _ slot: Slot, _ expectation: Expectation, isSettled: Bool,
    _ fail: (FuzzFailure.Kind, String) -> FuzzFailure
  ) async throws {
    if isSettled, !slot.isSuspended, let rows = expectation.rows {
      // What is shown was compared, and may be another result of the same sums.
      let shown = slot.result.shown
      let expected = shown.state.isCurrent ? shown.rows : Array(rows.prefix(slot.result.window))
      log.setOpen(true)
      let hasArrived = await log.wait { $0?.isCurrent == true && $0?.rows == expected }
      if !hasArrived, log.take().problem == nil {
        let difference = expectation.difference(from: log.last?.rows ?? [], window: slot.result.window)
        throw fail(.consumer, "\(log.name) does not get the newest rows: \(difference ?? "it is not current")")
      }
    }
    let (observations, problem) = log.take()
    if let problem { throw fail(.consumer, "\(log.name): \(problem)") }
    for observation in observations where observation.isCurrent {
      guard let commit = observation.commit else { throw fail(.consumer, "\(log.name): current rows name no commit") }
      let alternatives = slot.recent.map { recent in
        history.mayBe(observation.rows, at: commit, query: recent.query, window: recent.window)
      }
      let isWrong = if alternatives.contains(true) { false } else { try await !mayRound(slot) }
      if isWrong {
        let differences = slot.recent.compactMap { recent in
          history.difference(observation.rows, at: commit, query: recent.query, window: recent.window)
        }
        throw fail(
          .consumer,
          "\(log.name) names commit \(commit.number) of \(store.lastCommit.number): \(differences.first ?? "")")
      }
      coverage.noteCheck([])
    }
  }
}

/// How waiting for a commit ended.
@MainActor
private final class ReachOutcome {
  var error: (any Error)?

  var text: String { error.map { "\($0)" } ?? "success" }
}
