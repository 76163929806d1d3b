import SanderlingSQLite

/// The rows that a statement returned, for comparison with the rows that it returns after a change of the database.
///
/// An index may change the order that ORDER BY leaves open, and the choice among equal rows that a LIMIT cuts off. It
/// must change nothing else.
struct ResultImage {
  private var count = 0
  /// All rows except those of the last group of equal keys, if a LIMIT may have cut it.
  private var rows: RowSet
  /// The hash of the sort keys in their order without floating-point numbers, and these numbers separately.
  private var keys = 0
  private var keyReals: [Double] = []
  private let order: Order

  enum Order {
    /// SQLite may choose the rows freely, so only their number is compared.
    case countOnly
    case rows(ResultComparer.Order)
  }

  /// The number of floating-point sort keys that are kept.
  private static let maximumReals = 200_000

  /// Runs a statement with bound values. Throws `DiagnosisError`. O(rows).
  init(_ statement: SQLiteStatement, order: Order, maximumRows: Int = 200_000) throws {
    self.order = order
    rows = RowSet(maximumCount: maximumRows)
    let stored = statement.storedColumns
    var hasher = Hasher()
    var (group, last): (RowSet, RowImage?) = (RowSet(maximumCount: maximumRows), nil)
    while try statement.step() {
      count += 1
      switch order {
      case .countOnly: break
      case .rows(.none): rows.insert(RowImage(statement, stored: stored))
      case .rows(.by(let keys, let isLimited)):
        let key = RowImage(statement, columns: keys, stored: stored)
        hasher.combine(key.high)
        keyReals += key.reals.prefix(max(0, Self.maximumReals - keyReals.count))
        if let last, !last.isSame(as: key) {
          rows.insert(group)
          group = RowSet(maximumCount: maximumRows)
        }
        last = key
        if isLimited {
          group.insert(RowImage(statement, stored: stored))
        } else {
          rows.insert(RowImage(statement, stored: stored))
        }
      }
    }
    keys = hasher.finalize()
  }

  /// Whether both images can be results of one statement on the same rows.
  func isSame(as other: ResultImage) -> Bool {
    guard count == other.count else { return false }
    if case .countOnly = order { return true }
    return keys == other.keys && keyReals.count == other.keyReals.count
      && zip(keyReals, other.keyReals).allSatisfy(RowImage.isSame) && rows.isSame(as: other.rows)
  }
}

extension MovableStatement {
  /// The part of the results that depends on the rows alone, and not on the plan.
  var imageOrder: ResultImage.Order {
    guard let core, !dependsOnTheWay else { return .countOnly }
    if select.limit == nil { return .rows(order) }
    if case .by = order, !core.syntax.isDistinct || !select.orderBy.isEmpty { return .rows(order) }
    return .countOnly
  }

  /// Whether LIMIT keeps the same rows with every plan. ORDER BY must contain a key. All result columns must come from
  /// the row with that key, or from rows that are looked up for it by their own keys.
  func leavesOneChoice(_ schema: DatabaseSchema) -> Bool {
    guard let core, !dependsOnTheWay, core.shape.aggregates.isEmpty, core.syntax.groupBy.isEmpty,
      !core.syntax.isDistinct, let from = core.syntax.from
    else { return false }
    let ordered = columns(select.orderBy.map(\.expression))
    let keyed = core.shape.sources.filter { source in
      source.table.flatMap(schema.table)?.hasKey(among: ordered[source.id] ?? []) ?? false
    }
    guard let reader = JoinTreeReader(self, schema: schema) else { return false }
    let known = keyed.reduce(into: Set<Int>()) { known, source in
      known.formUnion(reader.tree(root: source.id, allowsNoBranches: true)?.coreIDs ?? [])
    }
    return core.syntax.columns.allSatisfy { column in
      switch column.kind {
      case .expression(let expression, _): sources(in: expression.range).isSubset(of: known)
      case .all(let name):
        from.sources.allSatisfy { source in
          known.contains(source.id)
            || name != nil && shape.resolved.sources[source.id]?.name.asciiLowercased != name?.key
        }
      }
    }
  }

  /// Returns the columns among expressions, by their sources.
  private func columns(_ expressions: [SQLExpression]) -> [Int: Set<String>] {
    expressions.reduce(into: [:]) { columns, expression in
      guard case .column = expression.unwrapped.kind,
        case .column(let source, let name)? = shape.resolved.meaning(of: expression.unwrapped)
      else { return }
      columns[source, default: []].insert(name)
    }
  }

  /// Whether SQLite may return other rows with another plan: rows of an inner LIMIT, columns of an arbitrary row of a
  /// group, numbers among equal rows, the time, or random numbers.
  ///
  /// `group_concat` without an order may change, too. But a user who sees such a text notices the change and considers
  /// it a fault.
  private var dependsOnTheWay: Bool {
    let calls = expressions.compactMap { expression -> SQLCall? in
      if case .call(let call) = expression.kind { call } else { nil }
    }
    if calls.contains(where: { Self.changingFunctions.contains($0.name.key) }) { return true }
    let words = sql.asciiLowercased
    if words.contains("'now'") || words.contains("current_") { return true }
    let inner = shape.selects.filter { $0.parent != nil } + shape.views.values.flatMap(\.selectsWithViews)
    return inner.contains { $0.limit != nil } || shape.selectsWithViews.contains(where: \.hasWindowFunctions)
      || hasBareColumns
  }

  /// Whether a result column comes from an arbitrary row of its group.
  private var hasBareColumns: Bool {
    guard let core, !core.shape.aggregates.isEmpty || !core.shape.groupBy.isEmpty else { return false }
    let aggregates = core.shape.aggregates.map(\.range)
    let grouped = Set(core.syntax.groupBy.compactMap { shape.resolved.meaning(of: $0.unwrapped) })
    let keys = Set(
      grouped.compactMap { meaning -> Int? in if case .column(let source, _) = meaning { source } else { nil } })
    return core.syntax.columns.contains { column in
      guard case .expression(let expression, _) = column.kind else { return true }
      if core.syntax.groupBy.contains(where: { text[$0.range] == text[expression.range] }) { return false }
      return expression.withDescendants.contains { node in
        guard case .column(let source, _)? = shape.resolved.meaning(of: node),
          !aggregates.contains(where: { $0.contains(node.range.lowerBound) })
        else { return false }
        if shape.resolved.meaning(of: node).map(grouped.contains) ?? false { return false }
        // If a source's key is among the grouping terms, its columns have one value in each group.
        return !(keys.contains(source) && isGroupedByKey(of: source, grouped))
      }
    }
  }

  private func isGroupedByKey(of source: Int, _ grouped: Set<ColumnMeaning>) -> Bool {
    guard let table = shape.resolved.sources[source]?.table else { return false }
    return grouped.contains { meaning in
      guard case .column(source, let name) = meaning else { return false }
      return name == "rowid" || name == table.rowidAlias?.name
    }
  }

  private static let changingFunctions: Set = [
    "random", "randomblob", "changes", "last_insert_rowid",
  ]
}

/// Takes images of a statement's results.
struct ImageTaker {
  let connection: SQLiteConnection
  let schema: DatabaseSchema

  /// Returns an image for each sample; nil for writes, for statements that the parser doesn't know, and for slow
  /// statements.
  ///
  /// Throws `DiagnosisError`. O(rows read).
  func images(of analyzed: AnalyzedStatement) throws -> [ResultImage]? {
    guard !analyzed.isWrite, analyzed.measurements.allSatisfy(\.isComplete),
      let statement = MovableStatement(analyzed, schema: schema)
    else { return nil }
    do {
      return try analyzed.baseline.map { sample, before in
        try connection.limited(to: before.coldTime * 3 + .milliseconds(200)) {
          let prepared = try connection.prepare(analyzed.sql, authority: .reading)
          try prepared.bind(sample.values)
          return try ResultImage(prepared, order: statement.imageOrder)
        }
      }
    } catch DiagnosisError.stopped(let reason) where reason != .cancelled {
      return nil
    }
  }
}

extension [ResultImage] {
  func isSame(as other: [ResultImage]) -> Bool {
    count == other.count && zip(self, other).allSatisfy { $0.isSame(as: $1) }
  }
}
