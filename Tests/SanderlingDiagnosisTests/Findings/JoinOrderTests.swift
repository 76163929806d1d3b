import Testing

@testable import SanderlingDiagnosis

@Suite struct JoinOrderTests {
  let fixture: DetectorFixture

  init() throws {
    fixture = try DetectorFixture(
      """
      CREATE TABLE shop (id INTEGER PRIMARY KEY, city TEXT NOT NULL, note TEXT);
      CREATE TABLE sale (id INTEGER PRIMARY KEY, shopID INTEGER NOT NULL, kind INTEGER NOT NULL, text TEXT);
      CREATE TABLE part (id INTEGER PRIMARY KEY, saleID INTEGER NOT NULL, name TEXT NOT NULL);
      CREATE INDEX sale_on_kind ON sale(kind); CREATE INDEX sale_on_shop ON sale(shopID);
      CREATE INDEX part_on_sale ON part(saleID); CREATE INDEX part_on_name ON part(name);
      \(DetectorFixture.numbers(20)) INSERT INTO shop SELECT i, 'City ' || i, NULL FROM n;
      \(DetectorFixture.numbers(6_000)) INSERT INTO sale SELECT i, i % 20 + 1, i % 3, 'word' || (i % 50) FROM n;
      \(DetectorFixture.numbers(6_000))
      INSERT INTO part SELECT i, i, CASE WHEN i % 3000 = 0 THEN 'rare' ELSE 'usual' END FROM n;
      CREATE VIRTUAL TABLE sale_text USING fts5(text, content='sale', content_rowid='id');
      INSERT INTO sale_text (sale_text) VALUES ('rebuild');
      """, showsValues: true)
  }

  /// A key in ORDER BY determines the rows that LIMIT keeps, even if the result doesn't contain the key.
  @Test(arguments: [
    (
      "SELECT sale.text, shop.city FROM sale JOIN shop ON shop.id = sale.shopID ORDER BY sale.kind, sale.id LIMIT 9",
      true
    ),
    ("SELECT sale.*, shop.note FROM sale JOIN shop ON shop.id = sale.shopID ORDER BY sale.id LIMIT 9", true),
    ("SELECT sale.text FROM sale JOIN part ON part.saleID = sale.id ORDER BY sale.id LIMIT 9", true),
    // A sale has several parts, the order leaves ties, or DISTINCT keeps other rows with another plan.
    ("SELECT part.name FROM sale JOIN part ON part.saleID = sale.id ORDER BY sale.id LIMIT 9", false),
    ("SELECT * FROM sale JOIN part ON part.saleID = sale.id ORDER BY sale.id LIMIT 9", false),
    ("SELECT sale.text, shop.city FROM sale JOIN shop ON shop.id = sale.shopID ORDER BY sale.kind LIMIT 9", false),
    ("SELECT DISTINCT sale.text FROM sale JOIN shop ON shop.id = sale.shopID ORDER BY sale.id LIMIT 9", false),
  ])
  func leavesOneChoice(sql: String, isOne: Bool) throws {
    let statement = try #require(MovableStatement(fixture.analyzed(sql), schema: fixture.context.schema))
    #expect(statement.leavesOneChoice(fixture.context.schema) == isOne)
  }

  /// A statement for which SQLite begins with the wrong table, since the unary plus excludes the index of that join.
  private static let slow = """
    SELECT sale.id, shop.city FROM sale JOIN part ON +part.saleID = sale.id JOIN shop ON shop.id = sale.shopID
    WHERE sale.kind = 0 AND part.name LIKE 'rare'
    """

  /// In a subquery, SQLite may begin with a table whose filter is the same for all outer rows. The rewrite begins with
  /// the few rows that belong to each outer row.
  @Test(arguments: [
    "SELECT c.revision FROM cert c WHERE c.name = 'branch' AND NOT EXISTS (SELECT 1 FROM ancestry a JOIN cert d ON d.revision = a.child AND d.name = 'branch' AND d.value = c.value WHERE a.parent = c.revision)",
    "SELECT c.revision FROM cert c WHERE c.name = 'branch' AND EXISTS (SELECT 1 FROM ancestry a JOIN cert d ON d.revision = a.child AND d.name = 'branch' AND d.value = c.value AND d.id > 700 WHERE a.parent = c.revision)",
  ])
  func inSubqueries(sql: String) throws {
    let fixture = try DetectorFixture(
      """
      CREATE TABLE ancestry (parent INTEGER, child INTEGER, UNIQUE (parent, child)); CREATE INDEX ancestry_child ON ancestry (child);
      CREATE TABLE cert (id INTEGER PRIMARY KEY, revision INTEGER, name TEXT, value TEXT, UNIQUE (name, value, revision));
      CREATE INDEX cert_revision ON cert (revision);
      \(DetectorFixture.numbers(1_500)) INSERT INTO ancestry SELECT i, i + 1 FROM n WHERE i % 100;
      \(DetectorFixture.numbers(1_500)) INSERT INTO cert SELECT NULL, i, 'branch', 'main' FROM n;
      INSERT INTO cert SELECT NULL, revision, 'author', 'a' || revision FROM cert;
      """, showsValues: true)
    let finding = try #require(try fixture.findings(JoinOrderDetector(), sql).first)
    #expect(finding.kind == .joinOrder && finding.isProven, "\(finding)")
    let fix = try #require(finding.fix?.sql.last)
    #expect(fix.contains("FROM ancestry a CROSS JOIN cert d WHERE"))
    #expect(try Set(fixture.context.rows(fix)) == Set(fixture.context.rows(sql)))
  }

  @Test func beginsWithTheFilterThatLeavesFewRows() throws {
    let sql = """
      SELECT sale.id, shop.city FROM sale CROSS JOIN shop ON shop.id = sale.shopID JOIN part ON part.saleID = sale.id
      WHERE part.name = 'rare' AND sale.kind = 0
      """
    // CROSS JOIN requests this order, so it stays.
    #expect(try fixture.findings(JoinOrderDetector(), sql).isEmpty)
    let finding = try #require(try fixture.findings(JoinOrderDetector(), Self.slow).first)
    #expect(finding.kind == .joinOrder && finding.isProven, "\(finding)")
    #expect(finding.fix?.sql.last?.contains("FROM part CROSS JOIN sale CROSS JOIN shop") == true)
  }

  @Test(arguments: [
    "SELECT * FROM sale JOIN part ON +part.saleID = sale.id WHERE sale.kind = 0 AND part.name LIKE 'rare'",
    "SELECT sale.id FROM sale JOIN part ON +part.saleID = sale.id WHERE part.name LIKE 'rare' AND kind = 0 LIMIT 3",
    "SELECT sale.id FROM sale LEFT JOIN part ON +part.saleID = sale.id WHERE part.name LIKE 'rare' AND kind = 0",
    "SELECT group_concat(sale.id) FROM sale JOIN part ON +part.saleID = sale.id WHERE part.name LIKE 'rare' AND kind = 0",
  ])
  func statementsThatDependOnTheOrderAreNotRewritten(sql: String) throws {
    #expect(try fixture.findings(JoinOrderDetector(), sql).isEmpty)
  }

  /// A full-text table can be read after a trial. A change of the schema makes the virtual table declare its columns
  /// again.
  @Test func fullTextTablesAreReadAfterATrial() throws {
    let connection = fixture.context.connection
    let sql = "SELECT count(*) FROM sale_text WHERE sale_text MATCH 'word7'"
    for _ in 0..<3 {
      let count = try Trial(connection: connection).run(["CREATE INDEX trial ON sale(text)"]) {
        try fixture.context.rows(sql).first?.first?.integer
      }.value
      #expect(count == 120)
      #expect(try fixture.context.rows(sql).first?.first?.integer == 120)
    }
  }

  /// The full-text query is a literal of the statement or a bound value. The check tries other values too, and some of
  /// them are invalid queries.
  @Test(arguments: ["'word7'", "?1"])
  func fullTextTablesAreAskedOnce(query: String) throws {
    let sql = """
      SELECT id FROM sale WHERE kind = 0 AND EXISTS (
        SELECT 1 FROM sale_text f WHERE f.rowid = sale.id AND sale_text MATCH \(query)) ORDER BY shopID LIMIT 20
      """
    let bindings: [[Int: BoundValue]] = query == "?1" ? [[1: .text("word7")]] : []
    let finding = try #require(try fixture.findings(MembershipDetector(), sql, bindings: bindings).first)
    #expect(finding.kind == .subqueryPerRow && finding.isProven, "\(finding)")
    #expect(finding.fix?.sql.last?.contains("IN (SELECT f.rowid FROM sale_text f") == true)
    #expect(finding.limits.contains { $0.contains("invalid full-text query") })
  }

  @Test func fullTextTablesAreJoinedInTheirOrder() throws {
    let sql = """
      SELECT sale.id FROM sale CROSS JOIN shop ON shop.id = sale.shopID JOIN sale_text ON sale_text.rowid = sale.id
      WHERE sale_text MATCH 'word7' AND sale.kind = 0
      """
    let free = sql.replacing("CROSS JOIN", with: "JOIN")
    let rows = try fixture.context.rows(free).count
    #expect(rows == 40)
    for finding in try fixture.findings(JoinOrderDetector(), free) {
      let rewritten = try #require(finding.fix?.sql.last)
      #expect(try fixture.context.rows(rewritten).count == rows)
    }
    #expect(try fixture.context.rows(sql).count == rows)
  }

  @Test func aFullTextTableThatExistsIsNamed() throws {
    let finding = try #require(
      try fixture.findings(TextSearchDetector(), "SELECT id FROM sale WHERE text LIKE '%ord7%'").first)
    #expect(finding.title.contains("sale_text"))
    // A search for words doesn't find the same rows as a search for letters, so no statement replaces this one.
    #expect(finding.explanation.contains("MATCH ?") && finding.fix == nil)
  }

  @Test(arguments: [
    ("coalesce(kind, 7) = 0", "kind = 0"), ("ifnull(saleID, -1) = 3000", "saleID = 3000"),
    ("coalesce(shopID, 0) > 19", "shopID > 19"),
  ])
  func coalesceOfANotNullColumnIsRemoved(condition: String, expected: String) throws {
    let table = condition.contains("saleID") ? "part" : "sale"
    let sql = "SELECT id FROM \(table) WHERE \(condition)"
    let finding = try #require(try fixture.findings(ConditionRewriteDetector(), sql).first)
    #expect(finding.isProven && finding.kind == .functionOnColumn)
    #expect(finding.fix?.sql == ["SELECT id FROM \(table) WHERE \(expected)"])
  }

  @Test func coalesceOfANullableColumnIsRewritten() throws {
    let fixture = try DetectorFixture(
      """
      CREATE TABLE task (id INTEGER PRIMARY KEY, state INTEGER); CREATE INDEX task_on_state ON task(state);
      \(DetectorFixture.numbers(8_000)) INSERT INTO task SELECT i, CASE i % 400 WHEN 0 THEN NULL ELSE i % 100 END FROM n;
      """, showsValues: true)
    for (condition, expected) in [
      ("coalesce(state, 1) = 5", "state = 5"), ("ifnull(state, 5) = 5", "(state = 5 OR state IS NULL)"),
    ] {
      let sql = "SELECT id FROM task WHERE \(condition)"
      let finding = try #require(try fixture.findings(ConditionRewriteDetector(), sql).first)
      #expect(finding.isProven)
      #expect(finding.fix?.sql == ["SELECT id FROM task WHERE \(expected)"])
    }
    // The bound value decides whether NULL matches, so the rewrite must test both cases.
    let parameter = "SELECT id FROM task WHERE coalesce(state, 5) = ?"
    let finding = try #require(
      try fixture.findings(ConditionRewriteDetector(), parameter, bindings: [[1: .integer(7)]]).first)
    #expect(finding.fix?.sql == ["SELECT id FROM task WHERE (state = ?1 OR (state IS NULL AND 5 = ?1))"])
  }
}
