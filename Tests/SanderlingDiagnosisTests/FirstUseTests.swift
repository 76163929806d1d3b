import Foundation
import Testing

@testable import SanderlingDiagnosis

/// Problems that a person met when using the command for the first time.
struct FirstUseTests {
  private let files: DatabaseFixture

  init() throws {
    files = try DatabaseFixture()
    _ = try files.app(
      "app.sqlite",
      """
      CREATE TABLE product (id INTEGER PRIMARY KEY, name TEXT NOT NULL, made TEXT NOT NULL, price REAL);
      CREATE TABLE movement (id INTEGER PRIMARY KEY, product_id INTEGER NOT NULL REFERENCES product (id), kind TEXT, note TEXT);
      CREATE INDEX product_made ON product (made);
      \(AdviceFixture.numbers(20_000)) INSERT INTO product
        SELECT i, 'Product ' || i, datetime('2024-01-01', '+' || (i * 7) || ' minutes'), i % 997 FROM n;
      \(AdviceFixture.numbers(30_000)) INSERT INTO movement
        SELECT i, i * 7919 % 19000 + 1, iif(i % 3 = 0, 'in', 'out'), printf('%.80c', 'x') FROM n;
      """)
  }

  private func report(
    _ statements: [String], _ change: (inout Diagnosis.Options) -> Void = { _ in }
  ) throws -> DiagnosisReport {
    var reader = WorkloadReader()
    for sql in statements { reader.add(sql: sql) }
    var options = Diagnosis.Options()
    change(&options)
    return try Diagnosis(database: files.url(), options: options).run(reader.workload)
  }

  /// If a rewrite can use an existing index, the report proposes the rewrite and no index of the expression. The
  /// existing index stays.
  @Test(arguments: [
    ("SELECT * FROM product WHERE id + 0 = 5", "SELECT * FROM product WHERE id = ?", #"("id" + 0)"#),
    ("SELECT * FROM product WHERE date(made) = '2024-01-09'", "SELECT * FROM product WHERE (made >= ?", "(date("),
  ])
  func rewriteComesBeforeAnIndexOfAnExpression(sql: String, form: String, index: String) throws {
    let report = try report([sql, "SELECT max(id) FROM product", "SELECT min(id) FROM product"])
    let finding = try #require(report.findings.first { $0.statement == 1 && $0.isProven })
    #expect(finding.fix?.sql.count == 1 && finding.fix?.sql[0].hasPrefix(form) == true, "\(report.findings)")
    #expect(finding.alternative?.contains(index) == true)
    #expect(TerminalReport(report).text.contains("Or: with the statement as it is, CREATE INDEX"))
    // A few statements on the command line don't show the app's other statements.
    #expect(!report.findings.contains { $0.kind == .unusedIndex })
  }

  /// Measurements begin with the slower statement, and the progress shows its own number.
  @Test func progressNamesStatementsByTheirNumbers() throws {
    var reader = WorkloadReader()
    for sql in ["SELECT name FROM product WHERE id = 5", "SELECT note FROM movement WHERE kind = 'in' AND note = 'y'"] {
      reader.add(sql: sql)
    }
    var steps: [String] = []
    _ = try Diagnosis(database: files.url()).run(reader.workload) { steps.append($0.description) }
    #expect(
      steps.filter { $0.contains("S1") || $0.contains("S2") } == [
        "Measuring S2, 1 of 2", "Measuring S1, 2 of 2", "Trying fixes for S2, 1 of 2", "Trying fixes for S1, 2 of 2",
      ])
  }

  /// A full-text table finds rows for which an index would be read from end to end. The report proposes only one of the
  /// two.
  @Test func searchWithinTextsGetsOneFix() throws {
    // The time is counted, so that a slow machine tries the same fixes.
    let report = try WorkClock.$current.withValue(.counted(WorkClock.Questions(each: CountedTime.ofQuestion))) {
      try self.report(["SELECT id, name FROM product WHERE name LIKE '%uct 19999%' ORDER BY price LIMIT 5"])
    }
    let proven = report.findings.filter { $0.statement == 1 && $0.isProven && $0.fix != nil }
    #expect(
      proven.count == 1 && proven[0].fix?.sql.first?.hasPrefix("CREATE VIRTUAL TABLE") == true, "\(report.findings)")
    #expect(report.indexAdvice?.create.isEmpty ?? true)
  }

  @Test(arguments: [0, 1])
  func noMoreIndexesThanAllowed(most: Int) throws {
    let report = try report([
      "SELECT * FROM product WHERE price = 7", "SELECT * FROM product WHERE name = 'Product 7'",
      "SELECT note FROM movement WHERE product_id = 7", "SELECT count(*) > 0 FROM product WHERE price > 50",
    ]) { $0.maximumIndexes = most }
    let created = report.findings.flatMap { $0.fix?.sql ?? [] } + (report.indexAdvice?.migrationSQL ?? [])
    #expect(Set(created.filter(\.createsIndex)).count == most)
    #expect(TerminalReport(report).text.matches(of: /CREATE INDEX/).count == most)
    // The statement that needs no index has its fix.
    let exists = try #require(report.findings.first { $0.statement == 4 && $0.isProven })
    #expect(exists.fix?.sql == [#"SELECT EXISTS (SELECT 1 FROM product WHERE price > ?) AS "count(*) > 0""#])
  }

  /// Some skipped inputs are no statements on rows. A statement with an unknown name is reported before them.
  @Test func unknownNameIsReportedBeforeOtherSkippedInputs() throws {
    var report = try report([
      "CREATE TABLE a (x)", "CREATE TABLE b (x)", "CREATE TABLE c (x)", "SELECT * FROM prodct",
      "SELECT name FROM product WHERE price = 7", "CREATE TABLE d (x)",
    ])
    #expect(report.skipped.first?.reason.contains("The nearest name is product.") == true)
    let text = TerminalReport(report, width: 200).text
    #expect(text.contains("no such table: prodct. The nearest name is product."))
    #expect(text.contains("\nAnd 2 more: --verbose shows them.\n"))
    report.skipped.removeLast(2)
    #expect(!TerminalReport(report).text.contains(" more: --verbose"))
  }

  /// The title doesn't present the number of rows looked up until the time ended as the number for a single row.
  @Test func totalOfRowsIsNotReportedAsThatOfOneRow() throws {
    let report = try report([
      "SELECT name FROM product p WHERE (SELECT count(*) FROM movement m WHERE m.product_id = p.id) > 2"
    ]) {
      // Time counts by the work of the thread, on any machine.
      $0.deadline = .standingStill
      $0.statementBudget = .seconds(6)
    }
    let end = "rows and doesn't end in its time: a subquery on movement runs for each row around it"
    #expect(report.findings.contains { $0.title.hasSuffix(end) }, "\(report.findings.map(\.title))")
  }

  /// A deletion that cascades needs an index on each foreign key that refers to deleted rows, although no query plan
  /// shows these searches. Seen in the corpus statement todo-08.
  @Test func deletionGetsIndexesForAllCascades() throws {
    _ = try files.app(
      "tree.sqlite",
      """
      CREATE TABLE a (id INTEGER PRIMARY KEY);
      CREATE TABLE b (id INTEGER PRIMARY KEY, a INTEGER REFERENCES a (id) ON DELETE CASCADE);
      CREATE TABLE c (id INTEGER PRIMARY KEY, b INTEGER REFERENCES b (id) ON DELETE CASCADE);
      \(AdviceFixture.numbers(500)) INSERT INTO a SELECT i FROM n;
      \(AdviceFixture.numbers(5_000)) INSERT INTO b SELECT i, i % 500 + 1 FROM n;
      \(AdviceFixture.numbers(20_000)) INSERT INTO c SELECT i, i % 5000 + 1 FROM n;
      """)
    var reader = WorkloadReader()
    for sql in ["DELETE FROM a WHERE id = 7", "SELECT id FROM b WHERE a = 7"] { reader.add(sql: sql) }
    let report = try Diagnosis(database: files.url("tree.sqlite"), options: Diagnosis.Options()).run(reader.workload)
    let finding = try #require(report.findings.first { $0.statement == 1 && $0.isProven })
    let indexes = [#"CREATE INDEX "b_on_a" ON "b" ("a")"#, #"CREATE INDEX "c_on_b" ON "c" ("b")"#]
    #expect(finding.fix?.sql.sorted() == indexes)
    #expect(report.indexAdvice?.create.map(\.sql).sorted() == indexes)
    #expect(report.indexAdvice?.create.allSatisfy { $0.statements.contains(1) } == true)
  }

  /// The rewrite that is slowest without an index is the fastest with one, so rewrites are compared with their indexes.
  /// Seen in the corpus statement notes-20.
  @Test func rewritesAreComparedWithTheirIndexes() throws {
    _ = try files.app(
      "notes.sqlite",
      """
      CREATE TABLE context (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE note (id INTEGER PRIMARY KEY, context_id INTEGER, words INTEGER);
      CREATE INDEX note_of_context ON note (context_id);
      CREATE TABLE attachment (id INTEGER PRIMARY KEY, note_id INTEGER, path TEXT);
      \(AdviceFixture.numbers(200)) INSERT INTO context SELECT i, 'Context ' || i FROM n;
      \(AdviceFixture.numbers(12_000)) INSERT INTO note SELECT i, i % 200 + 1, i % 900 FROM n;
      \(AdviceFixture.numbers(30_000)) INSERT INTO attachment SELECT i, i * 7919 % 12000 + 1, 'file ' || i FROM n;
      """)
    var reader = WorkloadReader()
    reader.add(
      sql:
        "SELECT context.id, context.name, sum(note.words) AS words, count(attachment.id) AS attachments FROM context "
        + "LEFT JOIN note ON note.context_id = context.id LEFT JOIN attachment ON attachment.note_id = note.id "
        + "WHERE context.id = 60 GROUP BY context.id")
    let report = try Diagnosis(database: files.url("notes.sqlite"), options: Diagnosis.Options()).run(reader.workload)
    let finding = try #require(report.findings.first { $0.severity == .wrongResult })
    #expect(finding.fix?.sql.contains { $0.hasPrefix(#"CREATE INDEX "attachment_on_note_id"#) } == true, "\(finding)")
    #expect(finding.fix?.sql.last?.contains("(SELECT sum(note.words) FROM note") == true, "\(finding)")
  }

  /// A rewrite that needs an index is compared with this index. The original join creates an automatic index, but the
  /// rewrite would read a whole table for each row.
  @Test func rewriteThatNeedsAnIndexIsComparedWithIt() throws {
    _ = try files.app(
      "bills.sqlite",
      """
      CREATE TABLE bill (id INTEGER PRIMARY KEY, client INTEGER, number TEXT);
      CREATE TABLE line (bill INTEGER, place INTEGER, cents INTEGER, PRIMARY KEY (bill, place)) WITHOUT ROWID;
      CREATE TABLE payment (id INTEGER PRIMARY KEY, bill INTEGER, cents INTEGER);
      \(AdviceFixture.numbers(20_000)) INSERT INTO bill SELECT i, i % 3, 'R-' || i FROM n;
      \(AdviceFixture.numbers(40_000)) INSERT INTO line SELECT i % 20000 + 1, i / 20000, i % 900 FROM n;
      \(AdviceFixture.numbers(40_000)) INSERT INTO payment SELECT i, i * 7919 % 20000 + 1, i % 700 FROM n;
      """)
    var reader = WorkloadReader()
    reader.add(
      sql: "SELECT b.number, count(l.place), count(p.id) FROM bill b LEFT JOIN line l ON l.bill = b.id "
        + "LEFT JOIN payment p ON p.bill = b.id WHERE b.client = 1 GROUP BY b.id")
    let report = try Diagnosis(database: files.url("bills.sqlite"), options: Diagnosis.Options()).run(reader.workload)
    let finding = try #require(report.findings.first { $0.severity == .wrongResult })
    #expect(finding.fix?.sql.first?.hasPrefix(#"CREATE INDEX "payment_on_bill"#) == true, "\(finding)")
    #expect(finding.fix?.sql.last?.contains("(SELECT count(l.place) FROM line") == true, "\(finding)")
  }

  /// An index for a pattern is attributed to the statement that needs it. The plan shows this index only with a bound
  /// value. Seen in the corpus statement beets-10.
  @Test func indexForAPatternIsAttributedByItsBoundValue() throws {
    let statements = [
      ("SELECT id, note FROM movement WHERE note LIKE ?", [[1: BoundValue.text("y%")]]),
      ("SELECT * FROM product WHERE name = 'Product 7'", []),
    ].enumerated().map { place, statement in
      WorkloadStatement(
        id: place + 1, fingerprint: Fingerprint.of(statement.0), sql: statement.0, bindings: statement.1)
    }
    let report = try Diagnosis(database: files.url(), options: Diagnosis.Options())
      .run(Workload(statements: statements))
    let index = try #require(report.indexAdvice?.create.first { $0.table == "movement" })
    #expect(index.statements == [1])
    #expect(report.findings.contains { $0.statement == 1 && $0.isProven && $0.fix?.sql == [index.sql] })
  }

  @Test func remarksAreInWords() {
    for kind in FindingKind.allCases {
      let finding = Finding(
        kind: kind, severity: .note, title: "Title", explanation: "", fix: Fix(summary: "Summary", sql: ["SELECT 1"]),
        outcome: .notMeasured(reason: "Reason."))
      #expect(!RemarkText(finding).reason.contains(kind.rawValue), "\(kind)")
    }
  }

  /// An inserted row looks up its parents without the new index, so the index isn't attributed to the insertion.
  @Test func indexIsAttributedOnlyToStatementsThatGain() throws {
    let report = try report([
      "SELECT note FROM movement WHERE product_id = 7",
      "INSERT INTO movement SELECT max(id) + 1, 7, 'in', '' FROM movement WHERE product_id = 7",
      "INSERT INTO movement (product_id, kind) VALUES (7, 'in')",
    ])
    let served = report.indexAdvice?.create.flatMap(\.statements) ?? []
    #expect(served.contains(1) && !served.contains(3))
  }
}
