import Foundation
import GRDB
import Sanderling

/// A process that writes through a store, with live results of each kind open.
///
/// The round makes one for its own process, and each process of kind `store` makes one. It ends with the process, or
/// with ``close()``.
@MainActor
final class StoreNeighbour {
  private let runner: CaseRunner
  private var transactions: TransactionGenerator
  private var random: SeededGenerator
  private var crates: SignedCrates

  private static let slotCount = 6

  /// - Parameters:
  ///   - process: The number of the process in its round.
  ///   - seed: The seed of the writes and of the opened results.
  ///   - folder: The folder of a database that another process has made; nil to make one.
  init(_ fuzzCase: FuzzCase, process: Int, seed: UInt64, joining folder: URL? = nil) throws {
    // Several processes share the processors, and all of them fold and search texts of megabytes.
    runner = try CaseRunner(fuzzCase, Coverage(), patience: .seconds(90), joining: folder)
    random = SeededGenerator(seed: seed)
    transactions = TransactionGenerator(
      fuzzCase.world, random: SeededGenerator(seed: random.next()), round: process)
    crates = SignedCrates(process: process)
    runner.store.author = Self.author(process)
    for slot in 0..<Self.slotCount { open(slot) }
  }

  static func author(_ process: Int) -> String { "process \(process)" }

  var store: Store { runner.store }

  var folder: URL? { runner.database.folder }

  private func open(_ slot: Int) {
    let style = OpenStyle(
      isImmediate: random.chance(15), consumers: random.some(of: OpenStyle.Consumer.allCases, percent: 30),
      isSlow: false, shape: random.element(of: OpenStyle.Shape.allCases),
      window: random.chance(30) ? random.number(1..<30) : nil)
    runner.open(random.number(0..<runner.fuzzCase.queries.count), in: slot, style)
  }

  // MARK: Acting

  /// Writes, opens another result, or does something else that an app does.
  func act() async throws {
    let slot = random.number(0..<Self.slotCount)
    switch random.number(0..<100) {
    case 0..<60: await write()
    case 60..<75:
      let insertion = crates.insertion()
      try? await store.write("sign") { tx in try tx.database.execute(sql: insertion) }
    case 75..<81: open(slot)
    case 81..<84: runner.slots[slot]?.result.grow(by: random.number(1..<20))
    case 84..<87:
      runner.slots[slot]?.result.suspend()
      try await Task.sleep(for: .milliseconds(random.number(0..<5)))
      runner.slots[slot]?.result.resume()
    case 87..<91: try? await store.checkpoint(random.chance(50) ? .truncate : .passive)
    case 91..<93: store.releaseMemory()
    default: try await Task.sleep(for: .milliseconds(random.number(0..<8)))
    }
  }

  private func write() async {
    var transaction = transactions.transaction()
    // An undone deletion would insert the rows of another process again, in the name of this one.
    if transaction.route == .undoable { transaction.route = .store }
    var transactions = runner.transactions
    transactions.isAlone = false
    await transactions.run(transaction)
  }

  // MARK: Comparing

  /// Compares all results with fresh SELECTs, while no process writes rows. Waits until they are equal.
  ///
  /// The store is not asked to look for outside changes: it has to notice them by itself.
  ///
  /// - Returns: The difference that is left after 30 s; nil if there is none.
  func problem() async throws -> String? {
    let deadline = ContinuousClock.now + .seconds(30)
    while true {
      guard let problem = try await difference() else { return nil }
      if ContinuousClock.now > deadline { return problem }
      try await Task.sleep(for: .milliseconds(10))
    }
  }

  private func difference() async throws -> String? {
    if let problem = runner.database.writeProblems.first { return problem }
    try await runner.settle()
    for (number, slot) in runner.slots.sorted(by: { $0.key < $1.key }) {
      let (spec, select) = (runner.fuzzCase.queries[slot.query], runner.selects[slot.query])
      let isSectioned = slot.isSectioned
      let expectation = try await store.read { tx in select.expectation(of: spec, isSectioned: isSectioned, tx) }
      let shown = slot.result.shown
      if let text = shown.problem ?? shown.inconsistency(last: store.lastCommit) {
        return "slot \(number), \(spec.description): \(text)"
      }
      if let (_, text) = try await runner.difference(shown, spec, slot.result.window, expectation) {
        return "slot \(number), \(spec.description): \(text)"
      }
      guard shown.state.isCurrent, shown.long == nil, expectation.rows != nil else { continue }
      for log in slot.result.logs where log.last?.rows != shown.rows || log.last?.sections != shown.sections {
        return "slot \(number), \(spec.description): \(log.name) does not have the shown rows"
      }
    }
    return runner.database.auditReports.first
  }

  func close() {
    for slot in runner.slots.values { slot.result.close() }
    runner.slots = [:]
    runner.database.remove()
  }
}
