extension JSONReport {
  /// A finding of the report.
  public struct Finding: Codable, Sendable {
    /// The raw value of a ``FindingKind``.
    public var kind: String
    /// The raw value of a ``Severity``.
    public var severity: String
    /// The `id` of the statement; nil for findings about the whole database.
    public var statement: Int?
    /// The `id` of the node of the statement's plan.
    public var node: Int?
    /// The code that runs the statement, if a log names it.
    public var caller: String?
    /// The problem in one line.
    public var title: String
    /// The problem and its cause, in a few sentences.
    public var explanation: String
    /// The figures that show the problem.
    public var evidence: [Evidence]
    /// The change that solves the problem; nil if none is known.
    public var fix: Fix?
    /// `proven`, `tried-not-better` or `not-measured`.
    public var outcome: String
    /// The reason why nothing was measured.
    public var reason: String?
    /// The gain of a proven fix; nil for others.
    public var gain: Gain?
    /// The measurements before and after, for each set of bound values.
    public var comparisons: [Comparison]
    /// The evidence that the rewrite of the statement returns the same rows. Nil for other fixes, and in older reports.
    public var formProof: FormProof?
    /// The limits of the finding, in sentences.
    public var limits: [String]
    /// Whether the finding concerns the database as a whole. Nil in older reports.
    public var isRemark: Bool?

    init(_ finding: SanderlingDiagnosis.Finding) {
      kind = finding.kind.rawValue
      severity = finding.severity.rawValue
      statement = finding.statement
      node = finding.node
      caller = finding.caller
      title = finding.title
      explanation = finding.explanation
      evidence = finding.evidence.map {
        Evidence(name: $0.name, value: $0.value.isFinite ? $0.value : nil, unit: $0.unit, formula: $0.formula)
      }
      fix = finding.fix.map(Fix.init)
      gain = FindingGain(finding.outcome).map {
        Gain(ratio: $0.ratio, measure: $0.measure.rawValue, isLowerBound: $0.isLowerBound)
      }
      formProof = finding.formProof.map(FormProof.init)
      limits = finding.limits
      isRemark = finding.isRemark
      switch finding.outcome {
      case .proven(let comparisons):
        outcome = "proven"
        self.comparisons = comparisons.map(Comparison.init)
      case .triedNotBetter(let comparisons):
        outcome = "tried-not-better"
        self.comparisons = comparisons.map(Comparison.init)
      case .notMeasured(let reason):
        outcome = "not-measured"
        self.reason = reason
        comparisons = []
      }
    }
  }

  /// A figure that shows a problem.
  public struct Evidence: Codable, Sendable {
    /// The name of the counted quantity, in words.
    public var name: String
    /// The value; nil if it is not a finite number.
    public var value: Double?
    /// `rows`, `steps`, `pages`, `bytes`, `s`, or empty for a plain number.
    public var unit: String
    /// The calculation of the figure, if a formula explains it: `114 × 281 × 4`.
    public var formula: String?
  }

  /// The change that solves a problem.
  public struct Fix: Codable, Sendable {
    /// The effect of the fix, in one line.
    public var summary: String
    /// The statements to run, in order.
    public var sql: [String]
    /// The fix as code for GRDB, if there is any.
    public var grdb: String?
    /// The fix as code for Sanderling, if there is any.
    public var sanderling: String?
    /// The fix for Core Data, if there is any.
    public var coreData: String?

    init(_ fix: SanderlingDiagnosis.Fix) {
      summary = fix.summary
      sql = fix.sql
      grdb = fix.grdb
      sanderling = fix.sanderling
      coreData = fix.coreData
    }
  }

  /// The evidence that a rewrite of a statement returns the same rows.
  public struct FormProof: Codable, Sendable {
    /// The number of comparisons in which both ran over the same rows with the same values and returned the same rows.
    public var comparisons: Int
    /// The number of these comparisons in which the statement returned rows.
    public var comparisonsWithRows: Int
    /// Whether the rules of SQL make both forms equal for all rows.
    public var followsFromRules: Bool

    init(_ proof: SanderlingDiagnosis.FormProof) {
      comparisons = proof.comparisons
      comparisonsWithRows = proof.comparisonsWithRows
      followsFromRules = proof.followsFromRules
    }
  }

  /// The gain of a proven fix.
  public struct Gain: Codable, Sendable {
    /// The cost before, as a multiple of the cost after.
    public var ratio: Double
    /// `time`, `steps` or `pages`.
    public var measure: String
    /// Whether a budget ended the run before the fix.
    public var isLowerBound: Bool
  }
}
