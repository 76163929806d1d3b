/// One statement of the workload, with its present plan and costs.
public struct StatementReport: Sendable {
  /// The progress of the work on the statement.
  public enum State: Sendable {
    /// The statement did not run. The reason is a sentence with the remedy.
    case notMeasured(reason: String)
    /// The statement ran: one measurement for each set of bindings, with its name, and the fixes that were tried later.
    case measured([NamedMeasurement], FixTrials)
  }

  /// A measurement with the name of the set of bound values, as in ``Comparison/bindings``.
  public typealias NamedMeasurement = (bindings: String, measurement: StatementMeasurement)

  /// The statement with its executions.
  public var statement: WorkloadStatement
  /// SQLite's plan of the statement.
  public var plan: QueryPlan
  /// The measurements, or the reason why there are none.
  public var state: State
  /// Costs that the plan does not show: rows skipped by OFFSET, a search that scans, statistics that mislead.
  public var hidden: [String]

  public init(statement: WorkloadStatement, plan: QueryPlan, state: State, hidden: [String] = []) {
    self.statement = statement
    self.plan = plan
    self.state = state
    self.hidden = hidden
  }

  /// One measurement for each set of bindings; empty if the statement was not run.
  public var measurements: [NamedMeasurement] {
    if case .measured(let measurements, _) = state { measurements } else { [] }
  }
}

/// The fixes that were tried for a statement, whether they helped or not.
public enum FixTrials: Hashable, Sendable {
  /// The time ended before the first trial of a fix.
  case none
  /// The number of different fixes that were tried. With `isCutShort`, the time ended before the others.
  case tried(Int, isCutShort: Bool)

  /// The result of trials, by their number.
  ///
  /// - Parameters:
  ///   - count: The fixes that were tried.
  ///   - isCutShort: Whether the time ended before all of them were tried.
  public init(_ count: Int, isCutShort: Bool) {
    self = count == 0 && isCutShort ? .none : .tried(count, isCutShort: isCutShort)
  }
}

/// The outcome of a diagnosis for one statement.
public enum StatementOutcome: Hashable, Sendable {
  /// The statement's time is unknown. The reason is a sentence with the remedy.
  case notMeasured(reason: String)
  /// The statement was measured, and the time ended before the first trial of a fix.
  case untried
  /// Fixes were tried and none is better. If no known fix suits the statement, none was tried.
  case nothingBetter(tried: Int, isCutShort: Bool)
  /// The number of proven fixes that the report proposes.
  case hasFixes(Int)
}

extension DiagnosisReport {
  /// Returns the outcome for a statement. O(findings).
  public func outcome(of statement: StatementReport) -> StatementOutcome {
    outcome(of: statement, fixes: provenFixes[statement.statement.id, default: 0])
  }

  /// The outcome for each statement, by its number. O(findings + statements).
  public var outcomes: [Int: StatementOutcome] {
    let fixes = provenFixes
    return Dictionary(
      statements.map { ($0.statement.id, outcome(of: $0, fixes: fixes[$0.statement.id, default: 0])) }
    ) { first, _ in first }
  }

  /// Returns the outcome for a statement, from the precomputed outcomes of all statements. O(1).
  func outcome(of statement: StatementReport, among outcomes: [Int: StatementOutcome]) -> StatementOutcome {
    outcomes[statement.statement.id] ?? outcome(of: statement)
  }

  private func outcome(of statement: StatementReport, fixes: Int) -> StatementOutcome {
    if fixes > 0 { return .hasFixes(fixes) }
    return switch statement.state {
    case .notMeasured(let reason): .notMeasured(reason: reason)
    case .measured(_, .none): .untried
    case .measured(_, .tried(let count, let isCutShort)): .nothingBetter(tried: count, isCutShort: isCutShort)
    }
  }

  /// The number of proven fixes for each statement. Indexes that were chosen for all statements count if the statement
  /// gains.
  private var provenFixes: [Int: Int] {
    var counts: [Int: Int] = [:]
    for finding in findings where finding.isProven && !finding.isRemark && finding.fix?.sql.isEmpty == false {
      for statement in finding.statement.map({ [$0] }) ?? finding.improved { counts[statement, default: 0] += 1 }
    }
    for gain in indexAdvice?.gains ?? [] where gain.isGain {
      let isServed = indexAdvice?.create.contains { $0.statements.contains(gain.statement) } ?? false
      if isServed, counts[gain.statement] == nil { counts[gain.statement] = 1 }
    }
    return counts
  }
}
