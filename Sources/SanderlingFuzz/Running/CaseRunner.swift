import GRDB
import Sanderling

/// Runs a case and compares: live results with fresh SELECTs, and changes with the snapshots that they lead to.
@MainActor
final class CaseRunner {
  struct Slot {
    let result: any OpenResult
    /// The query that is followed.
    var query: Int
    /// Queries and windows that snapshots may still be of, since nothing was waited for.
    var recent: [(query: Int, window: Int)]
    var isSuspended = false
    var hasGrown = false
    let style: OpenStyle
    let isSectioned: Bool
  }

  let fuzzCase: FuzzCase
  /// What the queries have to be.
  let selects: [FreshSelect]
  /// What the queries are made of.
  let constructs: [Set<Construct>]
  let coverage: Coverage
  let database: WorldDatabase
  var history = ExpectationHistory()
  var slots: [Int: Slot] = [:]
  /// Walks through pages that are under way.
  var walks: [PageWalk] = []
  /// The queries that are read in pages.
  let pagedQueries: [Int]
  /// Other stores on the same connections.
  var others: [OtherStore] = []
  /// What another connection knew of writes when the store was last told to look; nil before.
  var dataVersionAtLastLook: Int?
  /// Whether there may be a commit that has no number yet, since GRDB told nobody of it.
  var mayLackNumber = false
  /// A copy of the database; nil until one was made.
  var copy: DatabaseQueue?
  /// How many migrations were run: each needs a name of its own.
  var migrationCount = 0
  var battery: [any OpenResult] = []
  /// Which of the battery are compared at once.
  var batteryCounts: [BatteryCounts] = []
  var batterySelects: [FreshSelect] = []
  /// How many documents full-text indexes had more than there were rows when they were counted last.
  var leftovers: [String: Int] = [:]
  /// Whether documents may have stayed since.
  var mayHaveNewLeftovers = true
  /// Whether the present step has no texts folded in the background.
  var isFoldingHeld = false
  /// How long anything may take that is waited for.
  let patience: Duration

  private init(_ fuzzCase: FuzzCase, _ coverage: Coverage, patience: Duration) throws {
    self.fuzzCase = fuzzCase
    selects = fuzzCase.queries.map { FreshSelect($0) }
    constructs = fuzzCase.queries.map(\.constructs)
    pagedQueries = fuzzCase.queries.indices.filter { fuzzCase.queries[$0].mayBePaged }
    self.coverage = coverage
    self.patience = patience
    database = try WorldDatabase(fuzzCase.world)
  }

  /// Runs a case from its start to its end or its first failure.
  ///
  /// - Parameters:
  ///   - explains: Whether to count how the queries are followed.
  ///   - patience: How long to wait for what has to come.
  static func run(
    _ fuzzCase: FuzzCase, _ coverage: Coverage, explains: Bool = false, patience: Duration = .seconds(20)
  ) async -> FuzzFailure? {
    let runner: CaseRunner
    do {
      runner = try CaseRunner(fuzzCase, coverage, patience: patience)
    } catch {
      return FuzzFailure(kind: .world, message: "the store can't be opened: \(error)")
    }
    let failure = await runner.run()
    FaultSwitch.shared.disarm()
    for slot in runner.slots.values { slot.result.close() }
    runner.slots = [:]
    for result in runner.battery { result.close() }
    runner.battery = []
    for other in runner.others { other.close() }
    runner.others = []
    try? runner.copy?.close()
    if explains && failure == nil { await runner.explain() }
    runner.database.remove()
    return failure
  }

  var store: Store { database.store }

  private func run() async -> FuzzFailure? {
    if !fuzzCase.battery.isEmpty { openBattery() }
    dataVersionAtLastLook = try? await dataVersion()
    let end = FuzzStep(action: .statements(.maintenance, []), check: .settled)
    for (number, step) in (fuzzCase.steps + [end]).enumerated() {
      do {
        isFoldingHeld = step.holdsFolding
        holdFolding(isFoldingHeld)
        try await perform(step.action)
        if step.action.commitsByItself { mayLackNumber = true }
        if let gaze = step.gaze {
          var random = SeededGenerator(seed: gaze)
          wander(&random)
          try await turnPages(&random)
        }
        try await check(step.check)
        try await compareLeftovers(after: step.action)
        if let gaze = step.gaze, gaze % 8 == 0 { try await compareSearchIndexes() }
        if number == fuzzCase.steps.count { try await requireFoldingToEnd() }
      } catch var failure as FuzzFailure {
        failure.step = number
        if case .life(let life) = step.action { failure.message = "\(life.kind.rawValue): \(failure.message)" }
        return failure
      } catch is RoundIsOver {
        coverage.noteEarlyEnd()
        return nil
      } catch {
        return FuzzFailure(kind: .other, message: "\(error)", step: number)
      }
    }
    return nil
  }

  /// Looks at other rows of what is open.
  private func wander(_ random: inout SeededGenerator) {
    for number in slots.keys.sorted() {
      var own = SeededGenerator(seed: random.next())
      if own.chance(60) { slots[number]?.result.wander(&own) }
    }
  }

  private func explain() async {
    guard database.isOpen else { return }
    for spec in fuzzCase.queries {
      if let explanation = try? await spec.explanation(in: store) {
        coverage.noteExplanation(isMaintained: explanation.isMaintained)
      }
    }
  }
}

extension LiveQuerySpec {
  /// How the query is followed.
  func explanation(in store: Store) async throws -> LiveExplanation {
    switch form {
    case .raw(let sql):
      try await RawQuery(RawSQL(stringLiteral: sql), as: AnyValue.self, AnyValue.self).explainLive(store)
    case .count: try await query.explainLiveCount(store)
    case .rows, .value, .key:
      if let prefetched = prefetchedQuery {
        try await prefetched.explain(store)
      } else {
        try await query.explainLive(store)
      }
    }
  }
}

/// Thrown when a database can't be opened any more after what migrations did to it, of which nothing can be said.
struct RoundIsOver: Error {}
