/// Compares two statements on the rows of one connection, as far as their results are determined.
struct StatementComparison {
  let statement: MovableStatement
  let connection: SQLiteConnection
  private let orderKeys: (all: String, distinct: String)?
  /// Whether the statement always returns a row: an aggregate of all rows, or a row without a table.
  private let alwaysHasRow: Bool

  init(statement: MovableStatement, connection: SQLiteConnection) {
    (self.statement, self.connection) = (statement, connection)
    orderKeys = Self.orderKeys(of: statement)
    alwaysHasRow = statement.select.cores.contains { core in
      core.rows.isEmpty && core.groupBy.isEmpty
        && (core.from == nil || statement.shape.select(core.id)?.aggregates.isEmpty == false)
    }
  }

  struct Result {
    var isDifferent: Bool
    /// Whether the statement returned rows that depend on the tables.
    var hasRows: Bool
  }

  private var comparer: ResultComparer { ResultComparer(connection: connection) }

  /// Compares the statements of each pair; nil if the statement itself fails with these rows and values.
  ///
  /// Throws `DiagnosisError` if it was cancelled.
  func result(of pairs: [RewriteProof.Pair], _ values: [Int: BoundValue], within deadline: Deadline) throws -> Result? {
    try connection.limited(to: StatementBudget(deadline: deadline, steps: 2_000_000)) { () throws -> Result? in
      var result = Result(isDifferent: false, hasRows: false)
      for pair in pairs {
        let count: Int
        let tells: Bool
        do {
          (count, tells) = try self.rows(of: pair.one, values)
        } catch DiagnosisError.statement {
          // The error is an overflow, or a text that is no JSON. An app can't have such rows.
          return nil
        } catch DiagnosisError.stopped(let reason) where reason != .cancelled {
          return nil
        }
        result.hasRows = result.hasRows || tells
        do {
          guard let isSame = try isSame(pair, values, count) else { return nil }
          if !isSame { return Result(isDifferent: true, hasRows: result.hasRows) }
        } catch DiagnosisError.statement {
          return Result(isDifferent: true, hasRows: result.hasRows)
        }
      }
      return result
    }
  }

  /// Whether both results are the same; nil if the time ended.
  private func isSame(_ pair: RewriteProof.Pair, _ values: [Int: BoundValue], _ count: Int) throws -> Bool? {
    guard pair.isWhole, let core = statement.select.cores.first else {
      return try isSame(pair.one, pair.other, values, .none)
    }
    let all = ResultComparer.Order.by(Array(0..<max(1, core.columns.count + 64)), isLimited: false)
    let isExact = try hasDeterminedOrder(values)
    guard statement.select.limit != nil else {
      return try isSame(pair.one, pair.other, values, isExact ? all : statement.order)
    }
    if isExact { return try isSame(pair.one, pair.other, values, all) }
    // A LIMIT may choose freely among equal rows. But the number of kept rows and the rows before the LIMIT must be
    // equal.
    if try self.count(pair.other, values) != count { return false }
    guard let one = statement.unlimited(pair.one), let other = statement.unlimited(pair.other) else {
      if case .none = statement.order { return true }
      return try isSame(pair.one, pair.other, values, statement.order)
    }
    var order = statement.order
    if case .by(let places, _) = order { order = .by(places, isLimited: false) }
    return try isSame(one, other, values, order)
  }

  private func isSame(
    _ one: String, _ other: String, _ values: [Int: BoundValue], _ order: ResultComparer.Order
  ) throws -> Bool? {
    let verdict = try comparer.compare(
      one, other, bindings: statement.values(values, for: one), otherBindings: statement.values(values, for: other),
      order: order)
    switch verdict {
    case .same: return true
    case .different: return false
    case .unknown(.cancelled): throw DiagnosisError.stopped(.cancelled)
    case .unknown: return nil
    }
  }

  private func count(_ sql: String, _ values: [Int: BoundValue]) throws -> Int { try rows(of: sql, values).count }

  /// Returns the number of returned rows, and whether they depend on the tables: an aggregate returns a row even
  /// without input rows.
  private func rows(of sql: String, _ values: [Int: BoundValue]) throws -> (count: Int, tell: Bool) {
    let prepared = try connection.prepare(sql, authority: .reading)
    try prepared.bind(statement.values(values, for: sql))
    var (count, tell) = (0, false)
    while try prepared.step() {
      count += 1
      if !tell { tell = !alwaysHasRow || prepared.row.contains { ![.null, .integer(0), .real(0)].contains($0) } }
    }
    return (count, tell)
  }

  // MARK: Order

  /// Whether no two rows are equal, or nearly equal, in the statement's order, so that only one sequence is right.
  private func hasDeterminedOrder(_ values: [Int: BoundValue]) throws -> Bool {
    guard let orderKeys else { return false }
    do {
      return try count(orderKeys.all, values) == count(orderKeys.distinct, values)
        && !hasNeighbours(orderKeys.all, values)
    } catch DiagnosisError.statement {
      // Some terms can't be result columns.
      return false
    }
  }

  /// Whether two rows differ so little that another order of additions could exchange them.
  private func hasNeighbours(_ sql: String, _ values: [Int: BoundValue]) throws -> Bool {
    let prepared = try connection.prepare(sql, authority: .reading)
    try prepared.bind(statement.values(values, for: sql))
    let stored = prepared.storedColumns
    var rows: [RowImage] = []
    while try prepared.step() {
      let row = RowImage(prepared, stored: stored)
      if !row.reals.isEmpty { rows.append(row) }
    }
    return RowImage.hasNeighbours(rows)
  }

  /// Returns the terms of ORDER BY as result columns, for all rows and for distinct ones. Nil if there is no order or
  /// the terms can't be result columns.
  private static func orderKeys(of statement: MovableStatement) -> (all: String, distinct: String)? {
    guard let core = statement.core, !statement.select.orderBy.isEmpty, !core.syntax.isDistinct,
      let order = statement.select.orderByRange
    else { return nil }
    var terms: [String] = []
    for term in statement.select.orderBy {
      let expression = term.expression.unwrapped
      var range = term.expression.range
      if case .result(_, let index)? = statement.shape.resolved.meaning(of: expression) {
        guard let own = core.resolved.results[safe: index]?.expression else { return nil }
        range = own.range
      } else if case .literal(.integer) = expression.kind {
        guard let place = Int(statement.text[expression.range]),
          let own = core.resolved.results[safe: place - 1]?.expression
        else { return nil }
        range = own.range
      }
      terms.append(statement.text[range])
    }
    let head = statement.text[statement.select.range.lowerBound..<core.syntax.columnsRange.lowerBound]
    let tail = statement.text[core.syntax.columnsRange.upperBound..<order.lowerBound]
    let list = terms.joined(separator: ", ")
    return ("\(head)\(list)\(tail)", "\(head)DISTINCT \(list)\(tail)")
  }
}

extension MovableStatement {
  /// Returns a form of the statement without its outermost LIMIT; nil if it has none.
  func unlimited(_ sql: String) -> String? {
    guard let parsed = try? SQLParser.parse(sql), case .select(let select) = parsed.kind, let range = select.limitRange
    else { return nil }
    var rewriter = SQLRewriter(parsed.text)
    rewriter.replace(range, with: "")
    return rewriter.rewritten()
  }
}
