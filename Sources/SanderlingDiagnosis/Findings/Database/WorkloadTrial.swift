import SanderlingTerminal

/// Measures the statements of a workload with a change to the copy.
struct WorkloadTrial {
  let context: DetectorContext

  struct Result {
    var comparisons: [Comparison] = []
    /// The numbers of the statements that the change makes better, and of the statements that it makes worse.
    var better: [Int] = []
    var worse: [Int] = []
    /// The limits from trials with values of each kind.
    var limits: [String] = []

    /// Whether some statements get better and none gets worse.
    var isBetter: Bool { worse.isEmpty && !better.isEmpty }
  }

  /// The comparisons of all statements with and without a change, which is DDL or ANALYZE. The change is undone
  /// afterwards. A statement that the change slows down with values of some kind counts as worse. O(rows that the
  /// statements read), a few times.
  ///
  /// Throws `DiagnosisError`.
  func result(of change: [String], for statements: [AnalyzedStatement]) throws -> Result {
    var (result, trials) = try Trial(connection: context.connection).run(change) {
      var (result, trials) = (Result(), [(Int, HarmCheck.Trials)]())
      for statement in statements where !statement.measurements.isEmpty {
        var comparisons: [Comparison] = []
        for (sample, before) in statement.baseline {
          let name = statements.count > 1 ? "S\(statement.statement.id), \(sample.name)" : sample.name
          comparisons.append(
            Comparison(
              bindings: name, before: before,
              after: try context.runner.measure(statement.sql, bindings: sample.values)))
        }
        if comparisons.areBetter { result.better.append(statement.statement.id) }
        if comparisons.contains(where: \.isWorse) {
          result.worse.append(statement.statement.id)
        } else {
          trials.append((statement.statement.id, try context.harm.trials(of: statement)))
        }
        result.comparisons += comparisons
      }
      return (result, trials)
    }.value
    for (statement, trial) in trials {
      let verdict = try context.harm.verdict(on: trial)
      if verdict.isHarmful {
        result.worse.append(statement)
        result.better.removeAll { $0 == statement }
      } else if let limit = verdict.limit {
        result.limits.append(statements.count > 1 ? "S\(statement): \(limit)" : limit)
      }
    }
    return result
  }

  /// The statements that get another plan by a change.
  func replanned(by change: [String], among statements: [AnalyzedStatement]) throws -> [AnalyzedStatement] {
    try Trial(connection: context.connection).run(change) {
      let reader = PlanReader(connection: context.connection, schema: context.schema)
      return try statements.filter { statement in
        try reader.plan(of: statement.sql).nodes.map(\.detail) != statement.plan.nodes.map(\.detail)
      }
    }.value
  }
}

extension AnalyzedStatement {
  /// Whether the statement's plan reads an index.
  func uses(_ index: IndexSchema) -> Bool {
    let name = index.name.asciiLowercased
    return plan.nodes.contains { node in
      switch node.step {
      case .scan(_, let index?, _), .search(_, let index?, _, _): index.asciiLowercased == name
      default: false
      }
    }
  }

  /// Whether the statement demands an index, and so fails without the index.
  func demands(_ index: IndexSchema) -> Bool {
    shape?.resolved.sources.values.contains { $0.syntax.indexedBy?.key == index.name.asciiLowercased } ?? false
  }

  /// Whether the statement reads or writes a table.
  func concerns(_ table: String) -> Bool {
    guard let shape else { return false }
    let key = table.asciiLowercased
    switch shape.kind {
    case .insert(let name), .delete(let name), .update(let name, _): if name.asciiLowercased == key { return true }
    case .select: break
    }
    return shape.selectsWithViews.flatMap(\.sources).contains { $0.table?.asciiLowercased == key }
  }
}

extension DetectorContext {
  /// The size of an index in bytes: its pages times the page size.
  func bytes(of index: IndexSchema) -> Int64? { index.pages.map { $0 &* Int64(copy.header.pageSize) } }

  func dropping(_ index: IndexSchema) -> String { "DROP INDEX \(index.name.quotedIdentifier)" }

  /// The limit of dropping an index: a workload doesn't show all statements of an app.
  func limitOfDropping(_ index: IndexSchema, _ statements: [AnalyzedStatement]) -> String {
    let users = statements.count { $0.uses(index) }
    let measured =
      users == 0
      ? "No statement of the workload reads it"
      : "\(Figure.count(users, "statement")) of the workload that \(users == 1 ? "reads" : "read") it \(users == 1 ? "was" : "were") measured without it"
    return "\(measured). Statements that the workload doesn't show, and INDEXED BY, may need it."
  }

  /// The deletion of a hundred rows of a table, which must update each index of the table.
  func deletion(from table: TableSchema) -> String? {
    guard table.kind == .ordinary, !table.isWithoutRowID else { return nil }
    let name = table.name.quotedIdentifier
    return "DELETE FROM \(name) WHERE rowid IN (SELECT rowid FROM \(name) ORDER BY rowid LIMIT 100)"
  }
}
