import SanderlingSQL
import SanderlingTerminal

/// Finds searches for a part of a text. No ordinary index finds such parts.
struct TextSearchDetector: FindingDetector {
  static let leastRows: Int64 = 2_000
  /// The least cost of a search by an index for which its patterns take most of the time.
  static let leastWork = 100_000.0
  /// A full-text table is proposed only if the search with it takes less than this share of the work. The table needs
  /// space, and time with each write.
  static let mostShare = 0.3

  func findings(for analyzed: AnalyzedStatement, in context: DetectorContext) throws -> [Finding] {
    guard let shape = analyzed.shape, let most = analyzed.measurements.max(by: { $0.work < $1.work }) else { return [] }
    var findings = try alternatives(shape, most, analyzed, context)
    guard most.scannedRows >= Self.leastRows || !most.isComplete else { return findings }
    for source in shape.selects.flatMap(\.sources) {
      guard let table = source.table.flatMap(context.schema.table), table.kind == .ordinary,
        let rows = table.rowCount, rows >= Self.leastRows, let node = place(of: source, analyzed.plan)
      else { continue }
      for term in source.terms {
        guard let column = term.columns.first else { continue }
        if case .pattern(let name, let prefix) = term.kind, name == "LIKE" || name == "GLOB",
          beginsWithWildcard(term, prefix, shape, analyzed)
        {
          let existing = term.columns.count == 1 ? context.schema.fullTextTable(of: column, in: table) : nil
          var finding = pattern(
            name, term.columns, table, existing, node, most, analyzed, context.schema,
            hasIndex: !(context.advice?.candidates ?? []).isEmpty, isComputed: term.columns.count > 1)
          if existing == nil, term.columns.count == 1 {
            try prove(&finding, term.columns, term.range, source, table, analyzed, context)
          }
          findings.append(finding)
        } else if term.columns.count == 1, let function = appFunction(in: term, shape) {
          findings.append(appSearch(function, column, table, node, most, analyzed))
        }
      }
    }
    return findings
  }

  /// Finds searches in one of several texts, whichever index finds the searched rows.
  private func alternatives(
    _ shape: QueryShape, _ most: StatementMeasurement, _ analyzed: AnalyzedStatement, _ context: DetectorContext
  ) throws -> [Finding] {
    guard !most.isComplete || most.work > Self.leastWork else { return [] }
    for source in shape.selects.flatMap(\.sources) {
      guard let table = source.table.flatMap(context.schema.table), table.kind == .ordinary,
        let rows = table.rowCount, rows >= Self.leastRows, let node = place(of: source, analyzed.plan, orSearched: true)
      else { continue }
      for alternatives in source.alternatives where alternatives.isOfOneSource && alternatives.branches.count > 1 {
        let terms = alternatives.branches.compactMap { branch in
          branch.first { term in
            guard case .pattern("LIKE", let prefix) = term.kind, term.columns.count == 1 else { return false }
            return beginsWithWildcard(term, prefix, shape, analyzed)
          }
        }
        let columns = terms.flatMap(\.columns)
        guard terms.count == alternatives.branches.count, Set(columns).count == columns.count else { continue }
        let existing = context.schema.fullTextTable(of: columns[0], in: table)
          .flatMap { search in columns.allSatisfy { search.column($0) != nil } ? search : nil }
        var finding = pattern(
          "LIKE", columns, table, existing, node, most, analyzed, context.schema,
          hasIndex: !(context.advice?.candidates ?? []).isEmpty)
        if existing == nil {
          try prove(&finding, columns, alternatives.range, source, table, analyzed, context)
        }
        return [finding]
      }
    }
    return []
  }

  /// Makes the full-text table on the copy, and measures the statement that searches it.
  private func prove(
    _ finding: inout Finding, _ columns: [String], _ range: Range<Int>, _ source: SourceShape, _ table: TableSchema,
    _ analyzed: AnalyzedStatement, _ context: DetectorContext
  ) throws {
    guard let statement = MovableStatement(analyzed, schema: context.schema),
      let search = TrigramTable(of: columns, in: table, context.schema),
      let condition = statement.condition(over: range, of: analyzed),
      let form = search.search(condition, of: source.id, in: statement)
    else { return }
    let fix = search.fix(asking: context.shown(form))
    // One fix suffices. An index that helps without a change of code comes first.
    if finding.fix != nil { finding.fix = fix }
    let trial = RewriteTrial(context: context, analyzed: analyzed, statement: statement)
    do {
      // Making the table may take longer than the remaining time.
      let result = try context.unlessStopped {
        try Trial(connection: context.connection).run(search.creation, authority: .own) {
          try trial.returnsSameRows(form) ? trial.measured(form) : nil
        }
      }
      guard let result, var measured = result.value, measured.isBetter,
        measured.comparisons.workAfter < Self.mostShare * measured.comparisons.workBefore
      else { return }
      let verdict = try trial.verdict(on: form, preparing: search.creation)
      let harm = try context.harmVerdict(on: analyzed, as: form, changes: search.creation, authority: .own)
      if verdict == .different || harm.isHarmful { return }
      measured.note(verdict)
      finding.formProof = measured.proof
      finding.outcome = measured.outcome
      guard measured.doubt == nil else { return }
      finding.fix = fix
      finding.severity = measured.outcome.severity
      if let limit = harm.limit { finding.limits.append(limit) }
      finding.limits.append(
        "The full-text table takes \(Figure.bytes(result.pages * Int64(context.copy.header.pageSize))), and each write of a text keeps it up to "
          + "date. It finds texts of three letters and more: shorter ones are looked for in all rows, as now.")
      if table.rowIDAlias == nil {
        finding.limits.append(
          "\(table.name) has no INTEGER PRIMARY KEY, so that VACUUM may number its rows anew: rebuild the full-text table after it."
        )
      }
    } catch DiagnosisError.statement {
      // This build of SQLite lacks FTS5 or the tokenizer.
      return
    }
  }

  /// The place at which a plan reads a source by a scan, or also by a search if that is allowed.
  private func place(of source: SourceShape, _ plan: QueryPlan, orSearched: Bool = false) -> Int? {
    let names = Set([source.name, source.table ?? ""].map(\.asciiLowercased))
    return plan.nodes.first { node in
      switch node.step {
      case .scan(let table, _, _): names.contains(table.asciiLowercased)
      case .search(let table, _, _, _): orSearched && names.contains(table.asciiLowercased)
      default: false
      }
    }?.id
  }

  /// Whether any text may come before the searched text.
  private func beginsWithWildcard(
    _ term: TermShape, _ prefix: String?, _ shape: QueryShape, _ analyzed: AnalyzedStatement
  ) -> Bool {
    if let prefix { return prefix.isEmpty }
    if case .parameter(let number) = term.value {
      return analyzed.statement.bindings.contains { values in
        guard case .text(let pattern)? = values[number] else { return false }
        return pattern.hasPrefix("%") || pattern.hasPrefix("*")
      }
    }
    // A pattern such as `'%' || ? || '%'`.
    let written = shape.text[term.range]
    return written.contains("'%' ||") || written.contains("'%'||") || written.contains("'*' ||")
  }

  /// The name of a search function that exists only in the app's process; nil if the term calls none.
  private func appFunction(in term: TermShape, _ shape: QueryShape) -> String? {
    let text = SQLText(shape.text[term.range])
    return SQLTokenizer(text).lazy.filter { $0.kind == .word }.map { text[$0.range] }
      .first { $0.asciiLowercased.hasPrefix("nscoredata") }
  }

  private func evidence(_ table: TableSchema, _ measurement: StatementMeasurement) -> [Evidence] {
    [
      Evidence(name: "rows searched", value: Double(table.rowCount ?? 0), unit: "rows"),
      Evidence(name: "rows returned", value: Double(measurement.rowsReturned), unit: "rows"),
      Evidence(name: "warm time", value: Figure.milliseconds(measurement.warmTime) / 1_000, unit: "s"),
    ]
  }

  private func pattern(
    _ name: String, _ columns: [String], _ table: TableSchema, _ existing: TableSchema?, _ node: Int,
    _ measurement: StatementMeasurement, _ analyzed: AnalyzedStatement, _ schema: DatabaseSchema, hasIndex: Bool,
    isComputed: Bool = false
  ) -> Finding {
    let (quoted, column) = (columns.map { $0.quotedIdentifier }, columns.joined(separator: ", "))
    let condition =
      quoted.count == 1 ? "\(quoted[0]) \(name) ?" : quoted.map { "\($0) \(name) ?1" }.joined(separator: " OR ")
    let made = existing == nil && !isComputed ? TrigramTable(of: columns, in: table, schema) : nil
    let search = made?.name ?? (existing?.name ?? table.name + "_search").quotedIdentifier
    let key = table.rowIDAlias ?? "rowid"
    let question =
      "SELECT * FROM \(table.name.quotedIdentifier) WHERE \(FanOutSQL.name(key)) IN "
      + "(SELECT rowid FROM \(search) WHERE "
    // A full-text table with the tokenizer `trigram` answers LIKE and GLOB with the rules of these operators.
    if let existing, existing.hasTrigrams {
      return found(
        existing, "ask it for the rows.", name, table, node, measurement, analyzed,
        fix: Fix(summary: "Search \(existing.name)", sql: ["\(question)\(condition))"]),
        reason: "The same as long as the full-text table is kept up to date, and the text has three letters or more.")
    }
    // A search for words and their beginnings has other results, so it is no fix of the statement.
    if let existing {
      return found(
        existing, "where words and their beginnings are meant, ask it for the rows: \(question)\(search) MATCH ?)",
        name,
        table, node, measurement, analyzed, fix: nil,
        reason: "A full-text search finds words and their beginnings, so that results are not the same.")
    }
    return Finding(
      kind: .patternWithoutIndex, severity: .note, statement: analyzed.statement.id, node: node,
      caller: analyzed.caller,
      title: "\(name) with a wildcard in front searches all \(Figure.count(table.rowCount ?? 0)) rows of \(table.name)",
      explanation:
        "An index holds texts by their beginnings, so that it can't find parts within them. A full-text "
        + "table finds "
        + "words, or with the tokenizer `trigram` (SQLite 3.34) any three and more letters. It is a table of "
        + "its own: keep it "
        + "up to date with triggers. INSERT OR REPLACE tells no trigger of the row that it replaces: use an upsert. With `trigram` it answers \(name) by itself; words are found by MATCH, with rules of their "
        + "own.",
      evidence: evidence(table, measurement),
      // One fix suffices. An index that helps without a change of code comes first.
      fix: hasIndex ? nil : made?.fix(asking: "\(question)\(condition))"),
      outcome: .notMeasured(
        reason: hasIndex
          ? "An index makes the statement cheaper as it is."
          : isComputed
            ? "A full-text table has to hold the text that is computed of \(column), which triggers keep up to date."
            : "The same as long as the full-text table is kept up to date, and the text has three letters or more."),
      limits: analyzed.limits)
  }

  /// The finding that a full-text table exists but the statement doesn't search it.
  private func found(
    _ existing: TableSchema, _ request: String, _ name: String, _ table: TableSchema, _ node: Int,
    _ measurement: StatementMeasurement, _ analyzed: AnalyzedStatement, fix: Fix?, reason: String
  ) -> Finding {
    Finding(
      kind: .patternWithoutIndex, severity: .note, statement: analyzed.statement.id, node: node,
      caller: analyzed.caller,
      title:
        "\(name) searches all \(Figure.count(table.rowCount ?? 0)) rows of \(table.name), and \(existing.name) has "
        + "them indexed",
      explanation:
        "An index holds texts by their beginnings, so that it can't find parts within them. The full-text table "
        + "\(existing.name) is made of the same texts: \(request)",
      evidence: evidence(table, measurement), fix: fix, outcome: .notMeasured(reason: reason),
      limits: analyzed.limits)
  }

  private func appSearch(
    _ function: String, _ column: String, _ table: TableSchema, _ node: Int, _ measurement: StatementMeasurement,
    _ analyzed: AnalyzedStatement
  ) -> Finding {
    Finding(
      kind: .functionOnColumn, severity: .warning, statement: analyzed.statement.id, node: node,
      caller: analyzed.caller,
      title:
        "\(function) compares all \(Figure.count(table.rowCount ?? 0)) rows of \(table.name) by the app's own code",
      explanation:
        "Core Data writes comparisons with [c] and [d] as calls of a function, which no index can hold: every "
        + "text is read "
        + "and compared one by one. Keep a second attribute with the text in small letters and without accents, "
        + "written "
        + "when the text is, index it, and compare it with the search text made alike.",
      evidence: evidence(table, measurement),
      fix: Fix(
        summary: "Compare a normalized attribute with an index", sql: [],
        coreData:
          "Add an attribute `\(FanOutNames.member(column.lowercased()))Normalized` with a fetch index, set it in "
          + "willSave, and use `==` or `BEGINSWITH[n]` on it."),
      outcome: .notMeasured(reason: "The normalized attribute does not exist yet."), limits: analyzed.limits)
  }
}

extension DatabaseSchema {
  /// The full-text table that names a table's column as its content.
  fileprivate func fullTextTable(of column: String, in table: TableSchema) -> TableSchema? {
    let content = "content=\(table.name.asciiLowercased)"
    return tables.first { other in
      guard case .virtual(let module) = other.kind, module.asciiLowercased.hasPrefix("fts"),
        other.column(column) != nil
      else { return false }
      let options = other.sql.asciiLowercased.filter { !$0.isWhitespace && !"'\"`[]".contains($0) }
      return options.contains(content + ",") || options.contains(content + ")")
    }
  }
}

extension TableSchema {
  fileprivate var hasTrigrams: Bool { sql.asciiLowercased.contains("trigram") }
}
