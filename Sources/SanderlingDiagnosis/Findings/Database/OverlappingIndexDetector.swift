import SanderlingTerminal

/// Finds indexes that another index makes superfluous.
struct OverlappingIndexDetector: DatabaseDetector {
  func findings(for statements: [AnalyzedStatement], in context: DetectorContext) throws -> [Finding] {
    var findings: [Finding] = []
    for overlap in Self.overlaps(in: context.schema) {
      if let finding = try finding(overlap, statements, in: context) { findings.append(finding) }
    }
    return findings
  }

  struct Overlap {
    var index: IndexSchema
    /// The index that makes the other one superfluous; nil if the table's own order by rowid does.
    var by: IndexSchema?
    var isDuplicate: Bool
  }

  /// The indexes to drop, each with the index that stays. O(indexes² of a table).
  static func overlaps(in schema: DatabaseSchema) -> [Overlap] {
    schema.tables.flatMap { table -> [Overlap] in
      var dropped: Set<String> = []
      return table.indexes.compactMap { index in
        guard index.origin == .createIndex else { return nil }
        if let alias = table.rowIDAlias, index.condition == nil, index.keys.map(\.column) == [alias] {
          dropped.insert(index.name)
          return Overlap(index: index, by: nil, isDuplicate: true)
        }
        let others = table.indexes.filter { $0.name != index.name && !dropped.contains($0.name) }
        // Of two equal indexes, the one that enforces something stays, otherwise the first.
        let same = others.first { other in
          other.keys == index.keys && sameCondition(index, other) && (!index.isUnique || other.isUnique)
            && (other.origin != .createIndex || other.isUnique != index.isUnique || precedes(other, index, in: table))
        }
        let longer = others.first { other in
          !index.isUnique && other.keys.count > index.keys.count && sameCondition(index, other)
            && isPrefix(index.keys, of: other.keys)
        }
        guard let other = same ?? longer else { return nil }
        dropped.insert(index.name)
        return Overlap(index: index, by: other, isDuplicate: same != nil)
      }
    }
  }

  private static func precedes(_ one: IndexSchema, _ other: IndexSchema, in table: TableSchema) -> Bool {
    // SQLite lists the newest index first. The oldest index stays, because statements may name it.
    let names = table.indexes.map(\.name)
    return (names.firstIndex(of: one.name) ?? 0) > (names.firstIndex(of: other.name) ?? 0)
  }

  private static func sameCondition(_ one: IndexSchema, _ other: IndexSchema) -> Bool {
    one.condition == other.condition
  }

  /// Whether the keys are the first keys of another index, all in the same directions or all in the opposite
  /// directions.
  private static func isPrefix(_ keys: [IndexKey], of others: [IndexKey]) -> Bool {
    let pairs = Array(zip(keys, others))
    let isSame = pairs.allSatisfy { key, other in
      key.column?.asciiLowercased == other.column?.asciiLowercased && key.expression == other.expression
        && key.collation.asciiLowercased == other.collation.asciiLowercased
    }
    return isSame && Set(pairs.map { $0.isDescending == $1.isDescending }).count == 1
  }

  private func finding(
    _ overlap: Overlap, _ statements: [AnalyzedStatement], in context: DetectorContext
  ) throws -> Finding? {
    let index = overlap.index
    let users = statements.filter { $0.uses(index) }
    if users.contains(where: { $0.demands(index) }) { return nil }
    let drop = context.dropping(index)
    var comparisons = try WorkloadTrial(context: context).result(of: [drop], for: users)
    // A statement that could not be measured may need the index.
    if users.contains(where: { $0.measurements.isEmpty || !$0.measurements.allSatisfy(\.isComplete) }) { return nil }
    // The shorter index may be a gain for a statement that reads much of it.
    if !comparisons.worse.isEmpty { return nil }
    if let table = context.schema.table(index.table), let deletion = context.deletion(from: table),
      let before = try? context.runner.measure(deletion), before.rowsReturned > 0
    {
      let after = try Trial(connection: context.connection).run([drop]) { try context.runner.measure(deletion) }.value
      comparisons.comparisons.append(
        Comparison(bindings: "deletion of \(Figure.count(before.rowsReturned, "row"))", before: before, after: after))
    }
    let bytes = context.bytes(of: index)
    let size = bytes.map { " and \(Figure.bytes($0))" } ?? ""
    let columns = index.keys.map { $0.column ?? $0.expression ?? "" }.joined(separator: ", ")
    let other = overlap.by?.name ?? "the primary key"
    let title =
      overlap.isDuplicate
      ? "\(index.name) is the same index as \(other): every write pays for it twice"
      : "\(index.name) is the beginning of \(other), which serves the same searches"
    return Finding(
      kind: overlap.isDuplicate ? .duplicateIndex : .redundantIndex, severity: .warning, title: title,
      explanation:
        "Both of \(index.table) begin with \(columns). SQLite finds and sorts the same rows by \(other), "
        + "so that \(index.name) only costs time with every write\(size) of the file. It enforces nothing.",
      evidence: bytes.map { [Evidence(name: "size of the index", value: Double($0), unit: "bytes")] } ?? [],
      fix: Fix(
        summary: "Drop \(index.name)", sql: [drop], grdb: "try db.drop(index: \"\(index.name)\")",
        sanderling: "Leave the index out of the record's `indexes`; the next migration drops it.",
        coreData: index.table.hasPrefix("Z") ? "Remove the fetch index from the entity of \(index.table)." : nil),
      outcome: comparisons.comparisons.isEmpty
        ? .notMeasured(reason: "The table has no row to delete.") : .proven(comparisons.comparisons),
      limits: [context.limitOfDropping(index, statements)] + comparisons.limits)
  }
}
