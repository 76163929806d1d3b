extension JSONReport {
  /// One fix, and the statements that it makes faster.
  public struct FixGroup: Codable, Sendable {
    /// `index`, `rewrite` or `database`.
    public var kind: String
    /// The effect of the fix, in one line.
    public var summary: String
    /// The statements to run, in order. No statement is in two fixes.
    public var sql: [String]
    /// By number, those that save most first.
    public var statements: [Int]
    /// Places in `findings`, from 0.
    public var findings: [Int]
    /// The present cost of the statements with all their executions.
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
    /// How many statements were measured, and for how many of them fixes were searched.
    public var measured: Int?
    /// The number of measured statements that fixes were searched for.
    public var searched: Int?
    /// Their parts of the time of all, 0 to 1.
    public var share: Double?
    /// The part of the time that belongs to statements that fixes were searched for, 0 to 1.
    public var searchedShare: Double?
    /// Whether the parts are estimated from plans, since the input has no times.
    public var isEstimated: Bool?
    /// Whether the times below are a log's, or else measured.
    public var areLogged: Bool
    /// The time of all executions, as the database is.
    public var millisecondsBefore: Double
    /// With the fixes.
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
