extension JSONReport {
  /// One fix, and the statements that it makes faster.
  public struct FixGroup: Codable, Sendable {
    /// `index`, `rewrite` or `database`.
    public var kind: String
    /// The effect of the fix, in one line.
    public var summary: String
    /// The statements to run, in order. No statement is in two fixes.
    public var sql: [String]
    /// The numbers of the statements, the greatest saving first.
    public var statements: [Int]
    /// The indexes of the fix's findings in `findings`, from 0.
    public var findings: [Int]
    /// The present time of the statements with all their executions.
    public var millisecondsBefore: Double
    /// The time that the fix saves, over all executions of the statements.
    public var millisecondsSaved: Double

    init(_ group: SanderlingDiagnosis.FixGroup) {
      kind = group.kind.rawValue
      summary = group.summary
      sql = group.sql
      statements = group.statements
      findings = group.findings
      millisecondsBefore = group.before * 1_000
      millisecondsSaved = group.saved * 1_000
    }
  }

  /// The cost of all statements together, and the part of it that was examined.
  public struct Workload: Codable, Sendable {
    /// The number of executions of all statements.
    public var executions: Int
    /// The number of measured statements.
    public var measured: Int?
    /// The number of measured statements that fixes were searched for.
    public var searched: Int?
    /// The measured statements' share of the total time, 0 to 1.
    public var share: Double?
    /// The share of the statements that fixes were searched for, 0 to 1.
    public var searchedShare: Double?
    /// Whether the shares are estimated from plans, since the input has no times.
    public var isEstimated: Bool?
    /// Whether the times below come from a log; otherwise they are measured.
    public var areLogged: Bool
    /// The present time of all executions.
    public var millisecondsBefore: Double
    /// The time of all executions with the fixes.
    public var millisecondsAfter: Double

    init(_ report: DiagnosisReport, _ times: WorkloadTimes) {
      executions = report.statements.reduce(0) { $0.addingClamped(max(1, $1.statement.count)) }
      measured = report.coverage?.measured
      searched = report.coverage?.searched
      share = report.coverage?.share
      searchedShare = report.coverage?.searchedShare
      isEstimated = report.coverage?.isEstimated
      areLogged = times.areLogged
      millisecondsBefore = times.before * 1_000
      millisecondsAfter = times.after * 1_000
    }
  }
}
