import Foundation
import GRDB
import Sanderling

/// Runs a case and compares: live results with fresh SELECTs, and changes with the snapshots that they lead to.
@MainActor
final class CaseRunner {
  struct Slot {
    let result: any OpenResult
    /// The followed query.
    var query: Int
    /// Earlier queries and windows, whose snapshots may still arrive because no step waited.
    var recent: [(query: Int, window: Int)]
    var isSuspended = false
    var hasGrown = false
    let style: OpenStyle
    let isSectioned: Bool
  }

  let fuzzCase: FuzzCase
  /// The SELECTs that compute the expectations of the queries.
  let selects: [FreshSelect]
  /// The constructs of each query.
  let constructs: [Set<Construct>]
  let coverage: Coverage
  let database: WorldDatabase
  var history = ExpectationHistory()
  var slots: [Int: Slot] = [:]
  /// The walks through pages that have not ended.
  var walks: [PageWalk] = []
  /// The queries that are read in pages.
  let pagedQueries: [Int]
  /// Other stores on the same connections.
  var others: [OtherStore] = []
  /// The data version of another connection when the store was last asked to notice outside changes; nil before.
  var dataVersionAtLastLook: Int?
  /// Whether a commit may have no number yet, because GRDB did not report it.
  var mayLackNumber = false
  /// A copy of the database; nil until one is made.
  var copy: DatabaseQueue?
  /// The number of migrations so far: each needs its own name.
  var migrationCount = 0
  var battery: [any OpenResult] = []
  /// The queries of the battery that are compared together.
  var batteryCounts: [BatteryCounts] = []
  var batterySelects: [FreshSelect] = []
  /// The number of documents without a row in each full-text index, at the last count.
  var leftovers: [String: Int] = [:]
  /// Whether further documents may have stayed since then.
  var mayHaveNewLeftovers = true
  /// Whether folding in the background is off during the present step.
  var isFoldingHeld = false
  /// The time limit of each wait.
  let patience: Duration

  /// - Parameter folder: The folder of a database that another process has made; nil to make one.
  init(_ fuzzCase: FuzzCase, _ coverage: Coverage, patience: Duration, joining folder: URL? = nil) throws {
    self.fuzzCase = fuzzCase
    selects = fuzzCase.queries.map { FreshSelect($0) }
    constructs = fuzzCase.queries.map(\.constructs)
    pagedQueries = fuzzCase.queries.indices.filter { fuzzCase.queries[$0].mayBePaged }
    self.coverage = coverage
    self.patience = patience
    database = try WorldDatabase(fuzzCase.world, joining: folder)
  }

  /// Runs a case to its end or its first failure.
  ///
  /// - Parameters:
  ///   - explains: Whether to count how the queries are followed.
  ///   - patience: The time limit of each wait.
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
    // The environment names a file for the database of a failed round, for developers of the fuzzer.
    if failure != nil, runner.database.isOpen, let path = ProcessInfo.processInfo.environment["SANDERLING_FUZZ_KEEP"] {
      try? FileManager.default.removeItem(atPath: path)
      _ = try? await runner.store.writer.writeWithoutTransaction {
        try $0.execute(sql: "VACUUM INTO ?", arguments: [path])
      }
    }
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
        // For a read-only store, commits of another connection have no number.
        if step.action.commitsByItself, database.opening != .readOnly { mayLackNumber = true }
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

  /// Moves open results to other rows.
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
  /// How the store follows the query.
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

/// Thrown when migrations left a database that can't be opened, so that nothing further can be compared.
struct RoundIsOver: Error {}
