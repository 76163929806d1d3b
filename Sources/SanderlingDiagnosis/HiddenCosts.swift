/// The costs of a statement that its plan does not show.
struct HiddenCosts {
  let analyzed: AnalyzedStatement
  let schema: DatabaseSchema

  /// Sentences for the app's developer. O(nodes of the plan).
  var sentences: [String] {
    var sentences = [offset, endOfIndex, automaticIndex].compactMap { $0 }
    sentences += statistics
    return sentences
  }

  private var greatest: StatementMeasurement? { analyzed.measurements.max { $0.steps < $1.steps } }

  /// The note on OFFSET, which no plan shows.
  private var offset: String? {
    guard let offset = analyzed.shape?.selects.first(where: { $0.parent == nil })?.offset else { return nil }
    let skipped: Int64? =
      switch offset {
      case .literal(let count): count
      case .parameter(let number): analyzed.samples.compactMap { $0.values[number]?.integer }.max()
      case .expression: nil
      }
    guard let skipped, skipped > 0 else { return nil }
    // The number of rows is a bound value.
    return "OFFSET reads all rows that it skips before the first one that it returns; the plan doesn't say so."
  }

  /// The note on a "SEARCH" without a term. It finds min() or max() at one end of an index, or reads the whole index.
  private var endOfIndex: String? {
    for node in analyzed.plan.nodes {
      guard case .search(let table, _, _, let terms) = node.step, terms.isEmpty else { continue }
      guard let greatest, greatest.steps > 1_000 else { continue }
      return "The SEARCH of \(table) names no column: it reads the table from one end, in \(greatest.steps) steps."
    }
    return nil
  }

  private var automaticIndex: String? {
    guard let rows = greatest?.automaticIndexRows, rows > 0 else { return nil }
    return "SQLite builds a temporary index of \(rows) rows at each execution, and discards it."
  }

  private var statistics: [String] {
    let tables = Set(analyzed.plan.nodes.compactMap { $0.step.table?.asciiLowercased })
    return schema.tables.filter { tables.contains($0.name.asciiLowercased) && $0.kind == .ordinary }.compactMap {
      table in
      guard let count = table.rowCount, count >= 1_000, !table.indexes.isEmpty else { return nil }
      guard let known = table.indexes.compactMap({ $0.isPartial ? nil : $0.statistics.first }).max() else {
        return "There are no statistics of \(table.name): SQLite guesses how many rows each condition leaves."
      }
      guard known > 10 * count || count > 10 * max(known, 1) else { return nil }
      return "The statistics of \(table.name) are of \(known) rows; it has \(count) now."
    }
  }
}

extension PlanStep {
  /// The table that the step reads.
  var table: String? {
    switch self {
    case .scan(let table, _, _), .search(let table, _, _, _), .automaticIndex(let table, _, _),
      .virtualTable(let table, _),
      .bloomFilter(let table):
      table
    default: nil
    }
  }
}
