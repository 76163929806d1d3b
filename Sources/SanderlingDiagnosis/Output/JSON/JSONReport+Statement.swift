import SanderlingTerminal

extension JSONReport {
  public struct Statement: Codable, Sendable {
    /// The number under which findings name it.
    public var id: Int
    /// The fingerprint, or the SQL as it ran when values are shown.
    public var sql: String
    public var count: Int
    public var totalMilliseconds: Double?
    public var totalRows: Int?
    public var mostPerOperation: Int
    public var operations: [String: Int]
    public var callers: [String: Int]
    /// Where it stood in the input, at most ten places.
    public var places: [String]
    /// One set of bound values by parameter number, as SQL; nil unless values are shown.
    public var bindings: [String: String]?
    /// Parents before children.
    public var plan: [Node]
    public var measurements: [NamedMeasurement]
    public var hidden: [String]
    /// The outcome of the statement. Older reports don't say so.
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
    /// Why it was not measured.
    public var reason: String?
    /// How many fixes were tried, where none is better.
    public var tried: Int?
    /// Whether the time ended before all fixes were tried.
    public var isCutShort: Bool?
    /// How many proven fixes there are.
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

  public struct NamedMeasurement: Codable, Sendable {
    public var bindings: String
    public var measurement: Measurement
  }

  /// A node of a plan. The nodes of a statement are one list, in which each names its parent.
  public struct Node: Codable, Sendable {
    public var id: Int
    public var parent: Int?
    /// The line in SQLite's words.
    public var detail: String
    /// The kind of step of the node, as listed in <doc:DiagnosingADatabase>.
    public var step: String
    public var table: String?
    public var index: String?
    public var meaning: String
    public var rows: Int64?
    public var rowsRead: Int64?
    /// The share of the statement's work, 0 to 1.
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
