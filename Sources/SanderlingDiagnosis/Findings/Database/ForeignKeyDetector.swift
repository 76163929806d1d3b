import SanderlingTerminal

/// Finds foreign keys whose checks read the whole child table because no index begins with the columns of the key.
struct ForeignKeyDetector: DatabaseDetector {
  func findings(for statements: [AnalyzedStatement], in context: DetectorContext) throws -> [Finding] {
    var findings: [Finding] = []
    for child in context.schema.tables where child.kind == .ordinary {
      for key in child.foreignKeys where !isIndexed(key, in: child, context.schema) {
        guard let parent = context.schema.table(key.parentTable), (child.rowCount ?? 0) > 100,
          (parent.rowCount ?? 0) > 0, !findings.contains(where: { $0.title.contains(Self.name(key)) })
        else { continue }
        if let finding = try finding(key, child, parent, statements, in: context) { findings.append(finding) }
      }
    }
    return findings
  }

  private func isIndexed(_ key: ForeignKeySchema, in table: TableSchema, _ schema: DatabaseSchema) -> Bool {
    let keys = schema.keys(of: key, in: table)
    if keys.count == 1, let alias = table.rowIDAlias, keys[0].column == alias { return true }
    return table.indexes.contains { index in
      // A partial index serves the check only if it leaves out just NULL. SQLite detects that by itself.
      let isWhole = index.condition.map { Fingerprint.of($0).lowercased().hasSuffix("not null") } ?? true
      let first = index.keys.prefix(keys.count)
      return isWhole && keys.allSatisfy { key in first.contains { $0.isLike(key, in: table) } }
    }
  }

  private static func name(_ key: ForeignKeySchema) -> String { "\(key.table)(\(key.columns.joined(separator: ", ")))" }

  private func finding(
    _ key: ForeignKeySchema, _ child: TableSchema, _ parent: TableSchema, _ statements: [AnalyzedStatement],
    in context: DetectorContext
  ) throws -> Finding? {
    guard let (deletion, before) = try deletion(of: parent, key, in: context) else { return nil }
    let index = "\(child.name)_on_\(key.columns.joined(separator: "_"))"
    let free = context.schema.index(index) == nil ? index : index + "_2"
    let candidate = IndexCandidate(
      table: child.name, keys: context.schema.keys(of: key, in: child), purposes: [.foreignKey])
    let creation = candidate.creation(named: free)
    let trial = try Trial(connection: context.connection).run([creation]) { try context.runner.measure(deletion) }
    let comparison = Comparison(bindings: "deletion of one row of \(parent.name)", before: before, after: trial.value)
    guard [comparison].areBetter else { return nil }
    let readers = try readers(of: child, with: creation, statements, in: context)
    let harmed = readers.worse.map { "S\($0)" }
    let isInWorkload = statements.contains { $0.shape?.kind == .delete(table: parent.name) }
    return Finding(
      kind: .slowForeignKey, severity: isInWorkload ? [comparison].severity : min(.warning, [comparison].severity),
      title:
        "Deleting a row of \(parent.name) reads all \(Figure.count(child.rowCount ?? 0)) rows of \(Self.name(key))",
      explanation:
        "SQLite looks for the rows of \(child.name) that refer to the deleted row, to refuse, delete or change "
        + "them. No "
        + "index begins with \(key.columns.joined(separator: ", ")), so that it reads the whole table for each "
        + "deleted row. "
        + "The same holds for changes of the key.",
      evidence: [
        Evidence(name: "rows read", value: Double(child.rowCount ?? 0), unit: "rows"),
        Evidence(name: "pages of the new index", value: Double(trial.pages), unit: "pages"),
      ],
      fix: !harmed.isEmpty
        ? nil
        : Fix(
          summary: "Index \(child.name) by \(key.columns.joined(separator: ", "))", sql: [creation],
          grdb: IndexFixText(index: candidate, name: free).grdb,
          sanderling: "Declare the column with `@References`, which makes the index."),
      outcome: harmed.isEmpty
        ? .proven([comparison])
        : .notMeasured(
          reason: "With an index of these columns SQLite would take longer for \(harmed.joined(separator: ", "))."),
      limits: isInWorkload
        ? readers.limits
        : ["No statement of the workload deletes from \(parent.name). Foreign keys must be on, as in GRDB."]
          + readers.limits,
      isRemark: !isInWorkload)
  }

  /// The effect of an index on the statements that read its table and get another plan with it.
  private func readers(
    of child: TableSchema, with creation: String, _ statements: [AnalyzedStatement], in context: DetectorContext
  ) throws -> WorkloadTrial.Result {
    let readers = statements.filter { !$0.isWrite && !$0.measurements.isEmpty && $0.concerns(child.name) }
    if readers.isEmpty { return WorkloadTrial.Result() }
    let trial = WorkloadTrial(context: context)
    let replanned = try trial.replanned(by: [creation], among: readers)
    return try replanned.isEmpty ? WorkloadTrial.Result() : trial.result(of: [creation], for: replanned)
  }

  /// The deletion of one row that no reference forbids, and its measurement.
  private func deletion(
    of parent: TableSchema, _ key: ForeignKeySchema, in context: DetectorContext
  ) throws -> (String, StatementMeasurement)? {
    guard !parent.isWithoutRowID else { return nil }
    let name = parent.name.quotedIdentifier
    let middle = (parent.rowCount ?? 0) / 2
    for choice in ["SELECT rowid FROM \(name) LIMIT 1 OFFSET \(middle)", "SELECT max(rowid) FROM \(name)"] {
      guard let row = try context.rows(choice).first?.first?.integer else { continue }
      let sql = "DELETE FROM \(name) WHERE rowid = \(row)"
      // ON DELETE RESTRICT or a trigger may forbid the deletion.
      if let measurement = try? context.runner.measure(sql), measurement.rowsReturned > 0 { return (sql, measurement) }
    }
    return nil
  }
}
