import Sanderling

/// What is compared after each step.
extension CaseRunner {
  func check(_ check: FuzzStep.Check) async throws {
    let expectations = try await note()
    switch check {
    case .none: return
    case .settled:
      guard await finishes(within: patience, { [store] in await store.settled() }) else {
        throw FuzzFailure(kind: .missing, message: "settled() does not return")
      }
      for number in slots.keys.sorted() { try await compare(number, expectations, isSettled: true) }
      try await compareBattery()
    case .reached:
      for number in slots.keys.sorted() {
        try await reach(number)
        try await compare(number, expectations, isSettled: false)
      }
    }
    history.forget(before: store.lastCommit)
  }

  /// Notes what the queries that are followed have to be at the last commit.
  @discardableResult
  func note() async throws -> [Int: Expectation] {
    let selects = selects
    let numbers = Set(slots.values.flatMap { $0.recent.map(\.query) + [$0.query] })
    let expectations = try await store.read { tx in
      Dictionary(uniqueKeysWithValues: numbers.map { ($0, selects[$0].expectation(tx)) })
    }
    history.add(expectations, at: store.lastCommit)
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

  func difference(
    _ shown: Shown, _ spec: LiveQuerySpec, _ window: Int, _ expectation: Expectation
  ) async throws -> (kind: FuzzFailure.Kind, text: String)? {
    if let rows = expectation.rows {
      guard shown.state.isCurrent else {
        return (.state, "the state is \(shown.state), but SQLite has \(rows.count) rows")
      }
      if let difference = expectation.difference(from: shown.rows, window: window) { return (.rows, difference) }
      if let hasMore = shown.hasMore, hasMore != (rows.count > window) {
        return (.hasMore, "hasMore is \(hasMore) in a window of \(window), but SQLite has \(rows.count) rows")
      }
      return nil
    }
    if shown.state.error != nil { return nil }
    // What fails may lie beyond the window.
    let limited = try await store.read { tx in spec.expectation(tx, window: window) }
    guard limited.rows != nil else {
      return (.state, "the state is \(shown.state), but SQLite fails: \(expectation.error ?? "")")
    }
    return limited.difference(from: shown.rows, window: window).map { (.rows, $0) }
  }

  /// Compares what a consumer got with what was to be expected at the commits that it names, and waits until it has the
  /// newest.
  private func compare(
    _ log: ConsumerLog, _ slot: Slot, _ expectation: Expectation, isSettled: Bool,
    _ fail: (FuzzFailure.Kind, String) -> FuzzFailure
  ) async throws {
    if isSettled, !slot.isSuspended, let rows = expectation.rows {
      let expected = Array(rows.prefix(slot.result.window))
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
      if !alternatives.contains(true) {
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
