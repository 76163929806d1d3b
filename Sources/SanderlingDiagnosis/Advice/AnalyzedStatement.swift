/// A statement of the workload with all that advice is drawn from.
struct AnalyzedStatement: Sendable {
  var statement: WorkloadStatement
  /// What indexes could use of it, with the parsed tree; nil when the parser doesn't know the statement.
  var shape: QueryShape?
  /// The sets of values that it is measured with.
  var samples: [BindingSample]
  /// How SQLite runs it now.
  var plan: QueryPlan
  /// What it costs now: one for each sample, in their order; empty when it was not run.
  var measurements: [StatementMeasurement]
  /// What runs beside it for each row that it writes.
  var fired: [FiredStatements.Statement] = []
  /// What limits what is known of it: a stand-in for an app's function, a budget that ran out.
  var limits: [String]

  init(
    statement: WorkloadStatement, shape: QueryShape? = nil, samples: [BindingSample], plan: QueryPlan,
    measurements: [StatementMeasurement] = [], limits: [String] = []
  ) {
    self.statement = statement
    self.shape = shape
    self.samples = samples
    self.plan = plan
    self.measurements = measurements
    self.limits = limits
  }

  var sql: String { statement.sql }
  /// The parsed statement; nil when the parser doesn't know it.
  var tree: SQLStatement? { shape?.resolved.statement }
  /// Whether a run was ended by the budget, so that its figures are lower bounds.
  var isIncomplete: Bool { measurements.contains { !$0.isComplete } }
  var isWrite: Bool { shape.map { $0.kind != .select } ?? statement.isWrite }
  /// Each sample with what the statement cost with it.
  var baseline: [(sample: BindingSample, measurement: StatementMeasurement)] {
    zip(samples, measurements).map { ($0, $1) }
  }
}
