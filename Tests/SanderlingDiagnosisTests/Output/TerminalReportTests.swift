import Testing

@testable import SanderlingDiagnosis

struct TerminalReportTests {
  @Test func listsFindingsInOrderAndDescribesEach() {
    var report = SampleReport.tasks
    report.findings = [SampleReport.fanOut, SampleReport.tried, SampleReport.setting]
    report.statements = [SampleReport.summaries]
    #expect(
      TerminalReport(report, width: 90, isVerbose: true).text == #"""
        Tasks.sqlite
        SQLite 3.40.1, 24.1 MB, pages of 4,096 bytes, journal mode delete, 12 tables, 9 indexes,
        no statistics

        error    ≥ 6,452×  S1  Three joins to many make 128,136 rows for one project
        note   not better      ANALYZE never ran
        note            –      The journal mode is delete: readers wait for writers

        1. Three joins to many make 128,136 rows for one project ─────────────────────────────────
          error · join-fan-out · S1 · ProjectList.swift:81
          at SEARCH comment USING INDEX comment_projectID (projectID=?)

          The joined tables have nothing to do with each other, so every done task is paired with
          every open one and every comment. Count each of them in a subquery of its own.

            intermediate rows  128,136 rows  114 × 281 × 4
            rows needed            399 rows  114 + 281 + 4
            rows returned             1 row

          Fix: Count in subqueries
              SELECT project.id, project.name,
                (SELECT COUNT(*) FROM task WHERE task.projectID = project.id AND isCompleted = 1),
                (SELECT SUM(size) FROM comment WHERE comment.projectID = project.id)
              FROM project
              WHERE project.id = ?
            GRDB
              Project.annotated(with: Task.filter(sql: "projectID = project.id").select(count(Column("id"))))
            Sanderling
              Project.query.with { $0.tasks.count }

          Measured on a copy:
                                        before    after       gain
            as logged  warm time        361 ms  0.18 ms     2,006×
                       cold time        542 ms  0.27 ms     2,006×
                       steps         1,281,360    2,480       517×
                       pages            41,000       12     3,417×
                       cold pages       20,500        6     3,417×
            worst      warm time       ≥ 2.0 s  0.31 ms   ≥ 6,452×
                       cold time       ≥ 3.0 s  0.47 ms   ≥ 6,452×
                       steps       ≥ 9,000,000    4,960   ≥ 1,815×
                       pages         ≥ 300,000       24  ≥ 12,500×
                       cold pages    ≥ 150,000       12  ≥ 12,500×

        2. ANALYZE never ran ─────────────────────────────────────────────────────────────────────
          note · missing-statistics

          The planner guesses how many rows an index leads to.

          Tried: Run ANALYZE
              ANALYZE

          Tried, not better:
                                  before    after  gain
            typical  warm time   12.4 ms  12.6 ms  +2 %
                     cold time   18.6 ms  18.9 ms  +2 %
                     steps       884,812  884,812  ±0 %
                     pages         1,210    1,210  ±0 %
                     cold pages      605      605  ±0 %

        3. The journal mode is delete: readers wait for writers ──────────────────────────────────
          note · journal-mode

          With write-ahead logging they don't, and commits are synchronized less often.

          Fix: Use write-ahead logging
              PRAGMA journal_mode = WAL
            GRDB
              DatabasePool(path: path)

          Not measured: It matters for connections that work at the same time.

        S1 ───────────────────────────────────────────────────────────────────────────────────────
          42 times · 15.2 s in all · 42 rows · up to 3 per operation · in ProjectList.load (42×) ·
          from ProjectList.swift:81 (40×) · from Widget.swift:12 (2×) · app.log:12
              SELECT project.id, project.name, COUNT(DISTINCT done.id), COUNT(DISTINCT open.id),
                SUM(comment.size)
              FROM project
              LEFT JOIN task AS done ON done.projectID = project.id AND done.isCompleted = ?
              LEFT JOIN task AS open ON open.projectID = project.id AND open.isCompleted = ?
              LEFT JOIN comment ON comment.projectID = project.id
              WHERE project.id = ?
              GROUP BY project.id
          It was stopped before its end, after 2.0 s; one fix is proven.
          as logged: 361 ms warm, 542 ms cold, 1,281,360 steps, 41,000 pages, 1 row returned
          worst: ≥ 2.0 s warm, ≥ 3.0 s cold, ≥ 9,000,000 steps, ≥ 300,000 pages, ≥ 1 row returned,
                 ended by the budget

             rows     read  work
                1        1  <1 %  ▏         ├─ SEARCH project USING INDEX
                                            │  sqlite_autoindex_project_1 (id=?)
                                            │  Finds one row of project by its key.
              114      395   1 %  ▏         ├─ SEARCH done USING INDEX task_projectID
                                            │  (projectID=?)
                                            │  Finds the rows of task (as done) with the project's
                                            │  ID.
           32,034   45,030  21 %  █▋        ├─ SEARCH open USING INDEX task_projectID
                                            │  (projectID=?)
                                            │  For each row so far, finds the rows of task (as
                                            │  open) with the project's ID.
          128,136  128,136  78 %  ██████▎   └─ SEARCH comment USING INDEX comment_projectID ◀
                                               (projectID=?)
                                               For each row so far, finds the rows of comment with
                                               the project's ID.
          ◀ the node that does the most work

        Indexes for the whole workload ───────────────────────────────────────────────────────────
          One index in place of another serves both statements.
          takes 132 pages, writes cost +4 %
          Create task_projectID_dueDate on task, 412 pages, for S2
          Drop task_projectID on task, 280 pages

                                     before    after    gain
            S2 typical  warm time   12.4 ms  0.06 ms    207×
                        cold time   18.6 ms  0.09 ms    207×
                        steps       884,812      512  1,728×
                        pages         1,210        8    151×
                        cold pages      605        4    151×

          Migration:
              CREATE INDEX task_projectID_dueDate ON task (projectID, dueDate);
              DROP INDEX task_projectID;
            GRDB
              try db.create(index: "task_projectID_dueDate", on: "task", columns: ["projectID", "dueDate"])
            Sanderling
              @Record(indexes: [.on(\.projectID, \.dueDate)])

        Left out ─────────────────────────────────────────────────────────────────────────────────
          app.log:17: The line is longer than 1 MiB.

        Conditions ───────────────────────────────────────────────────────────────────────────────
          • Cold is the first execution on a connection with an empty cache; the operating
            system's cache is not emptied.
          • NSCoreDataStringSearch is the app's own function: a stand-in took its place.

        3 findings: 1 error, 2 notes.
        Checked 1 statement, 12 tables and 9 indexes in 3.2 s; 1 part of the input left out.

        """#)
  }

  @Test func saysThatAllIsFine() {
    #expect(
      TerminalReport(SampleReport.fine, width: 80, isVerbose: true).text == #"""
        Tasks.sqlite
        SQLite 3.40.1, 24.1 MB, pages of 4,096 bytes, journal mode delete, 12 tables, 9
        indexes, no statistics

        S2 ─────────────────────────────────────────────────────────────────────────────
          7 times
              SELECT id, title FROM task WHERE projectID = ? ORDER BY dueDate LIMIT ?
          No fix suits it: it takes 12.4 ms and returns 1 row.
          typical: 12.4 ms warm, 18.6 ms cold, 884,812 steps, 1,210 pages, 1 row
                   returned

          rows    read  work
                                        ├─ CO-ROUTINE upcoming
                                        │  │  Produces rows on demand.
           281  98,304  93 %  ███████▌  │  ├─ SCAN task ◀
                                        │  │  Reads all rows of task.
           281           7 %  ▌         │  └─ USE TEMP B-TREE FOR ORDER BY
                                        │     Sorts what was found.
                                        └─ SCAN upcoming
                                           Reads what the part above produces.
          ◀ the node that does the most work
          The plan does not show: OFFSET steps over 10,000 rows before the first one is
                                  returned.

        No findings.
        Checked 1 statement, 12 tables and 9 indexes in 310 ms.

        """#)
  }

  @Test func isPlainUnlessColored() {
    #expect(!TerminalReport(SampleReport.tasks, isVerbose: true).text.contains("\u{1B}"))
    let colored = TerminalReport(SampleReport.tasks, isColored: true, isVerbose: true).text
    #expect(colored.contains("\u{1B}[1;31merror"))
    #expect(colored.replacing(/\u{1B}\[[0-9;]*m/, with: "") == TerminalReport(SampleReport.tasks, isVerbose: true).text)
  }

  @Test(arguments: [40, 60, 80, 132])
  func keepsToTheWidthExceptForCodeAndThePlan(width: Int) {
    var report = SampleReport.tasks
    report.findings[0].title = "日本語の表 👩‍💻 " + report.findings[0].title
    report.statements = []
    for line in TerminalReport(report, width: width, isVerbose: true).text.split(separator: "\n")
    where !line.hasPrefix("      ") {
      #expect(String(line).displayWidth <= width)
    }
  }

  @Test func namesAndLogsDoNotSteerTheTerminal() {
    let text = TerminalReport(SampleReport.hostile, isVerbose: true).text
    #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || !$0.steersOutput })
    #expect(text.contains(#"\u{1B}[2J"#))
  }

  @Test func showsStatementsAsFingerprintsUnlessValuesAreAskedFor() {
    #expect(!TerminalReport(SampleReport.tasks, isVerbose: true).text.contains("secret"))
    let shown = TerminalReport(SampleReport.tasks, showsValues: true, isVerbose: true).text
    #expect(shown.contains("WHERE project.name = 'secret'"))
    #expect(shown.contains("bound ?1 = 'secret', ?3 = 18"))
  }

  @Test func aLargeWorkloadIsShortened() {
    let text = TerminalReport(SampleReport.workload(of: 10_000), isVerbose: true).text
    #expect(text.contains("SELECT c10000 FROM t WHERE id = ?"))
    #expect(text.contains("9,950 statements more: the JSON form lists all."))
    #expect(text.split(separator: "\n").count < 600)
  }

  /// Names of figures are broken into lines, never cut.
  @Test(arguments: [60, 80, 120, 200])
  func evidenceIsReadAsAWhole(width: Int) {
    let name = "intermediate rows of the worst row of project"
    let finding = Finding(
      kind: .joinFanOut, severity: .error, title: "Title", explanation: "Explanation.",
      evidence: [
        Evidence(name: name, value: 128_136, unit: "rows", formula: "114 × 281 × 4 = 128,136"),
        Evidence(name: "size of task_on_projectID_isCompleted_due", value: 12, unit: "pages"),
      ], outcome: .notMeasured(reason: "Reason."))
    let report = DiagnosisReport(
      database: DatabaseSummary(
        name: "app.sqlite", sqliteVersion: "3.40.1", bytes: 1, pageSize: 4096, journalMode: "wal", tables: 1,
        indexes: 0,
        analyzedIndexes: 0), findings: [finding])
    let lines = TerminalReport(report, width: width, isVerbose: true).text.split(separator: "\n").map(String.init)
    let words = lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
    #expect(words.contains("114 × 281 × 4 = 128,136"))
    for word in name.split(separator: " ") { #expect(words.contains(word)) }
    #expect(!lines.contains { $0.contains("…") && $0.contains("rows of") })
    #expect(lines.allSatisfy { $0.displayWidth <= width })
  }
}
