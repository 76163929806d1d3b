import GRDB

/// An aggregate over all rows of a query. Counts and sums of integers follow from each change; what else there is, is read
/// again when a row that it counts changes.
final class SummaryQuery<Value: Sendable>: ValueResult<Value> {
  private let statement: SelectStatement
  private let decode: @Sendable (ResultRow) throws -> Value
  private let tally: Tally?
  /// The statement that makes the value of the tally.
  private let known: (statement: SQLStatement, known: [(argument: Int, term: Int)])
  private var value: Value?
  private var version: UInt64 = 0
  /// The tally's counts and sums; nil where there is none, or one has a value that is no integer.
  private var counts: [Int64]?
  /// What changes since the values were read add.
  private var changes: [Int64] = []
  private var hasChanges = false
  /// Whether the values have to be read again.
  private var isOutdated = false

  override var result: (value: Value?, version: UInt64) { (value, version) }

  init(
    key: AnyHashable, number: Int, statement: SelectStatement, decode: @escaping @Sendable (ResultRow) throws -> Value
  ) throws {
    self.statement = statement
    self.decode = decode
    guard case .table(let type) = statement.source, !statement.isDistinct, statement.limit == nil, statement.offset == 0
    else {
      throw RequeryReason("it starts from a SELECT written by hand, or limits or tells apart what it aggregates to")
    }
    _ = try SQLCompiler.compile(statement)
    let arguments = statement.summaryArguments
    for term in arguments + [statement.condition].compactMap({ $0 }) {
      if let reason = term.requeryReason { throw reason }
    }
    if statement.columns.contains(where: \.isOfSingleRows) {
      throw RequeryReason("it reads a column of one row beside what it aggregates of all")
    }
    tally = Tally(statement)
    known =
      try tally.map { try SQLCompiler.compile(statement.columns, knowing: $0.terms) } ?? (
        SQLStatement(sql: "", arguments: []), []
      )
    // What is aggregated decides over the value as conditions do.
    let route = try RoutePlan(
      root: type, condition: statement.condition, orderings: arguments.map { Ordering(term: $0) }, outputs: [])
    super.init(key: key, number: number, route: route, requeryReason: nil)
  }

  override func runningAgain(number: Int, _ reason: RequeryReason) -> LiveQuery {
    RequeriedValue(statement, key: key, number: number, reason, decode: decode)
  }

  override func makeLoad() -> LiveLoad {
    let (statement, decode, number, tally) = (statement, decode, number, tally)
    return LiveLoad(query: number) { db in
      let (value, version) = try db.value(of: SQLCompiler.compile(statement), decode)
      let counts = try tally.flatMap { try db.counts(of: $0, statement) }
      return { core in
        guard let query = core.query(number) as? SummaryQuery else { return }
        query.value = value
        query.version = version
        query.counts = counts
      }
    }
  }

  override func rowChanged(_ event: RowEvent) throws {
    guard !event.hasEqualImages, let route else { return }
    for row in [event.old, event.new] {
      guard let row, try route.condition?.isTrue(in: row) ?? true else { continue }
      hasChanges = true
      let before = changes.isEmpty ? Array(repeating: 0, count: tally?.terms.count ?? 0) : changes
      if route.isWholeCondition, let addends = try tally?.addends(of: row),
        let sums = before.adding(addends, isNegative: row.isOld)
      {
        changes = sums
      } else {
        isOutdated = true
      }
    }
  }

  override func forgetChanges() {
    changes = []
    hasChanges = false
    isOutdated = false
  }

  override func apply(_ batch: BatchRows, _ core: LiveCore) throws {
    guard hasChanges else { return }
    defer { forgetChanges() }
    guard !isOutdated, let sums = counts?.adding(changes, isNegative: false) else { return core.reload(self) }
    counts = sums
    var arguments = known.statement.arguments
    for known in known.known { arguments[known.argument] = .integer(sums[known.term]) }
    let statement = SQLStatement(sql: known.statement.sql, arguments: arguments)
    let (value, version) = try batch.database.value(of: statement, decode)
    if version != self.version { agenda?.tell(self) }
    self.value = value
    self.version = version
  }
}

extension Database {
  /// The counts and sums of a query's rows; nil when one is no integer.
  fileprivate func counts(of tally: Tally, _ statement: SelectStatement) throws -> [Int64]? {
    var counting = statement
    counting.columns = tally.terms
    counting.orderings = []
    let compiled = try SQLCompiler.compile(counting)
    var counts: [Int64]? = []
    try forEachRow(of: compiled.sql, limit: 1) {
      try $0.bind(compiled.arguments)
    } row: { row in
      for index in tally.terms.indices {
        if case .integer(let count) = row.storageValue(at: Int32(index)) { counts?.append(count) } else { counts = nil }
      }
    }
    return counts
  }
}

extension Term {
  /// Whether SQLite would take the term's value from any one of the rows that are aggregated.
  fileprivate var isOfSingleRows: Bool {
    switch self {
    case .column, .aggregate: true
    case .summary: false
    default: operands.contains(where: \.isOfSingleRows)
    }
  }
}
