import SanderlingTerminal

/// The index set in words.
struct AdviceFacts: Sendable {
  private let advice: IndexAdvice
  private let times: WorkloadTimes

  init(_ advice: IndexAdvice, _ times: WorkloadTimes) {
    (self.advice, self.times) = (advice, times)
  }

  /// The cost of the indexes: writes and pages.
  var cost: [String] {
    guard !advice.create.isEmpty || !advice.drop.isEmpty else { return [] }
    var facts = [(advice.pages < 0 ? "frees " : "takes ") + Figure.count(advice.pages.magnitude, "page")]
    if let cost = advice.writeCost, cost.isFinite, cost > 0 {
      facts.append("writes cost \(Figure.change((cost - 1) * 100))")
    }
    return facts
  }

  var changes: [(verb: String, changes: [IndexChange])] {
    [("Create", advice.create), ("Drop", advice.drop)]
  }

  /// The migration in the words of each library that has one.
  var migrations: [(name: String, code: String)] {
    [("GRDB", advice.migrationGRDB), ("Sanderling", advice.migrationSanderling)].filter { !$0.1.isEmpty }
  }

  /// Returns an index, its size, and the statements that it serves, in words.
  func text(of change: IndexChange) -> String {
    var text = "\(change.name.visible(limit: 200)) on \(change.table.visible(limit: 200))"
    if change.pages > 0 { text += ", \(Figure.count(change.pages, "page"))" }
    let gaining = times.gaining(change.statements)
    if !gaining.isEmpty { text += ", for \(Self.names(of: gaining))" }
    return text
  }

  static func names(of statements: [Int]) -> String {
    let shown = statements.prefix(12).map { "S\($0)" }.joined(separator: ", ")
    return statements.count > 12 ? "\(shown) and \(Figure.count(statements.count - 12)) more" : shown
  }
}
