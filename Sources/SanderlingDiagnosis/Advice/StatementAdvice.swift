/// The measured change for one statement.
struct StatementAdvice: Sendable {
  enum Change: Sendable {
    case none
    case create([IndexCandidate])
    /// Only ANALYZE.
    case analyze
    /// Drops an index that makes SQLite choose a worse plan.
    case drop(IndexSchema)
  }

  /// A fix that was measured and is not advised.
  struct Rejected: Sendable {
    var sql: [String]
    var comparisons: [Comparison]
    /// The reason, in a sentence.
    var reason: String
  }

  /// The statement's number in the workload.
  var statement: Int
  var change = Change.none
  /// The kind of problem that the change solves; nil without a change.
  var kind: FindingKind?
  /// The node of the plan that the change concerns.
  var node: Int?
  /// The new indexes, with names and sizes.
  var indexes: [IndexChange] = []
  /// The change as SQL.
  var sql: [String] = []
  var comparisons: [Comparison] = []
  /// The measurements without the change, if the statement had to run longer than before to show a gain; otherwise nil.
  var baseline: [StatementMeasurement]?
  var planBefore: QueryPlan
  var planAfter: QueryPlan?
  /// The sets of indexes that are a gain, the advised set first.
  var alternatives: [IndexBench.Result] = []
  /// Sets with further columns that are only read. The advised set leaves these columns out.
  var widened: [IndexBench.Result] = []
  var rejected: [Rejected] = []
  /// The advice, or the reason why there is none, in a sentence.
  var verdict = ""
  var limits: [String] = []
  /// Whether the time ended before all promising changes were tried.
  var isCutShort = false

  init(statement: Int, planBefore: QueryPlan) {
    self.statement = statement
    self.planBefore = planBefore
  }

  /// Adds the limit of a verdict on the change with values of each kind.
  mutating func note(_ verdict: HarmCheck.Verdict) {
    if let limit = verdict.limit, !limits.contains(limit) { limits.append(limit) }
    if case .untried = verdict { isCutShort = true }
  }

  /// Whether the change includes ANALYZE of the whole database.
  var needsStatistics: Bool { sql.contains("ANALYZE") }

  /// The index that the change drops; nil for other changes.
  var harmfulIndex: IndexSchema? { if case .drop(let index) = change { index } else { nil } }

  /// Whether there is no change.
  var isNone: Bool { if case .none = change { true } else { false } }

  /// Whether there is no change, but the time ended before all changes were tried.
  var lacksTime: Bool { isCutShort && isNone }

  var candidates: [IndexCandidate] { if case .create(let candidates) = change { candidates } else { [] } }
}
