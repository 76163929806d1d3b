extension JSONReport {
  public struct Finding: Codable, Sendable {
    /// The raw value of a ``FindingKind``.
    public var kind: String
    /// The raw value of a ``Severity``.
    public var severity: String
    public var statement: Int?
    public var node: Int?
    public var caller: String?
    public var title: String
    public var explanation: String
    public var evidence: [Evidence]
    public var fix: Fix?
    /// `proven`, `tried-not-better` or `not-measured`.
    public var outcome: String
    /// Why nothing was measured.
    public var reason: String?
    public var gain: Gain?
    public var comparisons: [Comparison]
    /// The evidence that the other form of the statement returns the same rows. Nil for other fixes, and in older reports.
    public var formProof: FormProof?
    public var limits: [String]
    /// Whether it is about the database as a whole. Older reports don't say so.
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

  public struct Evidence: Codable, Sendable {
    public var name: String
    /// Nil when the figure is not a finite number.
    public var value: Double?
    public var unit: String
    public var formula: String?
  }

  public struct Fix: Codable, Sendable {
    public var summary: String
    public var sql: [String]
    public var grdb: String?
    public var sanderling: String?
    public var coreData: String?

    init(_ fix: SanderlingDiagnosis.Fix) {
      summary = fix.summary
      sql = fix.sql
      grdb = fix.grdb
      sanderling = fix.sanderling
      coreData = fix.coreData
    }
  }

  public struct FormProof: Codable, Sendable {
    /// How often both forms ran over the same rows with the same values, and returned the same.
    public var comparisons: Int
    /// In how many of these the statement returned rows.
    public var comparisonsWithRows: Int
    /// Whether the rules of SQL make both forms equal for all rows.
    public var followsFromRules: Bool

    init(_ proof: SanderlingDiagnosis.FormProof) {
      comparisons = proof.comparisons
      comparisonsWithRows = proof.comparisonsWithRows
      followsFromRules = proof.followsFromRules
    }
  }

  public struct Gain: Codable, Sendable {
    /// The cost before, as a multiple of the cost after.
    public var ratio: Double
    /// `time`, `steps` or `pages`.
    public var measure: String
    /// Whether the run before was ended by a budget.
    public var isLowerBound: Bool
  }
}
