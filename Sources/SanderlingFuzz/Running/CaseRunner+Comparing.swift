import Sanderling

/// The comparisons after each step.
extension CaseRunner {
  func check(_ check: FuzzStep.Check) async throws {
    if let problem = database.writeProblems.first { throw FuzzFailure(kind: .write, message: problem) }
    try await stopFoldingThatWrites()
    defer { holdFolding(isFoldingHeld) }
    try await compareFolds()
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

  /// Runs work that may fail but must end.
  func inTime(_ name: String, _ work: @escaping @MainActor () async throws -> Void) async throws {
    guard await finishes(within: patience, { try? await work() }) else {
      throw FuzzFailure(kind: .missing, message: "\(name) does not return")
    }
  }

  /// Records the rows that the followed queries must have at the last commit.
  ///
  /// - Parameters:
  ///   - opened: Further queries that are about to be opened.
  ///   - first: The last commit before another connection wrote. The expectation holds for all commits since, which may
  ///     come from folding in the background: the outside changes may be seen at each of them.
  @discardableResult
  func note(opened: [Int] = [], since first: Commit? = nil) async throws -> [Int: Expectation] {
    let selects = selects
    let numbers = Set(slots.values.flatMap { $0.recent.map(\.query) + [$0.query] } + opened)
    let sectioned = Set(slots.values.filter(\.isSectioned).flatMap { $0.recent.map(\.query) + [$0.query] })
    let queries = fuzzCase.queries
    let expectations = try await store.read { tx in
      var expectations: [Int: Expectation] = [:]
      for number in numbers {
        expectations[number] = selects[number].expectation(
          of: queries[number], isSectioned: sectioned.contains(number), tx)
      }
      return expectations
    }
    // The database may already be ahead of the last commit known here.
    let last = store.lastCommit
    if !mayLackNumber { history.add(expectations, at: min(first ?? last, last)...last) }
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
      if isSettled, shown.state.isCurrent, let position = try await missingPosition(slot.result) {
        throw fail(.rows, "position \(position) is visible and not loaded: \(slot.result.shown.long?.extent ?? "")")
      }
      if isSettled, shown.state.isCurrent, let rows = expectation.rows {
        let problem = QuestionOutcome()
        let spec = fuzzCase.queries[slot.query]
        try await inTime("the inquiry of a result") { problem.text = try await slot.result.inquire(rows, of: spec) }
        if let text = problem.text { throw fail(.rows, text) }
      }
      coverage.noteCheck(constructs)
      coverage.noteCheck(shown.shape, rows: shown.rowCount)
    }
    for log in slot.result.logs {
      try await compare(log, slot, expectation, isSettled: isSettled, fail)
    }
    if isSettled, !slot.isSuspended { slots[number]?.recent = [(slot.query, slot.result.window)] }
  }

  /// A visible position of a long list that is not loaded in time; nil if there is none.
  private func missingPosition(_ result: any OpenResult) async throws -> Int? {
    let deadline = ContinuousClock.now + .seconds(5)
    while let position = result.shown.long?.missing {
      // After a jump, the list first learns its new position and then requests the rows there.
      if ContinuousClock.now > deadline { return position }
      try await settle()
      try await Task.sleep(for: .milliseconds(2))
    }
    return nil
  }

  /// Returns the difference between the shown rows and a fresh SELECT. Differences that SQLite's plan may cause in sums
  /// of doubles are allowed.
  func difference(
    _ shown: Shown, _ spec: LiveQuerySpec, _ window: Int, _ expectation: Expectation
  ) async throws -> (kind: FuzzFailure.Kind, text: String)? {
    if let sections = shown.sections { return try await difference(sections, shown, spec, expectation) }
    guard let difference = try await plainDifference(shown, spec, window, expectation) else { return nil }
    guard let dependence = PlanDependence(spec) else { return difference }
    let isExplained = try await store.read { tx in try dependence.explains(shown, expectation, window: window, tx) }
    return isExplained ? nil : difference
  }

  private func difference(
    _ sections: ShownSections, _ shown: Shown, _ spec: LiveQuerySpec, _ expectation: Expectation
  ) async throws -> (kind: FuzzFailure.Kind, text: String)? {
    guard let expected = expectation.sections, let sectionSpec = spec.sections else { return nil }
    if let error = expected.error {
      // A closed section, or one longer than its window, may not reach the row at which SQLite fails.
      if shown.state.error != nil { return nil }
      if expected.headers == nil {
        return try await mayDiffer(spec.headers(sectionSpec))
          ? nil : (.state, "the state is \(shown.state), but SQLite fails: \(error)")
      }
    }
    guard shown.state.isCurrent else {
      if try await mayDiffer(spec.headers(sectionSpec)) { return nil }
      return (.state, "the state is \(shown.state), but SQLite has \(expected.rows.count) sections")
    }
    guard let difference = expected.difference(from: sections, windows: shown.sectionWindows) else { return nil }
    if expected.difference(from: sections, windows: shown.sectionWindows, comparesValues: false) == nil,
      try await mayDiffer(spec.headers(sectionSpec))
    {
      return nil
    }
    if let dependence = PlanDependence(spec.headers(sectionSpec)),
      try await store.read({ tx in try dependence.mayOrderOtherwise(tx) })
    {
      return nil
    }
    return (.rows, difference)
  }

  private func mayDiffer(_ spec: LiveQuerySpec) async throws -> Bool {
    guard let dependence = PlanDependence(spec) else { return false }
    return try await store.read { tx in try dependence.mayDiffer(tx) }
  }

  /// Whether a present or former query of the slot has a value that depends on SQLite's plan.
  private func mayDiffer(_ slot: Slot) async throws -> Bool {
    let specs = slot.recent.map { fuzzCase.queries[$0.query] }
    let dependences = (specs + specs.compactMap { spec in spec.sections.map(spec.headers) }).compactMap(
      PlanDependence.init)
    return try await store.read { tx in try dependences.contains { try $0.mayDiffer(tx) } }
  }

  private func mayLackPlaces(_ spec: LiveQuerySpec) async throws -> Bool {
    try await store.read { tx in spec.pagedRows.read(tx)?.mayLackPlaces ?? false }
  }

  private func plainDifference(
    _ shown: Shown, _ spec: LiveQuerySpec, _ window: Int, _ expectation: Expectation
  ) async throws -> (kind: FuzzFailure.Kind, text: String)? {
    if let rows = expectation.rows {
      if shown.isValue, rows.first?.isUnreadable == true {
        return shown.state.error != nil ? nil : (.state, "the state is \(shown.state), but the row can't be read")
      }
      guard shown.state.isCurrent else {
        if shown.long != nil, shown.state.error is LongListError, try await mayLackPlaces(spec) { return nil }
        // A search finds rows by their key, which the fresh SELECT doesn't read. A migration may have renamed the key.
        if lacksKey(shown.state.error) { return nil }
        return (.state, "the state is \(shown.state), but SQLite has \(rows.count) rows")
      }
      if let long = shown.long { return long.difference(from: rows, of: spec).map { (.rows, $0) } }
      if let difference = expectation.difference(from: shown.rows, window: window) { return (.rows, difference) }
      if let hasMore = shown.hasMore, hasMore != (rows.count > window) {
        return (.hasMore, "hasMore is \(hasMore) in a window of \(window), but SQLite has \(rows.count) rows")
      }
      return nil
    }
    // A long list may not reach the row at which SQLite fails.
    if shown.state.error != nil || shown.long != nil || expectation.isUnknown { return nil }
    // No notification reports that a database was detached.
    if spec.readsBeside { return nil }
    if let counted = spec.countedRows {
      let expectation = try await store.read { tx in counted.expectation(tx) }
      if expectation.rows != nil { return expectation.difference(from: shown.rows, window: window).map { (.rows, $0) } }
    }
    // The failing row may be beyond the window. Whether SQLite reaches it depends on its plan, which depends on the
    // limit.
    for isStepped in [false, true] {
      let limited = try await store.read { tx in spec.expectation(tx, window: window, isStepped: isStepped) }
      if limited.rows != nil { return limited.difference(from: shown.rows, window: window).map { (.rows, $0) } }
    }
    // A list never evaluates its condition for a row beyond its window. SQLite may evaluate it for all rows.
    if shown.hasMore == true, expectation.error?.contains("integer overflow") == true { return nil }
    return (.state, "the state is \(shown.state), but SQLite fails: \(expectation.error ?? "")")
  }

  /// Compares a consumer's values with the expectations at the commits that they name, and waits until it has the
  /// newest value.
  private func compare(
    _ log: ConsumerLog, _ slot: Slot, _ expectation: Expectation, isSettled: Bool,
    _ fail: (FuzzFailure.Kind, String) -> FuzzFailure
  ) async throws {
    if isSettled, !slot.isSuspended, let rows = expectation.rows {
      // The shown rows were compared before, and may be another result of the same sums.
      let shown = slot.result.shown
      let expected = shown.state.isCurrent ? shown.rows : Array(rows.prefix(slot.result.window)).asShown
      log.setOpen(true)
      // Sections that can't all be read have no newer value to wait for. Neither has a value that can't be read, nor a
      // search that lacks a key.
      let isFailed =
        (shown.sections != nil || shown.isValue || lacksKey(shown.state.error)) && !shown.state.isCurrent
      let hasArrived = await log.wait {
        isFailed || $0?.isCurrent == true && $0?.rows == expected && $0?.sections == shown.sections
      }
      if !hasArrived, log.take().problem == nil {
        if let sections = shown.sections {
          throw fail(
            .consumer, "\(log.name) has \(log.last?.sections as Any), and shown is \(sections)")
        }
        // The result of the consumer was read by another statement. Whether a sum overflows depends on its order, too.
        let isOtherSum = log.last?.isCurrent == true || log.last?.error?.contains("integer overflow") == true
        if isOtherSum, try await mayDiffer(slot) { return }
        let difference = expectation.difference(from: log.last?.rows ?? [], window: slot.result.window)
        let last =
          log.last.map { $0.error ?? "its last value is \($0.isCurrent ? "" : "not ")current" } ?? "it has no value"
        throw fail(.consumer, "\(log.name) does not get the newest rows: \(difference ?? "equal rows"); \(last)")
      }
    }
    let (observations, problem) = log.take()
    if let problem { throw fail(.consumer, "\(log.name): \(problem)") }
    for observation in observations where observation.isCurrent {
      guard let commit = observation.commit else { throw fail(.consumer, "\(log.name): current rows name no commit") }
      if let sections = observation.sections {
        let differences = slot.recent.map { history.difference(sections, at: commit, query: $0.query) }
        if !differences.contains(nil), try await !mayDiffer(slot) {
          throw fail(
            .consumer,
            "\(log.name) names commit \(commit.number) of \(store.lastCommit.number): \(differences.first.flatMap(\.self) ?? "")"
          )
        }
        coverage.noteCheck([])
        continue
      }
      let alternatives = slot.recent.map { recent in
        history.mayBe(observation.rows, at: commit, query: recent.query, window: recent.window)
      }
      let isWrong = if alternatives.contains(true) { false } else { try await !mayDiffer(slot) }
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

/// The error in a result's answer.
@MainActor
private final class QuestionOutcome {
  var text: String?
}

/// The outcome of waiting for a commit.
@MainActor
private final class ReachOutcome {
  var error: (any Error)?

  var text: String { error.map { "\($0)" } ?? "success" }
}

/// Whether the error of a search names the key's column of a record as missing.
private func lacksKey(_ error: (any Error)?) -> Bool {
  guard let error else { return false }
  let text = "\(error)"
  guard text.contains("sanderling_") else { return false }
  return fuzzRecords.contains { record in
    record.table.keyColumns.contains { text.contains("no such column: \(record.table.name).\($0.name) ") }
  }
}
