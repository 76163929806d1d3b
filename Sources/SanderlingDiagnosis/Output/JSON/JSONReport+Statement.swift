import SanderlingTerminal

extension JSONReport {
  /// A statement of the workload.
  public struct Statement: Codable, Sendable {
    /// The statement's number in findings.
    public var id: Int
    /// The fingerprint; the SQL as it ran if values are shown.
    public var sql: String
    /// The number of its executions.
    public var count: Int
    /// The sum of the known times of its executions.
    public var totalMilliseconds: Double?
    /// The sum of the known rows of its executions.
    public var totalRows: Int?
    /// The most executions within one execution of an operation.
    public var mostPerOperation: Int
    /// The number of executions by each operation of the app.
    public var operations: [String: Int]
    /// The number of executions by each place in the app's code.
    public var callers: [String: Int]
    /// At most ten places of the statement in the input.
    public var places: [String]
    /// One set of bound values by parameter number, as SQL; nil unless values are shown.
    public var bindings: [String: String]?
    /// The nodes of the plan, parents before children.
    public var plan: [Node]
    /// One measurement for each set of bound values; empty if the statement was not run.
    public var measurements: [NamedMeasurement]
    /// Costs that the plan doesn't show, in sentences.
    public var hidden: [String]
    /// The outcome of the statement. Nil in older reports.
    public var outcome: Outcome?

    init(_ report: StatementReport, _ outcome: StatementOutcome?, showsValues: Bool) {
      let statement = report.statement
      id = statement.id
      sql = report.text(showsValues: showsValues)
      count = statement.count
      totalMilliseconds = statement.totalTime.map(Figure.milliseconds)
      totalRows = statement.totalRows
      mostPerOperation = statement.mostPerOperation
      operations = statement.operations
      callers = statement.callers
      places = statement.places.prefix(10).map(\.description)
      if showsValues, let values = statement.bindings.first {
        bindings = Dictionary(uniqueKeysWithValues: values.map { (String($0.key), $0.value.sqlLiteral) })
      }
      plan = ShownPlanLine.all(report.plan).map(Node.init)
      measurements = report.measurements.map {
        NamedMeasurement(bindings: $0.bindings, measurement: Measurement($0.measurement))
      }
      hidden = report.hidden
      self.outcome = outcome.map(Outcome.init)
    }
  }

  /// The outcome of a statement.
  public struct Outcome: Codable, Sendable {
    /// `not-measured`, `untried` (the time ended before a fix was tried), `nothing-better` or `has-fixes`.
    public var state: String
    /// The reason why the statement was not measured.
    public var reason: String?
    /// The number of tried fixes, if none is better.
    public var tried: Int?
    /// Whether the time ended before all fixes were tried.
    public var isCutShort: Bool?
    /// The number of proven fixes.
    public var fixes: Int?

    init(_ outcome: StatementOutcome) {
      switch outcome {
      case .notMeasured(let reason):
        state = "not-measured"
        self.reason = reason
      case .untried:
        state = "untried"
        (tried, isCutShort) = (0, true)
      case .nothingBetter(let tried, let isCutShort):
        state = "nothing-better"
        (self.tried, self.isCutShort) = (tried, isCutShort)
      case .hasFixes(let count):
        state = "has-fixes"
        fixes = count
      }
    }
  }

  /// A measurement with the name of its set of bound values.
  public struct NamedMeasurement: Codable, Sendable {
    /// The name of the set of bound values.
    public var bindings: String
    /// The cost of the execution.
    public var measurement: Measurement
  }

  /// A node of a query plan. All nodes of a statement are in one list, and each node names its parent.
  public struct Node: Codable, Sendable {
    /// The number that SQLite gives the node.
    public var id: Int
    /// The `id` of the parent; nil for a root.
    public var parent: Int?
    /// The node's line as EXPLAIN QUERY PLAN prints it.
    public var detail: String
    /// The kind of the node's step, as listed in <doc:DiagnosingADatabase>.
    public var step: String
    /// The table that the step reads, if any.
    public var table: String?
    /// The index that the step reads, if any.
    public var index: String?
    /// A sentence that explains this line.
    public var meaning: String
    /// Rows that the node produced over the whole execution.
    public var rows: Int64?
    /// Rows that were read to produce these rows.
    public var rowsRead: Int64?
    /// The node's share of the statement's work, from 0 to 1.
    public var share: Double?

    init(_ line: ShownPlanLine) {
      let node = line.node
      id = node.id
      parent = line.parent
      detail = node.detail
      (step, table, index) = Self.words(node.step)
      meaning = node.meaning
      rows = node.rows
      rowsRead = node.rowsRead
      share = node.share.flatMap { $0.isFinite ? $0 : nil }
    }

    private static func words(_ step: PlanStep) -> (step: String, table: String?, index: String?) {
      switch step {
      case .scan(let table, let index, let isCovering): (isCovering ? "covering-scan" : "scan", table, index)
      case .search(let table, let index, let isCovering, _): (isCovering ? "covering-search" : "search", table, index)
      case .automaticIndex(let table, _, _): ("automatic-index", table, nil)
      case .virtualTable(let table, let index): ("virtual-table", table, index)
      case .temporaryBTree: ("temporary-b-tree", nil, nil)
      case .subquery(let isCorrelated, _): (isCorrelated ? "correlated-subquery" : "subquery", nil, nil)
      case .coroutine: ("coroutine", nil, nil)
      case .materialize: ("materialize", nil, nil)
      case .compound: ("compound", nil, nil)
      case .multiIndexOr: ("multi-index-or", nil, nil)
      case .bloomFilter(let table): ("bloom-filter", table, nil)
      case .constantRow: ("constant-row", nil, nil)
      case .other: ("other", nil, nil)
      }
    }
  }
}
