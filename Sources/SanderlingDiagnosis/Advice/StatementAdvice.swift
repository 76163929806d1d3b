/// What to change for one statement, as measured.
struct StatementAdvice: Sendable {
  enum Change: Sendable {
    case none
    case create([IndexCandidate])
    /// ANALYZE, and nothing else.
    case analyze
    /// An index that makes SQLite choose a worse way.
    case drop(IndexSchema)
  }

  /// A fix that was measured and is not advised.
  struct Rejected: Sendable {
    var sql: [String]
    var comparisons: [Comparison]
    /// In a sentence.
    var reason: String
  }

  /// The statement's number in the workload.
  var statement: Int
  var change = Change.none
  /// The kind of problem that the change solves; nil without a change.
  var kind: FindingKind?
  /// The node of the plan that the change is about.
  var node: Int?
  /// With names and sizes.
  var indexes: [IndexChange] = []
  /// The change as SQL.
  var sql: [String] = []
  var comparisons: [Comparison] = []
  /// What the statement costs without the change, where it had to run longer than before to show a gain; else nil.
  var baseline: [StatementMeasurement]?
  var planBefore: QueryPlan
  var planAfter: QueryPlan?
  /// Sets of indexes that are better than none, the one that is advised first.
  var alternatives: [IndexBench.Result] = []
  /// Sets with columns that are read only, which the advised set leaves out.
  var widened: [IndexBench.Result] = []
  var rejected: [Rejected] = []
  /// In a sentence: what is advised, or why nothing is.
  var verdict = ""
  var limits: [String] = []
  /// Whether the time ended before all was tried that may be better.
  var isCutShort = false

  init(statement: Int, planBefore: QueryPlan) {
    self.statement = statement
    self.planBefore = planBefore
  }

  /// Takes over what trials with values of each kind say of the change.
  mutating func note(_ verdict: HarmCheck.Verdict) {
    if let limit = verdict.limit, !limits.contains(limit) { limits.append(limit) }
    if case .untried = verdict { isCutShort = true }
  }

  /// Whether the change contains ANALYZE of all.
  var needsStatistics: Bool { sql.contains("ANALYZE") }

  /// The index that it takes away; nil where it changes something else.
  var harmfulIndex: IndexSchema? { if case .drop(let index) = change { index } else { nil } }

  /// Whether nothing is to be changed.
  var isNone: Bool { if case .none = change { true } else { false } }

  /// Whether nothing is to be changed by what there was time to try.
  var lacksTime: Bool { isCutShort && isNone }

  var candidates: [IndexCandidate] { if case .create(let candidates) = change { candidates } else { [] } }
}
