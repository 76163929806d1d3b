@testable import SanderlingDiagnosis

extension StatementReport {
  /// A statement with measurements, for which no fix was tried. Without measurements, it counts as not measured.
  init(
    statement: WorkloadStatement, plan: QueryPlan, measurements: [NamedMeasurement] = [], hidden: [String] = []
  ) {
    self.init(
      statement: statement, plan: plan,
      state: measurements.isEmpty
        ? .notMeasured(reason: StatementWork.noTimeToMeasure) : .measured(measurements, .tried(0, isCutShort: false)),
      hidden: hidden)
  }
}

/// Hand-written reports for tests of the output.
enum SampleReport {
  /// A report on a to-do app's database with one finding of each severity, an index set, and skipped input.
  static var tasks: DiagnosisReport {
    DiagnosisReport(
      database: database, statements: [summaries, search], findings: [wrongResult, fanOut, scan, tried, setting],
      indexAdvice: advice,
      skipped: [SkippedInput(place: InputPlace(source: "app.log", line: 17), reason: "The line is longer than 1 MiB.")],
      notes: [
        "Cold is the first execution on a connection with an empty cache; the operating system's cache is not emptied.",
        "NSCoreDataStringSearch is the app's own function: a stand-in took its place.",
      ],
      elapsed: .milliseconds(3_240))
  }

  /// A report on a database that needs no improvement.
  static var fine: DiagnosisReport {
    DiagnosisReport(database: database, statements: [search], elapsed: .milliseconds(310))
  }

  /// A report with hostile names, logs and SQL, which try to break out of their place in each form of output.
  static var hostile: DiagnosisReport {
    let name = "a\u{1B}[2J\u{7}</script><script>alert(1)</script>\"'`|\u{202E}txt.\u{9B}31m``````\n</details>\n# @all"
    let finding = Finding(
      kind: .fullScan, severity: .error, statement: 1, node: 2, caller: name, title: name,
      explanation: name + "\n" + name,
      evidence: [Evidence(name: name, value: .nan, unit: name, formula: name)],
      fix: Fix(summary: name, sql: [name], grdb: name, sanderling: name, coreData: name),
      outcome: .proven([Comparison(bindings: name, before: measurement(ms: 1), after: measurement(ms: .zero))]),
      limits: [name])
    let statement = StatementReport(
      statement: WorkloadStatement(
        id: 1, fingerprint: name, sql: "SELECT 'secret'", operations: [name: 1], callers: [name: 2],
        places: [InputPlace(source: name, line: 1)]),
      plan: QueryPlan(roots: [
        PlanNode(id: 2, detail: name, step: .other, meaning: name, rows: .max, rowsRead: .min, share: .infinity)
      ]),
      measurements: [(name, measurement(ms: 1))], hidden: [name])
    var database = database
    (database.name, database.sqliteVersion, database.journalMode) = (name, name, name)
    return DiagnosisReport(
      database: database, statements: [statement], findings: [finding],
      indexAdvice: IndexAdvice(
        create: [IndexChange(name: name, table: name, sql: name, pages: .max, statements: [1])],
        gains: [], writeCost: .infinity, pages: .min, migrationSQL: [name], migrationGRDB: name,
        migrationSanderling: name, verdict: name),
      skipped: [SkippedInput(place: InputPlace(source: name, line: 3), reason: name)], notes: [name])
  }

  /// A report on many statements, with a finding for only one.
  static func workload(of count: Int) -> DiagnosisReport {
    let statements = (1...count).map { id in
      StatementReport(
        statement: WorkloadStatement(id: id, fingerprint: "SELECT c\(id) FROM t WHERE id = ?", sql: "SELECT 'secret'"),
        plan: QueryPlan(roots: [
          PlanNode(
            id: 1, detail: "SEARCH t USING INTEGER PRIMARY KEY (rowid=?)",
            step: .search(table: "t", index: nil, isCovering: false, terms: ["rowid=?"]),
            meaning: "Finds one row of t by its key.")
        ]),
        measurements: [("typical", measurement(ms: 1))])
    }
    var finding = scan
    finding.statement = count
    return DiagnosisReport(database: database, statements: statements, findings: [finding])
  }

  static let database = DatabaseSummary(
    name: "Tasks.sqlite", sqliteVersion: "3.40.1", bytes: 24_117_248, pageSize: 4096, journalMode: "delete", tables: 12,
    indexes: 9, analyzedIndexes: 0)

  static func measurement(ms: Double, steps: Int64 = 100, pages: Int64 = 10, isComplete: Bool = true)
    -> StatementMeasurement
  {
    StatementMeasurement(
      steps: steps, pages: pages, coldPages: pages / 2, warmTime: .microseconds(ms * 1_000),
      coldTime: .microseconds(ms * 1_500), rowsReturned: 1, isComplete: isComplete)
  }

  static let summaries = StatementReport(
    statement: WorkloadStatement(
      id: 1,
      fingerprint:
        "SELECT project.id, project.name, COUNT(DISTINCT done.id), COUNT(DISTINCT open.id), SUM(comment.size) FROM project "
        + "LEFT JOIN task AS done ON done.projectID = project.id AND done.isCompleted = ? "
        + "LEFT JOIN task AS open ON open.projectID = project.id AND open.isCompleted = ? "
        + "LEFT JOIN comment ON comment.projectID = project.id WHERE project.id = ? GROUP BY project.id",
      sql: "SELECT project.id FROM project WHERE project.name = 'secret'", count: 42,
      totalTime: .milliseconds(15_162), totalRows: 42, operations: ["ProjectList.load": 42], mostPerOperation: 3,
      callers: ["ProjectList.swift:81": 40, "Widget.swift:12": 2], bindings: [[1: .text("secret"), 3: .integer(18)]],
      places: [InputPlace(source: "app.log", line: 12)]),
    plan: QueryPlan(roots: [
      PlanNode(
        id: 8, detail: "SEARCH project USING INDEX sqlite_autoindex_project_1 (id=?)",
        step: .search(table: "project", index: "sqlite_autoindex_project_1", isCovering: false, terms: ["id=?"]),
        meaning: "Finds one row of project by its key.", rows: 1, rowsRead: 1, share: 0.0001),
      PlanNode(
        id: 14, detail: "SEARCH done USING INDEX task_projectID (projectID=?)",
        step: .search(table: "done", index: "task_projectID", isCovering: false, terms: ["projectID=?"]),
        meaning: "Finds the rows of task (as done) with the project's ID.", rows: 114, rowsRead: 395, share: 0.01),
      PlanNode(
        id: 22, detail: "SEARCH open USING INDEX task_projectID (projectID=?)",
        step: .search(table: "open", index: "task_projectID", isCovering: false, terms: ["projectID=?"]),
        meaning: "For each row so far, finds the rows of task (as open) with the project's ID.", rows: 32_034,
        rowsRead: 45_030, share: 0.21),
      PlanNode(
        id: 31, detail: "SEARCH comment USING INDEX comment_projectID (projectID=?)",
        step: .search(table: "comment", index: "comment_projectID", isCovering: false, terms: ["projectID=?"]),
        meaning: "For each row so far, finds the rows of comment with the project's ID.", rows: 128_136,
        rowsRead: 128_136, share: 0.7799),
    ]),
    measurements: [
      ("as logged", measurement(ms: 361, steps: 1_281_360, pages: 41_000)),
      ("worst", measurement(ms: 2_000, steps: 9_000_000, pages: 300_000, isComplete: false)),
    ])

  static let search = StatementReport(
    statement: WorkloadStatement(
      id: 2, fingerprint: "SELECT id, title FROM task WHERE projectID = ? ORDER BY dueDate LIMIT ?",
      sql: "SELECT id, title FROM task WHERE projectID = 'secret' ORDER BY dueDate LIMIT 50", count: 7),
    plan: QueryPlan(roots: [
      PlanNode(
        id: 3, detail: "CO-ROUTINE upcoming", step: .coroutine(name: "upcoming"), meaning: "Produces rows on demand.",
        children: [
          PlanNode(
            id: 5, detail: "SCAN task", step: .scan(table: "task", index: nil, isCovering: false),
            meaning: "Reads all rows of task.", rows: 281, rowsRead: 98_304, share: 0.93),
          PlanNode(
            id: 9, detail: "USE TEMP B-TREE FOR ORDER BY", step: .temporaryBTree(purpose: .orderBy),
            meaning: "Sorts what was found.", rows: 281, share: 0.07),
        ]),
      PlanNode(
        id: 20, detail: "SCAN upcoming", step: .scan(table: "upcoming", index: nil, isCovering: false),
        meaning: "Reads what the part above produces."),
    ]),
    measurements: [("typical", measurement(ms: 12.4, steps: 884_812, pages: 1_210))],
    hidden: ["OFFSET steps over 10,000 rows before the first one is returned."])

  static let wrongResult = Finding(
    kind: .multipliedAggregate, severity: .wrongResult, statement: 1, node: 31, caller: "ProjectList.swift:81",
    title: "sum(comment.size) is multiplied by 32,034: two joins to many repeat each comment",
    explanation: "Each comment occurs once for each pair of tasks. The sum counts it as often.",
    evidence: [Evidence(name: "factor", value: 32_034, unit: "", formula: "114 × 281")],
    outcome: .notMeasured(reason: "The finding is about the result, which the rewrite below corrects."))

  static let fanOut = Finding(
    kind: .joinFanOut, severity: .error, statement: 1, node: 31, caller: "ProjectList.swift:81",
    title: "Three joins to many make 128,136 rows for one project",
    explanation:
      "The joined tables have nothing to do with each other, so every done task is paired with every open one and every "
      + "comment. Count each of them in a subquery of its own.",
    evidence: [
      Evidence(name: "intermediate rows", value: 128_136, unit: "rows", formula: "114 × 281 × 4"),
      Evidence(name: "rows needed", value: 399, unit: "rows", formula: "114 + 281 + 4"),
      Evidence(name: "rows returned", value: 1, unit: "rows"),
    ],
    fix: Fix(
      summary: "Count in subqueries",
      sql: [
        "SELECT project.id, project.name, (SELECT COUNT(*) FROM task WHERE task.projectID = project.id AND isCompleted = 1), "
          + "(SELECT SUM(size) FROM comment WHERE comment.projectID = project.id) FROM project WHERE project.id = ?"
      ],
      grdb: "Project.annotated(with: Task.filter(sql: \"projectID = project.id\").select(count(Column(\"id\"))))",
      sanderling: "Project.query.with { $0.tasks.count }"),
    outcome: .proven([
      Comparison(
        bindings: "as logged", before: measurement(ms: 361, steps: 1_281_360, pages: 41_000),
        after: measurement(ms: 0.18, steps: 2_480, pages: 12)),
      Comparison(
        bindings: "worst", before: measurement(ms: 2_000, steps: 9_000_000, pages: 300_000, isComplete: false),
        after: measurement(ms: 0.31, steps: 4_960, pages: 24)),
    ]))

  static let scan = Finding(
    kind: .fullScan, severity: .warning, statement: 2, node: 5,
    title: "task is read in full, 98,304 rows, to return 50", explanation: "No index serves projectID and dueDate.",
    evidence: [Evidence(name: "rows read to rows returned", value: 1966.08, unit: "")],
    fix: Fix(
      summary: "Index task by project and date",
      sql: ["CREATE INDEX task_projectID_dueDate ON task (projectID, dueDate)"]),
    outcome: .proven([
      Comparison(
        bindings: "typical", before: measurement(ms: 12.4, steps: 884_812, pages: 1_210),
        after: measurement(ms: 0.06, steps: 512, pages: 8))
    ]),
    limits: ["Values were sampled from the data: the log has none."])

  static let tried = Finding(
    kind: .missingStatistics, severity: .note, title: "ANALYZE never ran",
    explanation: "The planner guesses how many rows an index leads to.",
    fix: Fix(summary: "Run ANALYZE", sql: ["ANALYZE"]),
    outcome: .triedNotBetter([
      Comparison(
        bindings: "typical", before: measurement(ms: 12.4, steps: 884_812, pages: 1_210),
        after: measurement(ms: 12.6, steps: 884_812, pages: 1_210))
    ]))

  static let setting = Finding(
    kind: .journalMode, severity: .note, title: "The journal mode is delete: readers wait for writers",
    explanation: "With write-ahead logging they don't, and commits are synchronized less often.",
    fix: Fix(summary: "Use write-ahead logging", sql: ["PRAGMA journal_mode = WAL"], grdb: "DatabasePool(path: path)"),
    outcome: .notMeasured(reason: "It matters for connections that work at the same time."))

  static let advice = IndexAdvice(
    create: [
      IndexChange(
        name: "task_projectID_dueDate", table: "task",
        sql: "CREATE INDEX task_projectID_dueDate ON task (projectID, dueDate)", pages: 412, statements: [2])
    ],
    drop: [
      IndexChange(
        name: "task_projectID", table: "task", sql: "DROP INDEX task_projectID", pages: 280, statements: [])
    ],
    gains: [
      StatementGain(
        statement: 2,
        comparison: Comparison(
          bindings: "typical", before: measurement(ms: 12.4, steps: 884_812, pages: 1_210),
          after: measurement(ms: 0.06, steps: 512, pages: 8)))
    ],
    writeCost: 1.04, pages: 132,
    migrationSQL: [
      "CREATE INDEX task_projectID_dueDate ON task (projectID, dueDate)", "DROP INDEX task_projectID",
    ],
    migrationGRDB:
      "try db.create(index: \"task_projectID_dueDate\", on: \"task\", columns: [\"projectID\", \"dueDate\"])",
    migrationSanderling: "@Record(indexes: [.on(\\.projectID, \\.dueDate)])",
    verdict: "One index in place of another serves both statements.")
}
