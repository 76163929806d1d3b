import Foundation
import SanderlingDiagnosis

/// The quality of a tool's advice for the corpus, measured on copies. SQLite's counters decide, so the score is the
/// same on each run.
struct CorpusScore: Sendable, CustomStringConvertible {
  /// The outcome of one statement.
  struct Outcome: Sendable {
    var id: String
    /// Whether the tool named a right kind; nil for statements that are fine. For a tool without kinds: whether the
    /// advice reached at least half of the gain.
    var isFound: Bool?
    /// The reason why the advice is wrong; nil if it isn't wrong.
    var wrong: String?
    /// The share of the best possible gain, 0 to 1; nil where there is nothing to gain, or nothing to measure.
    var gain: Double?
    var before = 0.0
    var after = 0.0
    var best = 0.0
    /// The right kinds, the named kinds, and the proposal.
    var detail = ""
  }

  let name: String
  var outcomes: [Outcome] = []

  var found: Double { share(outcomes.compactMap(\.isFound)) { $0 ? 1 : 0 } }
  var wrong: Double { share(outcomes) { $0.wrong == nil ? 0 : 1 } }
  var gain: Double { share(outcomes.compactMap(\.gain)) { $0 } }

  private func share<Element>(_ elements: [Element], _ value: (Element) -> Double) -> Double {
    elements.isEmpty ? 1 : elements.map(value).reduce(0, +) / Double(elements.count)
  }

  /// The least difference of costs that counts, whatever its share. It stands for about 30 µs.
  static let leastDifference = 3000.0

  /// Measures the advice for each statement of a schema alone.
  mutating func add(_ schema: CorpusSchema, advice: [String: CorpusAdvice]) async throws {
    let baseline = try await CorpusBaseline.shared.costs(of: schema)
    let path = try await CorpusFolder.shared.copy(of: schema)
    defer { try? FileManager.default.removeItem(atPath: path) }
    for statement in schema.statements {
      guard let costs = baseline[statement.id] else { continue }
      var outcome = outcome(of: statement, costs, advice[statement.id] ?? CorpusAdvice(), at: path)
      if statement.isFine, advice[statement.id]?.proposesChange == true {
        outcome.wrong = "proposes a change of a statement that is fine" + (outcome.wrong.map { " and \($0)" } ?? "")
      }
      outcomes.append(outcome)
    }
  }

  /// Measures each statement after all `changes` together, as after a migration, and with the statement's own
  /// replacement.
  mutating func add(
    _ schema: CorpusSchema, advice: [String: CorpusAdvice], migratedBy changes: [String]
  ) async throws {
    let baseline = try await CorpusBaseline.shared.costs(of: schema)
    let path = try await CorpusFolder.shared.copy(of: schema)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let connection = try CorpusConnection(path: path)
    try connection.execute("PRAGMA synchronous = OFF")
    for change in changes { try connection.execute(change) }
    for statement in schema.statements {
      guard let costs = baseline[statement.id] else { continue }
      var own = advice[statement.id] ?? CorpusAdvice()
      if own.makesSearchTable { own.replacement = nil }
      own.changes = []
      outcomes.append(outcome(of: statement, costs, own, at: path, isMigrated: true))
    }
  }

  private func outcome(
    of statement: CorpusStatement, _ costs: CorpusBaseline.Costs, _ advice: CorpusAdvice, at path: String,
    isMigrated: Bool = false
  ) -> Outcome {
    let before = costs.before
    var outcome = Outcome(id: statement.id, before: before.cost, after: before.cost, best: before.cost)
    var expected = before.digest
    if case .fix(let kinds, let best, _, _) = statement.verdict {
      outcome.isFound = advice.kinds.map { !$0.isDisjoint(with: kinds) }
      if let named = advice.kinds {
        func list(_ kinds: Set<FindingKind>) -> String { kinds.map(\.rawValue).sorted().joined(separator: ", ") }
        outcome.detail = "wanted \(list(kinds)); named \(list(named))"
      }
      outcome.best = costs.remedies.map(\.cost).min() ?? before.cost
      if best.changesResults, let right = costs.remedies.first { expected = right.digest }
    }
    if (advice.proposesChange || isMigrated) && !(statement.isOfDesign && advice.makesSearchTable) {
      var takesLonger = true
      do {
        if let after = try cost(of: statement, with: advice, CorpusTrial(path: path)) {
          outcome.after = after.cost
          // Pages that are requested again and again are in the cache, so a loss counts only if the clock shows it.
          takesLonger = after.duration > before.duration * 1.1
          if advice.replacement != nil, after.digest != expected { outcome.wrong = "changes the results" }
        } else if let ratio = advice.reportedRatio {
          outcome.after = before.cost * ratio
        }
      } catch {
        outcome.wrong = "can't be applied: \(error)"
      }
      if takesLonger, outcome.after > max(before.cost * 1.1, before.cost + Self.leastDifference) {
        outcome.wrong = "makes it slower"
      }
    }
    if outcome.best < before.cost {
      let gain = outcome.wrong == nil ? (before.cost - outcome.after) / (before.cost - outcome.best) : 0
      outcome.gain = min(1, max(0, gain))
    }
    if !statement.isFine, outcome.isFound == nil { outcome.isFound = (outcome.gain ?? 0) >= 0.5 }
    return outcome
  }

  /// The cost of a statement with a tool's advice. Nil if the replacement takes values that only the tool knows, such
  /// as the key of a page's last row.
  private func cost(of statement: CorpusStatement, with advice: CorpusAdvice, _ trial: CorpusTrial) throws
    -> CorpusTrial.Cost?
  {
    var remedy = Remedy(changes: advice.changes, replacement: advice.replacement)
    if let replacement = advice.replacement {
      let connection = try CorpusConnection(path: trial.path)
      // The replacement may read a table that the change creates. The connection closes without committing the table.
      try connection.execute("BEGIN")
      if advice.makesSearchTable { for change in advice.changes { try connection.execute(change) } }
      let (old, new) = (try connection.parameterCount(statement.sql), try connection.parameterCount(replacement))
      if statement.operation != nil {
        guard let values = batch(statement.executions, parameters: new, replacement) else { return nil }
        remedy.replacementExecutions = [values]
      } else if old != new || replacesOffset(statement) {
        return nil
      }
    }
    return try trial.cost(of: statement, remedy)
  }

  private func replacesOffset(_ statement: CorpusStatement) -> Bool {
    if case .fix(let kinds, _, _, _) = statement.verdict { kinds.contains(.largeOffset) } else { false }
  }

  /// The values of all executions of a statement with one parameter, for a statement that takes all values at once. Nil
  /// if the parameters don't fit.
  private func batch(_ executions: [[CorpusValue]], parameters: Int, _ replacement: String) -> [CorpusValue]? {
    let values = executions.compactMap(\.first)
    if parameters == values.count { return values }
    guard parameters == 1, replacement.lowercased().contains("json_each") else { return nil }
    let parts = values.map { value in
      switch value {
      case .null: "null"
      case .integer(let number): String(number)
      case .real(let number): String(number)
      case .text(let text): "\"\(text)\""
      }
    }
    return [.text("[\(parts.joined(separator: ","))]")]
  }

  var description: String {
    func percent(_ share: Double) -> String { String(format: "%.1f %%", share * 100) }
    let misses = outcomes.filter { $0.isFound == false || $0.wrong != nil || ($0.gain ?? 1) < 0.9 }.map { outcome in
      var parts = [outcome.isFound == false ? "missed" : "", outcome.wrong ?? ""].filter { !$0.isEmpty }
      if let gain = outcome.gain, gain < 0.9 { parts.append("gain \(percent(gain))") }
      return "  \(outcome.id): \(parts.joined(separator: ", ")) "
        + "(cost \(Int(outcome.before)), with advice \(Int(outcome.after)), best \(Int(outcome.best))) \(outcome.detail)"
    }
    return (["\(name): found \(percent(found)), wrong \(percent(wrong)), gain \(percent(gain))"] + misses)
      .joined(separator: "\n")
  }
}
