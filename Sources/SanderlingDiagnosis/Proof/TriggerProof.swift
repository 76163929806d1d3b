/// Tests whether an update with less frequent triggers leaves the same content in all tables that the triggers write.
///
/// Small databases are filled while their triggers fire, and the triggers' tables are brought up to date. Then the
/// update runs with both versions of the triggers. All written tables and the indexes of full-text tables are compared.
struct TriggerProof {
  let context: DetectorContext
  let analyzed: AnalyzedStatement
  let table: TableSchema
  /// The columns of the row that the triggers read.
  let columns: [String]
  /// The tables that the triggers write.
  let written: [TableSchema]
  /// The statements that recreate the triggers.
  let fix: [String]

  /// Tests both versions of the triggers. Throws `DiagnosisError` if the diagnosis was cancelled or the schema can't be
  /// copied. O(1) small tables.
  func verdict() throws -> RewriteProof.Verdict {
    guard let statement = updatedRows else {
      return .untried(
        "The rows that the update changes could not be found.", FormProof(comparisons: 0, comparisonsWithRows: 0))
    }
    let adversary = AdversarialCopy(copy: context.copy, schema: context.schema, firesTriggers: true)
    let connection = try adversary.connection()
    var proof = RewriteProof(context: context, statement: statement, samples: analyzed.samples, adversary: adversary)
    proof.otherTables = written.filter { $0.kind == .ordinary && $0.name != table.name }
    let usual = analyzed.samples.first?.values ?? [:]
    return try proof.verdict { values, deadline in
      try connection.limited(to: StatementBudget(deadline: deadline, steps: 2_000_000)) {
        try connection.undoing { try look(values.merging(usual) { made, _ in made }, connection) }
      }
    }
  }

  /// A SELECT of the rows that the update changes.
  private var updatedRows: MovableStatement? {
    var selection = analyzed
    selection.statement.sql =
      ConditionalWrite(analyzed, context.schema)?.selection ?? "SELECT * FROM \(table.name.quotedIdentifier)"
    // The update has a condition that could not be read, so its rows are unknown.
    if selection.sql.hasPrefix("SELECT *"), case .update(let update)? = analyzed.tree?.kind, update.condition != nil {
      return nil
    }
    selection.shape = try? ShapeReader.shape(of: selection.sql, in: context.schema.description)
    return MovableStatement(selection, schema: context.schema)
  }

  /// Compares both versions; nil if the update fails, or if the triggers' tables can't be read.
  private func look(
    _ values: [Int: BoundValue], _ connection: SQLiteConnection
  ) throws -> StatementComparison.Result? {
    let before: State
    do {
      try settle(connection)
      before = try state(after: [], values, connection)
    } catch DiagnosisError.statement, DiagnosisError.corrupt, DiagnosisError.notAllowed {
      return nil
    } catch DiagnosisError.stopped(let reason) where reason != .cancelled {
      return nil
    }
    do {
      let other = try state(after: fix, values, connection)
      return StatementComparison.Result(isDifferent: other != before, hasRows: before.changedRows > 0)
    } catch DiagnosisError.statement {
      return StatementComparison.Result(isDifferent: true, hasRows: true)
    } catch DiagnosisError.stopped(let reason) where reason != .cancelled {
      return nil
    }
  }

  /// Brings the tables that the triggers write up to date. The text of the fix says that other writers may have left
  /// different content in these tables.
  private func settle(_ connection: SQLiteConnection) throws {
    for table in written where table.isFullText {
      let name = table.name.quotedIdentifier
      try connection.run("INSERT INTO \(name) (\(name)) VALUES ('rebuild')")
    }
    guard let column = columns.first.map(\.quotedIdentifier) else { return }
    try connection.run("UPDATE \(table.name.quotedIdentifier) SET \(column) = \(column)")
  }

  private struct State: Equatable {
    var changedRows: Int64
    var contents: [[[BoundValue]: Int]]
  }

  private func state(
    after changes: [String], _ values: [Int: BoundValue], _ connection: SQLiteConnection
  ) throws -> State {
    try connection.undoing {
      for sql in changes { try connection.run(sql) }
      let update = try connection.prepareReadingOrWriting(analyzed.sql)
      try update.bind(values)
      while try update.step() {}
      var state = State(changedRows: connection.changedRows, contents: [])
      for table in written {
        state.contents.append(Self.counted(try connection.rows("SELECT * FROM \(table.name.quotedIdentifier)")))
        // A full-text table may store no texts and read them from another table. Equal texts then don't show equal
        // indexes, so the index is compared, too.
        guard let index = Self.index(of: table) else { continue }
        try connection.run("CREATE VIRTUAL TABLE temp.\"sanderling words\" USING \(index)")
        state.contents.append(Self.counted(try connection.rows("SELECT * FROM temp.\"sanderling words\"")))
        try connection.run("DROP TABLE temp.\"sanderling words\"")
      }
      return state
    }
  }

  private static func counted(_ rows: [[BoundValue]]) -> [[BoundValue]: Int] {
    rows.reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }

  /// Returns the definition of a virtual table that lists the words in the index of a full-text table:
  /// https://www.sqlite.org/fts5.html#the_fts5vocab_virtual_table_module
  private static func index(of table: TableSchema) -> String? {
    guard case .virtual(let module) = table.kind else { return nil }
    let name = table.name.quotedIdentifier
    return switch module.asciiLowercased {
    case "fts5": "fts5vocab(main, \(name), instance)"
    case "fts3", "fts4": "fts4aux(main, \(name))"
    default: nil
    }
  }
}
