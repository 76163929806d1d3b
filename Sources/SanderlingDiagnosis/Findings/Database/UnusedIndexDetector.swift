/// Finds indexes of the workload's tables that none of its statements reads.
struct UnusedIndexDetector: DatabaseDetector {
  /// Fewer statements of a table tell nothing of the others.
  static let leastStatements = 3

  func findings(for statements: [AnalyzedStatement], in context: DetectorContext) throws -> [Finding] {
    let overlapping = Set(OverlappingIndexDetector.overlaps(in: context.schema).map(\.index.name))
    // Another form of a statement may read what the statement doesn't.
    let forms = (context.ledger?.entries ?? [:]).values.joined().map(\.statement)
    return context.schema.tables.flatMap { table -> [Finding] in
      let own = statements.filter { $0.concerns(table.name) }
      guard own.count >= Self.leastStatements else { return [] }
      return table.indexes.filter { index in
        index.canBeDropped && !overlapping.contains(index.name) && !statements.contains { $0.uses(index) }
          && !forms.contains { $0.uses(index) } && !Self.servesForeignKey(index, of: table)
      }.map { finding($0, own.count, in: context) }
    }
  }

  static func servesForeignKey(_ index: IndexSchema, of table: TableSchema) -> Bool {
    table.foreignKeys.contains { key in
      let columns = Set(key.columns.map(\.asciiLowercased))
      return Set(index.keys.prefix(columns.count).compactMap { $0.column?.asciiLowercased }) == columns
    }
  }

  private func finding(_ index: IndexSchema, _ count: Int, in context: DetectorContext) -> Finding {
    let bytes = context.bytes(of: index)
    return Finding(
      kind: .unusedIndex, severity: .note,
      title: "None of the \(Figure.count(count, "statement")) on \(index.table) reads \(index.name)",
      explanation:
        "Each write to \(index.table) keeps \(index.name) up to "
        + "date\(bytes.map { ", and it takes \(Figure.bytes($0))" } ?? ""). "
        + "Other code of the app may need it: look for its columns before dropping it.",
      evidence: bytes.map { [Evidence(name: "size of the index", value: Double($0), unit: "bytes")] } ?? [],
      fix: Fix(
        summary: "Drop \(index.name) if nothing else needs it", sql: [context.dropping(index)],
        grdb: "try db.drop(index: \"\(index.name)\")"),
      outcome: .notMeasured(reason: "Only the statements of this workload are known."))
  }
}
