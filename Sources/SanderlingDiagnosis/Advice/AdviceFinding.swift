import SanderlingTerminal

/// Makes findings from the advice for a statement.
struct AdviceFinding {
  let advice: StatementAdvice
  let analyzed: AnalyzedStatement
  let names: IndexNames

  /// The proven finding; without one, the first rejected index.
  var findings: [Finding] {
    var findings: [Finding] = []
    if let kind = advice.kind, !advice.sql.isEmpty { findings.append(proven(kind)) }
    if advice.sql.isEmpty {
      for rejected in advice.rejected.prefix(1) { findings.append(notBetter(rejected)) }
    }
    return findings
  }

  private func proven(_ kind: FindingKind) -> Finding {
    let outcome = Finding.Outcome.proven(advice.comparisons)
    return Finding(
      kind: kind, severity: outcome.severity, statement: analyzed.statement.id, node: advice.node,
      caller: analyzed.statement.callers.max { $0.value < $1.value }?.key, title: title(kind),
      explanation: explanation(kind), evidence: evidence, fix: fix, outcome: outcome,
      limits: advice.limits)
  }

  private func notBetter(_ rejected: StatementAdvice.Rejected) -> Finding {
    Finding(
      kind: .fullScan, severity: .note, statement: analyzed.statement.id, title: "An index was tried and is not better",
      explanation: rejected.reason, evidence: evidence,
      fix: Fix(summary: "An index that SQLite would use", sql: rejected.sql),
      outcome: .triedNotBetter(rejected.comparisons))
  }

  // MARK: Words

  private var table: String {
    let sources = analyzed.shape?.selectsWithViews.flatMap(\.sources) ?? []
    // Query plans call tables by their aliases, which mean little in a title.
    func table(_ name: String) -> String {
      sources.first { $0.name.asciiLowercased == name.asciiLowercased }?.table ?? name
    }
    let nodes = advice.planBefore.nodes
    if let name = nodes.first(where: { $0.id == advice.node })?.step.table { return table(name) }
    // A sort has no table of its own. Its table is one of the tables of its sibling nodes.
    let siblings =
      nodes.first { parent in parent.children.contains { $0.id == advice.node } }?.children ?? advice.planBefore.roots
    let sorted = siblings.compactMap(\.step.table).map(table)
    if let name = sorted.first(where: { name in advice.candidates.contains { $0.table == name } }) { return name }
    return advice.candidates.first?.table ?? "the table"
  }

  /// Whether a trigger needs the index, and not the statement itself.
  private var isOfTrigger: Bool {
    advice.node == nil && advice.candidates.contains { $0.purposes.contains(.trigger) }
  }

  private var worst: StatementMeasurement? {
    advice.comparisons.map(\.before).max { $0.steps < $1.steps } ?? analyzed.measurements.max { $0.steps < $1.steps }
  }

  private var readAndReturned: String {
    guard let worst else { return "reads more than it has to" }
    // A stopped execution would have read and returned more rows.
    guard worst.isComplete else {
      return worst.scannedRows > 0
        ? "reads \(Figure.count(worst.rowsOfScans, "row")) and doesn't end in its time"
        : "takes \(Figure.count(worst.steps, "step")) and doesn't end in its time"
    }
    let purpose = "to \(analyzed.isWrite ? "change" : "return") \(Figure.count(worst.rowsReturned, "row"))"
    if worst.scannedRows > 0, worst.rowsOfScans > worst.rowsReturned {
      return "reads \(Figure.count(worst.rowsOfScans, "row")) \(purpose)"
    }
    return "takes \(Figure.count(worst.steps, "step")) \(purpose)"
  }

  private func title(_ kind: FindingKind) -> String {
    switch kind {
    case .sortWithoutIndex: "\(readAndReturned.capitalizedFirst): \(table) is sorted for ORDER BY"
    case .groupWithoutIndex: "\(readAndReturned.capitalizedFirst): \(table) is sorted for GROUP BY"
    case .distinctWithoutIndex: "\(readAndReturned.capitalizedFirst): \(table) is gone through for DISTINCT"
    case .indexNotCovering: "\(readAndReturned.capitalizedFirst): each entry of an index is looked up in \(table)"
    case .partialIndex: "\(readAndReturned.capitalizedFirst): a partial index of \(table) holds just these"
    case .expressionIndex, .functionOnColumn:
      "\(readAndReturned.capitalizedFirst): \(table) is compared by an expression"
    case .orWithoutIndex: "\(readAndReturned.capitalizedFirst): not every branch of an OR on \(table) has an index"
    case .patternWithoutIndex: "\(readAndReturned.capitalizedFirst): a pattern on \(table) has no index"
    case .caseInsensitiveWithoutIndex: "\(readAndReturned.capitalizedFirst): no index of \(table) ignores case"
    case .automaticIndex: "SQLite indexes \(table) anew at each execution"
    case .subqueryPerRow: "\(readAndReturned.capitalizedFirst): a subquery on \(table) runs for each row around it"
    case .wideRowsForCount: "All that \(table) holds is read to count its rows"
    case .slowForeignKey: "Deleting a parent looks through all of \(table) for its children"
    case .harmfulIndex: "An index leads to a worse plan: the statement \(readAndReturned)"
    case .missingStatistics: "Without statistics a worse plan is chosen: the statement \(readAndReturned)"
    case .staleStatistics: "Old statistics lead to a worse plan: the statement \(readAndReturned)"
    case .fullScan where isOfTrigger: "A trigger looks through \(table) for each row that is written"
    default: "\(readAndReturned.capitalizedFirst): no index of \(table) serves it"
    }
  }

  private func explanation(_ kind: FindingKind) -> String {
    let reason =
      switch kind {
      case .sortWithoutIndex:
        "All rows that pass the conditions are sorted before the first is returned. One index that has the columns of the "
          + "conditions first and those of the order next gives them sorted, and a LIMIT ends the search early."
      case .groupWithoutIndex:
        "Rows come in no order, so they are sorted into groups first. An index gives them by group."
      case .distinctWithoutIndex:
        "Each row is compared with all different ones so far. An index gives equal ones side by side."
      case .indexNotCovering:
        "The index that is read finds more rows than are wanted, or lacks columns that are read, so that each of its entries is "
          + "looked up in the table. An index with all compared and read columns makes that unnecessary."
      case .partialIndex:
        "Few rows satisfy a condition that is always the same. An index of those alone is small and serves the statement."
      case .expressionIndex, .functionOnColumn:
        "An index of the column doesn't serve an expression of it; an index of the expression does."
      case .orWithoutIndex: "SQLite uses indexes for an OR only when each of its branches has one."
      case .patternWithoutIndex:
        "LIKE ignores the case of ASCII letters and needs an index with COLLATE NOCASE; GLOB needs one with BINARY."
      case .caseInsensitiveWithoutIndex: "A comparison that ignores case needs an index that does, too."
      case .automaticIndex:
        "No index serves the join, so SQLite makes one for the execution and throws it away. A lasting one costs that once."
      case .subqueryPerRow: "The subquery runs once for each row of the query around it, and reads its table each time."
      case .wideRowsForCount:
        "SQLite counts rows in the smallest index that has them all. Without one that is the table, with all that its rows carry."
      case .slowForeignKey: "For each deleted row SQLite looks for rows that refer to it, which takes an index."
      case .harmfulIndex: "SQLite prefers the index to a better way."
      case .missingStatistics, .staleStatistics:
        "ANALYZE counts how many rows share a value; SQLite chooses between indexes by these counts."
      case .fullScan where isOfTrigger:
        "A trigger's statements run once for each row that the statement writes, and no plan shows their reads. An index "
          + "finds their rows."
      default: "Every row is read, and most are thrown away. An index finds those that are asked for."
      }
    return reason + (advice.verdict.isEmpty ? "" : " \(advice.verdict)")
  }

  private var evidence: [Evidence] {
    guard let worst else { return [] }
    let name = worst.isComplete ? "rows returned" : "rows returned until the budget ended"
    var evidence = [Evidence(name: name, value: Double(worst.rowsReturned), unit: "rows")]
    if worst.scannedRows > 0 {
      evidence.insert(Evidence(name: "rows scanned", value: Double(worst.rowsOfScans), unit: "rows"), at: 0)
    }
    evidence.append(Evidence(name: "steps", value: Double(worst.steps), unit: "steps"))
    evidence.append(Evidence(name: "pages", value: Double(worst.pages), unit: "pages"))
    for index in advice.indexes {
      evidence.append(Evidence(name: "size of \(index.name)", value: Double(index.pages), unit: "pages"))
    }
    return evidence
  }

  private var fix: Fix {
    let texts = advice.candidates.map { IndexFixText(index: $0, name: names.name(of: $0)) }
    guard !texts.isEmpty else {
      let sql = advice.sql.joined(separator: "; ")
      return Fix(
        summary: advice.sql.first == "ANALYZE" ? "Make statistics with ANALYZE" : "Drop the index", sql: advice.sql,
        grdb: "try db.execute(sql: #\"\(sql)\"#)")
    }
    return Fix(indexes: texts, sql: advice.sql)
  }
}

extension Fix {
  /// Makes indexes by SQL, which may also contain ANALYZE.
  init(indexes texts: [IndexFixText], sql: [String]) {
    let summary = texts.map {
      "\($0.index.table) by " + $0.index.keys.map { $0.column ?? $0.sql }.joined(separator: ", ")
    }.joined(separator: "; ")
    let coreData = texts.compactMap(\.coreData)
    self.init(
      summary: "Index \(summary)", sql: sql, grdb: texts.map(\.grdb).joined(separator: "\n"),
      sanderling: texts.map(\.sanderling).joined(separator: "\n"),
      coreData: coreData.isEmpty ? nil : coreData.joined(separator: "\n"))
  }
}
