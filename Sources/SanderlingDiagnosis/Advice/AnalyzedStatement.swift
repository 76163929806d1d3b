/// A statement of the workload, with the facts that advice is based on.
struct AnalyzedStatement: Sendable {
  var statement: WorkloadStatement
  /// The parts of the statement that an index can serve, with the parsed tree; nil if the parser doesn't know the
  /// statement.
  var shape: QueryShape?
  /// The sets of values with which the statement is measured.
  var samples: [BindingSample]
  /// The present query plan.
  var plan: QueryPlan
  /// The present measurements: one for each sample, in their order. Empty if the statement was not run.
  var measurements: [StatementMeasurement]
  /// The statements of triggers that run for each row that the statement writes.
  var fired: [FiredStatements.Statement] = []
  /// The limits of these facts, such as a stand-in for an app's function, or a budget that ended.
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
  /// The parsed statement; nil if the parser doesn't know it.
  var tree: SQLStatement? { shape?.resolved.statement }
  /// Whether the budget ended a run, so that its figures are lower bounds.
  var isIncomplete: Bool { measurements.contains { !$0.isComplete } }
  var isWrite: Bool { shape.map { $0.kind != .select } ?? statement.isWrite }
  /// Each sample with its measurement.
  var baseline: [(sample: BindingSample, measurement: StatementMeasurement)] {
    zip(samples, measurements).map { ($0, $1) }
  }
}
