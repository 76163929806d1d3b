/// Searches for a small case that still fails, by running the case with parts left out.
@MainActor
final class Shrinker {
  private(set) var fuzzCase: FuzzCase
  private(set) var failure: FuzzFailure
  private let deadline: ContinuousClock.Instant
  /// The number of runs after which a case counts as not failing: the engine's timing differs in each run.
  private let attempts: Int
  private(set) var runCount = 0

  /// - Parameters:
  ///   - attempts: The number of runs of each smaller case.
  init(_ fuzzCase: FuzzCase, _ failure: FuzzFailure, attempts: Int, duration: Duration) {
    self.fuzzCase = fuzzCase
    self.failure = failure
    self.attempts = attempts
    deadline = .now + duration
  }

  private var hasTime: Bool { ContinuousClock.now < deadline }

  /// Leaves out parts until no further part can be left out or the time is up.
  func shrink() async {
    await leaveOutBattery()
    await endAtFailure()
    var size: Int?
    while hasTime, size != fuzzCase.size {
      size = fuzzCase.size
      await leaveOut(\.steps)
      await endAtFailure()
      await simplifySteps()
      await leaveOut(\.battery)
      await leaveOut(\.world.rows)
      await leaveOut(\.world.features)
      await simplifyTables()
      await simplifyQueries()
    }
  }

  /// Whether a smaller case fails too; it then becomes the current case.
  private func accepts(_ candidate: FuzzCase) async -> Bool {
    for _ in 0..<attempts where hasTime {
      runCount += 1
      // A value that never arrives needs a shorter time limit here than in the run itself.
      if let failure = await CaseRunner.run(candidate, Coverage(), patience: .seconds(2)),
        failure.kind == self.failure.kind
      {
        (fuzzCase, self.failure) = (candidate, failure)
        return true
      }
    }
    return false
  }

  /// Leaves out the battery, except for its wrong query.
  private func leaveOutBattery() async {
    var candidate = fuzzCase
    candidate.battery = failure.battery.map { [fuzzCase.battery[$0]] } ?? []
    _ = await accepts(candidate)
  }

  private func endAtFailure() async {
    guard failure.step + 1 < fuzzCase.steps.count else { return }
    var candidate = fuzzCase
    candidate.steps = Array(candidate.steps.prefix(failure.step + 1))
    _ = await accepts(candidate)
  }

  /// Leaves out ever smaller parts of a list.
  private func leaveOut<Element>(_ list: WritableKeyPath<FuzzCase, [Element]>) async {
    var length = max(1, fuzzCase[keyPath: list].count / 2)
    while hasTime {
      var start = 0
      while start < fuzzCase[keyPath: list].count, hasTime {
        var candidate = fuzzCase
        let end = min(start + length, candidate[keyPath: list].count)
        candidate[keyPath: list].removeSubrange(start..<end)
        if await !accepts(candidate) { start += length }
      }
      if length == 1 { return }
      length /= 2
    }
  }

  private func simplifySteps() async {
    var index = 0
    while index < fuzzCase.steps.count, hasTime {
      let simpler = fuzzCase.steps[index].simpler
      var isReplaced = false
      for step in simpler where hasTime {
        var candidate = fuzzCase
        candidate.steps[index] = step
        isReplaced = await accepts(candidate)
        if isReplaced { break }
      }
      if !isReplaced { index += 1 }
    }
  }

  private func simplifyTables() async {
    for index in fuzzCase.world.tables.indices {
      for change in PhysicalTable.simplifications where hasTime {
        var candidate = fuzzCase
        if change(&candidate.world.tables[index]) { _ = await accepts(candidate) }
      }
    }
    for property in World.Configuration.peculiarities where hasTime {
      var candidate = fuzzCase
      candidate.world.configuration[keyPath: property] = false
      if fuzzCase.world.configuration[keyPath: property] { _ = await accepts(candidate) }
    }
  }

  private func simplifyQueries() async {
    for index in fuzzCase.usedQueries { await simplifyQuery(\.queries[index]) }
    for index in fuzzCase.battery.indices { await simplifyQuery(\.battery[index]) }
  }

  private func simplifyQuery(_ query: WritableKeyPath<FuzzCase, LiveQuerySpec>) async {
    var isSimpler = true
    while isSimpler, hasTime {
      isSimpler = false
      for simpler in fuzzCase[keyPath: query].simpler where hasTime {
        var candidate = fuzzCase
        candidate[keyPath: query] = simpler
        isSimpler = await accepts(candidate)
        if isSimpler { break }
      }
    }
  }
}
