import GRDB

/// An aggregate over all rows of a query. Counts and sums of integers are maintained from each change. Other aggregates
/// are read again when an aggregated row changes.
final class SummaryQuery<Value: Sendable>: LiveQuery {
  /// The result of a load.
  private struct Values: Sendable {
    var value: Value?
    var version: UInt64
    /// The tally's counts, sums and magnitudes; nil without a tally, and when a count or sum is no integer.
    var counts: [Int64]?
  }

  let following: QueryFollowing
  private let plan: RoutePlan
  private let condition: PreparedTerm?
  private let statement: SelectStatement
  private let decode: @Sendable (ResultRow) throws -> Value
  private let tally: Tally?
  /// The statement that computes the value from the tally's counts and sums.
  private let known: (statement: SQLStatement, known: [(argument: Int, term: Int)])
  private var values: Values?
  /// The sum of the changes since the values were read or updated.
  private var changes: [Int64] = []
  private var hasChanges = false
  /// Whether the values must be read again.
  private var isOutdated = false
  private var loaded = LoadSlot<Values>()

  init(statement: SelectStatement, decode: @escaping @Sendable (ResultRow) throws -> Value) throws {
    self.statement = statement
    self.decode = decode
    if let reason = statement.source.requeryReason { throw reason }
    guard !statement.isDistinct, statement.limit == nil, statement.offset == 0 else {
      throw RequeryReason("it limits its aggregated rows, or removes duplicates among them")
    }
    let type = statement.source.type
    _ = try SQLCompiler.compile(statement)
    let arguments = statement.summaryArguments
    for term in arguments + [statement.condition].compactMap({ $0 }) {
      if let reason = term.requeryReason { throw reason }
    }
    if statement.columns.contains(where: \.isOfSingleRows) {
      throw RequeryReason("it reads a column of one row beside an aggregate of all rows")
    }
    tally = Tally(statement)
    known =
      try tally.map { try SQLCompiler.compile(statement.columns, knowing: $0.terms) } ?? (
        SQLStatement(sql: "", arguments: []), []
      )
    // Aggregated terms are passed as orderings: like these, they decide about the value.
    plan = try RoutePlan(
      root: type, condition: statement.condition, orderings: arguments.map { Ordering(term: $0) }, outputs: [])
    condition = try plan.condition()
    following = .maintained(plan)
  }

  func content(window: Int) -> ValueContent<Value>? {
    values.map { ValueContent(value: $0.value, version: $0.version) }
  }

  func beginLoad(window: Int) -> @Sendable (Database) throws -> Void {
    let (statement, decode, tally, loaded) = (statement, decode, tally, loaded.begin())
    return { db in
      let (value, version) = try db.value(of: SQLCompiler.compile(statement), decode)
      loaded.put(Values(value: value, version: version, counts: try tally.flatMap { try db.counts(of: $0, statement) }))
    }
  }

  func endLoad(window: Int) -> QueryOutcome {
    values = loaded.take()
    return .news
  }

  func rowChanged(_ event: RowEvent, _ dependencies: RouteDependencies, isLoading: Bool) throws {
    if event.hasEqualImages { return }
    for row in [event.old, event.new] {
      guard let row, try condition?.isTrue(in: row) ?? true else { continue }
      hasChanges = true
      let before = changes.isEmpty ? tally?.zeros ?? [] : changes
      if plan.isWholeCondition, let addends = try tally?.addends(of: row),
        let sums = before.adding(addends, isNegative: row.isOld)
      {
        changes = sums
      } else {
        isOutdated = true
      }
    }
  }

  func forgetChanges() {
    changes = []
    hasChanges = false
    isOutdated = false
  }

  func apply(_ rows: BatchRows, window: Int) throws -> QueryOutcome {
    guard hasChanges else { return .unchanged }
    defer { forgetChanges() }
    guard !isOutdated, let before = values, let counts = before.counts,
      let sums = tally?.adding(changes, to: counts)
    else { return .reload }
    var arguments = known.statement.arguments
    for known in known.known { arguments[known.argument] = .integer(sums[known.term]) }
    let statement = SQLStatement(sql: known.statement.sql, arguments: arguments)
    let (value, version) = try rows.database.value(of: statement, decode)
    values = Values(value: value, version: version, counts: sums)
    return version == before.version ? .unchanged : .news
  }

  func check(window: Int) -> LiveCheck? {
    // Values that depend on the order of visits are not compared.
    guard let version = values?.version, !statement.terms.contains(where: \.dependsOnVisits) else { return nil }
    return .value(
      version, tables: plan.tables, statement: { [statement] in try SQLCompiler.compile(statement) }, decode: decode)
  }
}

extension Database {
  /// The counts, sums and magnitudes of a query's rows; nil when a count or sum is no integer, and when SQLite fails to
  /// add up. SQLite may fail here although the query itself succeeds, since it visits the rows in another order.
  fileprivate func counts(of tally: Tally, _ statement: SelectStatement) throws -> [Int64]? {
    var counting = statement
    counting.columns = tally.terms + tally.magnitudes
    counting.orderings = []
    let compiled = try SQLCompiler.compile(counting)
    var counts: [Int64]? = []
    do {
      try forEachRow(of: compiled.sql, limit: 1) {
        try $0.bind(compiled.arguments)
      } row: { row in
        for index in tally.terms.indices {
          if case .integer(let count) = row.storageValue(at: Int32(index)) {
            counts?.append(count)
          } else {
            counts = nil
          }
        }
        for index in tally.magnitudes.indices {
          counts?.append(SumBound.magnitude(row.encodedValue(at: Int32(tally.terms.count + index))))
        }
      }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
      return nil
    }
    return counts
  }
}

extension Term {
  /// Whether SQLite would take the term's value from an arbitrary one of the aggregated rows.
  fileprivate var isOfSingleRows: Bool {
    switch self {
    case .column, .aggregate: true
    case .summary: false
    default: operands.contains(where: \.isOfSingleRows)
    }
  }
}
