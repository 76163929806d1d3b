import Testing

@testable import SanderlingDiagnosis

@Suite struct StatementDetectorTests {
  let fixture: DetectorFixture

  init() throws {
    fixture = try DetectorFixture(
      """
      CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL, town TEXT);
      CREATE INDEX author_on_town ON author(town);
      CREATE TABLE book (
        id INTEGER PRIMARY KEY, authorID INTEGER NOT NULL REFERENCES author, title TEXT NOT NULL, year INTEGER NOT NULL,
        series INTEGER, text TEXT);
      CREATE INDEX book_on_authorID ON book(authorID);
      CREATE INDEX book_on_year_title ON book(year, title);
      CREATE INDEX book_on_title ON book(title);
      \(DetectorFixture.numbers(400)) INSERT INTO author SELECT i, 'Author ' || i, 'Town ' || (i % 50) FROM n;
      \(DetectorFixture.numbers(4_000))
      INSERT INTO book SELECT i, 1 + i % 400, 'Title ' || ((i * 7919) % 4000), 1900 + i % 120,
        CASE WHEN i % 3 THEN i % 200 END, hex(zeroblob(100)) FROM n;
      CREATE TABLE page (id INTEGER PRIMARY KEY, title TEXT, number INTEGER, text TEXT);
      \(DetectorFixture.numbers(300)) INSERT INTO page SELECT i, 'Page ' || i, i, hex(zeroblob(3000)) FROM n;
      """, showsValues: true)
  }

  // MARK: OFFSET

  @Test(arguments: [
    ("SELECT id, title FROM book ORDER BY id LIMIT 20 OFFSET 3000", "id > ?1"),
    ("SELECT id, year FROM book ORDER BY year, title LIMIT 20 OFFSET 3000", "(year, title, id) > (?1, ?2, ?3)"),
    (
      "SELECT id, year FROM book ORDER BY year DESC, title DESC LIMIT 20 OFFSET 3000",
      "(year, title, id) < (?1, ?2, ?3)"
    ),
    (
      "SELECT id, year FROM book WHERE year > 1920 ORDER BY year, title, id LIMIT 20 OFFSET 2000",
      "(year, title, id) > (?1, ?2, ?3) AND (year > 1920)"
    ),
    (
      "SELECT b.id, a.name FROM book b JOIN author a ON a.id = b.authorID ORDER BY b.year, b.id LIMIT 9 OFFSET 3000",
      "(b.year, b.id) > (?1, ?2)"
    ),
    (
      "SELECT id FROM book ORDER BY year, title DESC LIMIT 20 OFFSET 3000",
      "year >= ?1 AND (year > ?1 OR year = ?1 AND title < ?2 OR year = ?1 AND title = ?2 AND id < ?3)"
    ),
  ])
  func largeOffset(sql: String, condition: String) throws {
    let finding = try #require(try fixture.findings(LargeOffsetDetector(), sql).first)
    #expect(finding.kind == .largeOffset)
    #expect(finding.fix?.sql.first?.contains("WHERE \(condition) ORDER BY") == true, "\(finding.fix?.sql ?? [])")
    #expect(finding.fix?.sql.first?.contains("OFFSET") == false)
    if !sql.contains("DESC LIMIT") || condition.hasPrefix("(") { #expect(finding.isProven) }
  }

  /// If a table has no key of one column, the columns of a unique index or the rowid tell its rows apart.
  @Test(arguments: [
    ("SELECT at, value FROM reading ORDER BY at LIMIT 20 OFFSET 3000", "(at, device) > (?1, ?2)", ["device is added"]),
    (
      "SELECT at, text FROM line ORDER BY at DESC LIMIT 20 OFFSET 3000", "(at, rowid) < (?1, ?2)",
      ["rowid is added", "VACUUM may"]
    ),
    (
      "SELECT l.at, d.name FROM line l JOIN device d ON d.id = l.device ORDER BY l.at LIMIT 20 OFFSET 3000",
      "(l.at, l.rowid) > (?1, ?2)", ["rowid is added", "VACUUM may"]
    ),
  ])
  func offsetWithoutKey(sql: String, condition: String, limits: [String]) throws {
    let fixture = try DetectorFixture(
      """
      CREATE TABLE reading (device INTEGER NOT NULL, at INTEGER NOT NULL, value REAL); CREATE UNIQUE INDEX reading_key ON reading (at, device);
      CREATE TABLE line (at INTEGER NOT NULL, text TEXT, device INTEGER); CREATE INDEX line_on_at ON line (at);
      CREATE TABLE device (id INTEGER PRIMARY KEY, name TEXT);
      \(DetectorFixture.numbers(4_000)) INSERT INTO reading SELECT i % 7, i / 7, i FROM n;
      INSERT INTO line SELECT at, 'line ' || device, device + 1 FROM reading; INSERT INTO device SELECT DISTINCT device + 1, 'd' || device FROM reading;
      """, showsValues: true)
    let finding = try #require(try fixture.findings(LargeOffsetDetector(), sql).first)
    #expect(finding.isProven)
    #expect(finding.fix?.sql.last?.contains("WHERE \(condition) ORDER BY") == true, "\(finding.fix?.sql ?? [])")
    #expect(limits.allSatisfy { limit in finding.limits.contains { $0.hasPrefix(limit) } }, "\(finding.limits)")
  }

  /// A page by key may need columns that are not in the result, and the first of them may be NULL.
  @Test func offsetBehindNull() throws {
    let fixture = try DetectorFixture(
      """
      CREATE TABLE entry (name TEXT, seq INTEGER, body TEXT); CREATE INDEX entry_on_seq ON entry (seq);
      \(DetectorFixture.numbers(4_000)) INSERT INTO entry SELECT 'n' || i, nullif(i / 3, 5), printf('%.40c', 'x') FROM n;
      """, showsValues: true)
    let sql = "SELECT name, body FROM entry WHERE name <> '' ORDER BY seq DESC, rowid DESC LIMIT 20 OFFSET 3000"
    let finding = try #require(try fixture.findings(LargeOffsetDetector(), sql).first)
    #expect(finding.isProven)
    let last = try #require(
      try fixture.context.rows("SELECT seq, rowid FROM entry ORDER BY seq DESC, rowid DESC LIMIT 1 OFFSET 2999").first)
    let fix = try #require(finding.fix?.sql.first)
    #expect(try fixture.context.rows(fix, [1: last[0], 2: last[1]]) == fixture.context.rows(sql), "\(fix)")
  }

  @Test func offsetOfParameter() throws {
    let sql = "SELECT id, title FROM book WHERE year > :year ORDER BY year, title LIMIT :count OFFSET :skipped"
    let values: [Int: BoundValue] = [1: .integer(1910), 2: .integer(30), 3: .integer(2_500)]
    let finding = try #require(try fixture.findings(LargeOffsetDetector(), sql, bindings: [values]).first)
    #expect(finding.isProven)
    // The offset is a value of the statement, so the title must not show it.
    #expect(finding.evidence.first?.value == 2_000)
    #expect(!finding.title.contains("2"))
  }

  @Test(arguments: [
    "SELECT id FROM book ORDER BY id LIMIT 20", "SELECT id FROM book ORDER BY id LIMIT 20 OFFSET 20",
    "SELECT year, count(*) FROM book GROUP BY year ORDER BY year LIMIT 5 OFFSET 100",
    "SELECT id FROM book ORDER BY random() LIMIT 5 OFFSET 200", "SELECT DISTINCT series FROM book LIMIT 5 OFFSET 100",
    "SELECT a.id FROM author a JOIN book b ON b.authorID = a.id ORDER BY a.id LIMIT 5 OFFSET 200",
  ])
  func noKeyset(sql: String) throws {
    #expect(try fixture.findings(LargeOffsetDetector(), sql).isEmpty)
  }

  // MARK: N+1

  private func repeated(_ sql: String, _ times: Int) throws -> [Finding] {
    let statement = WorkloadStatement(
      id: 1, fingerprint: Fingerprint.of(sql), sql: sql, count: times, operations: ["load list": times],
      mostPerOperation: times)
    return try RepeatedStatementDetector().findings(for: fixture.analyzed(statement), in: fixture.context)
  }

  @Test(arguments: [
    ("SELECT * FROM author WHERE id = ?", "SELECT * FROM author WHERE id IN (SELECT value FROM json_each(?1))"),
    ("SELECT * FROM author WHERE id = 7 LIMIT 1", "SELECT * FROM author WHERE id IN (SELECT value FROM json_each(?1))"),
    (
      "SELECT id, title FROM book WHERE authorID = ? AND year > 1930 ORDER BY title",
      "SELECT id, title, authorID FROM book WHERE authorID IN (SELECT value FROM json_each(?1)) AND year > 1930"
    ),
    (
      "SELECT count(*) FROM book WHERE authorID = ?",
      "SELECT count(*), authorID FROM book WHERE authorID IN (SELECT value FROM json_each(?1)) GROUP BY authorID"
    ),
  ])
  func repeatedStatement(sql: String, batched: String) throws {
    let finding = try #require(try repeated(sql, 40).first)
    #expect(finding.kind == .repeatedStatement)
    #expect(finding.isProven)
    #expect(finding.fix?.sql == [batched])
    #expect(try repeated(sql, 9).isEmpty)
  }

  @Test(arguments: [
    "SELECT * FROM book WHERE authorID = ? ORDER BY year LIMIT 2", "SELECT DISTINCT year FROM book WHERE authorID = ?",
    "SELECT * FROM author WHERE town > ?", "SELECT * FROM author",
  ])
  func notBatched(sql: String) throws {
    #expect(try repeated(sql, 40).isEmpty)
  }

  // MARK: Counts and wide rows

  @Test(arguments: [
    (
      "SELECT count(*) > 0 FROM book WHERE year > 1950",
      "SELECT EXISTS (SELECT 1 FROM book WHERE year > 1950) AS \"count(*) > 0\""
    ),
    (
      "SELECT id FROM author WHERE (SELECT count(*) FROM book WHERE authorID = author.id AND text > '') > 0",
      "SELECT id FROM author WHERE EXISTS (SELECT 1 FROM book WHERE authorID = author.id AND text > '')"
    ),
    ("SELECT count(*) FROM (SELECT * FROM book ORDER BY text)", "SELECT count(*) FROM (SELECT 1 FROM book )"),
  ])
  func counts(sql: String, fixed: String) throws {
    let finding = try #require(try fixture.findings(CountDetector(), sql).first)
    #expect(finding.kind == .wideRowsForCount && finding.isProven)
    #expect(finding.fix?.sql == [fixed])
  }

  @Test(arguments: [
    "SELECT count(*) FROM book WHERE year > 1950", "SELECT count(*) > 1 FROM book WHERE year > 1950",
    "SELECT id FROM author WHERE EXISTS (SELECT * FROM book WHERE authorID = author.id)",
    "SELECT count(*) FROM (SELECT DISTINCT year FROM book)", "SELECT count(text) > 0 FROM book",
    "SELECT count(*) FROM (SELECT id FROM book ORDER BY year LIMIT 10)",
    "SELECT count(*) FROM (SELECT max(year) FROM book GROUP BY authorID)",
  ])
  func plainCounts(sql: String) throws {
    #expect(try fixture.findings(CountDetector(), sql).isEmpty)
  }

  @Test func wideRows() throws {
    let finding = try #require(
      try fixture.findings(WideRowsDetector(), "SELECT * FROM page WHERE number < 250").first)
    #expect(finding.severity == .note)
    #expect(finding.evidence("bytes in a row's")?.value == 6_000)
    // A replacement that returns fewer rows is no fix that may be applied.
    #expect(finding.fix?.sql.isEmpty == true && !finding.isProven)
    for sql in [
      "SELECT id, title, number FROM page", "SELECT * FROM page WHERE id = 3", "SELECT * FROM author",
      "SELECT id, text FROM page",
    ] {
      #expect(try fixture.findings(WideRowsDetector(), sql).isEmpty, "\(sql)")
    }
  }

  // MARK: Subqueries and OR

  @Test func subqueriesOfRowsBeyondTheLimitAreReported() throws {
    let sql = """
      SELECT a.id, a.name, (SELECT count(*) FROM book WHERE authorID = a.id AND text > '') AS books FROM author a
      ORDER BY a.name LIMIT 10
      """
    let finding = try #require(try fixture.findings(LateRowsDetector(), sql).first)
    #expect(finding.kind == .subqueryPerRow && finding.isProven)
    // The rows are sorted by the value of the subquery.
    #expect(
      try fixture.findings(LateRowsDetector(), sql.replacing("ORDER BY a.name", with: "ORDER BY books")).isEmpty)
    #expect(try fixture.findings(LateRowsDetector(), sql.replacing("LIMIT 10", with: "")).isEmpty)
  }

  @Test(arguments: [
    "SELECT b.id, a.name FROM book b JOIN author a ON a.id = b.authorID WHERE b.title = 'Title 7' OR a.town = 'Town 3'",
    "SELECT count(*) FROM book b JOIN author a ON a.id = b.authorID WHERE b.title = 'Title 7' OR a.name = 'Author 9'",
    "SELECT b.id, b.title FROM book b JOIN author a ON a.id = b.authorID WHERE b.title = 'Title 7' OR a.town = "
      + "'Town 3' "
      + "ORDER BY b.title, 1 LIMIT 5",
  ])
  func alternatives(sql: String) throws {
    let finding = try #require(try fixture.findings(AlternativesDetector(), sql).first)
    #expect(finding.kind == .orWithoutIndex && finding.isProven)
  }

  @Test(arguments: [
    "SELECT id FROM book WHERE title = 'Title 7' OR title = 'Title 8'",
    "SELECT id FROM book WHERE title = 'Title 7' OR year = 1950",
    "SELECT id FROM book WHERE series = 3 OR text = 'x'",
  ])
  func servedAlternativesAreNotReported(sql: String) throws {
    #expect(try fixture.findings(AlternativesDetector(), sql).isEmpty)
  }

  @Test(
    arguments: [
      (
        "year = 1 AND (title = 'a' OR id = 2) OR series = 3",
        [["year = 1", "title = 'a'"], ["year = 1", "id = 2"], ["series = 3"]]
      ),
      (
        "(year = 1 OR (id = 2)) AND (series = 3 OR series = 4)",
        [
          ["year = 1", "series = 3"], ["year = 1", "series = 4"], ["id = 2", "series = 3"], ["id = 2", "series = 4"],
        ]
      ),
      ("year = 1", [["year = 1"]]),
      ("(year = 1 OR id = 2 OR id = 3) AND (series = 3 OR series = 4)", nil),
      ("year = 1 OR id = 2 OR id = 3 OR id = 4 OR id = 5", nil),
    ] as [(String, [[String]]?)])
  func sidesOfAlternatives(condition: String, sides: [[String]]?) throws {
    let shape = try ShapeReader.shape(
      of: "SELECT 1 FROM book WHERE \(condition)", in: fixture.context.schema.description)
    let found = try #require(shape.resolved.core(shape.selects[0].id)?.condition).sides(atMost: 4)
    #expect(found.map { $0.map { $0.map { shape.resolved.statement.sql($0.range) } } } == sides)
  }

  @Test func membership() throws {
    let perRow = """
      SELECT a.id FROM author a WHERE EXISTS (SELECT 1 FROM book WHERE book.authorID = a.id AND book.title = 'Title 7')
      """
    let finding = try #require(try fixture.findings(MembershipDetector(), perRow).first)
    #expect(finding.isProven && finding.kind == .subqueryPerRow)
    let wrong = "SELECT id FROM author WHERE id NOT IN (SELECT series FROM book)"
    let null = try #require(try fixture.findings(MembershipDetector(), wrong).first)
    #expect(null.severity == .wrongResult)
    #expect(
      null.fix?.sql == ["SELECT id FROM author WHERE id NOT IN (SELECT series FROM book WHERE series IS NOT NULL)"])
    // A computed value may be NULL in rows that no condition can exclude.
    let computed = try #require(
      try fixture.findings(MembershipDetector(), "SELECT id FROM author WHERE id NOT IN (SELECT series + 1 FROM book)")
        .first)
    #expect(computed.severity == .wrongResult && computed.fix == nil)
    for sql in [
      "SELECT id FROM author WHERE id NOT IN (SELECT authorID FROM book WHERE year = 1950)",
      "SELECT id FROM author WHERE id IN (3, 4)",
      "SELECT id FROM author WHERE id NOT IN (SELECT series FROM book WHERE series IS NOT NULL)",
    ] {
      #expect(try fixture.findings(MembershipDetector(), sql).isEmpty, "\(sql)")
    }
  }

  // MARK: Texts

  @Test(arguments: [
    "SELECT id FROM book WHERE text LIKE '%ab%'", "SELECT id FROM book WHERE text LIKE '%' || ? || '%'",
    "SELECT id FROM book WHERE text GLOB '*ab'",
  ])
  func textSearch(sql: String) throws {
    let finding = try #require(try fixture.findings(TextSearchDetector(), sql).first)
    #expect(finding.kind == .patternWithoutIndex && finding.severity == .note)
    #expect(finding.evidence.first?.value == 4_000)
  }

  /// A value that is computed from two texts is in neither column, so no full-text index serves the search.
  @Test func textSearchInEither() throws {
    let sql = "SELECT id FROM book WHERE ifnull(title, text) LIKE '%ab%'"
    let finding = try #require(try fixture.findings(TextSearchDetector(), sql).first)
    #expect(finding.kind == .patternWithoutIndex && finding.severity == .note && finding.fix == nil)
  }

  /// The triggers of the full-text table keep it equal to the rows, so it answers LIKE with wildcards anywhere, also
  /// after changes.
  @Test func likeSearchesUseTheFullTextTable() throws {
    let sql = "SELECT b.id FROM book b WHERE b.text LIKE ?"
    let analyzed = try fixture.analyzed(sql, bindings: [[1: .text("%nothing of this%")]])
    let finding = try #require(try TextSearchDetector().findings(for: analyzed, in: fixture.context).first)
    #expect(finding.isProven && finding.severity > .note)
    let fix = try #require(finding.fix?.sql)
    let form = try #require(fix.last)
    #expect(
      form.contains("b.id IN (SELECT rowid FROM \"book_search\" WHERE \"text\" LIKE ?") && !form.contains("MATCH"))
    let connection = fixture.context.connection
    let changes = [
      "SELECT 1", "UPDATE book SET text = 'a Nothing of this b' WHERE id % 400 = 1",
      "INSERT INTO book (id, authorID, title, year, text) VALUES (90001, 1, 'x', 1999, 'nothing of this')",
      "UPDATE book SET id = 90002 WHERE id = 90001", "UPDATE book SET text = 'other' WHERE id = 401",
      "UPDATE book SET text = NULL WHERE id = 801", "DELETE FROM book WHERE id IN (1, 90002)",
    ]
    for count in changes.indices {
      let rows = try Trial(connection: connection).run(Array(fix.dropLast()) + changes[...count], authority: .own) {
        try [sql, form].map { sql in
          let asked =
            sql.split(separator: "?", omittingEmptySubsequences: false).first.map { "\($0)'%nothing of this%'" } ?? ""
          return try Set(fixture.context.rows(sql == form ? asked + ")" : asked).map { $0[0].integer })
        }
      }.value
      #expect(rows[0] == rows[1] && rows[0].isEmpty == (count == 0), "\(changes[count])")
    }
  }

  @Test func textSearchOfCoreData() throws {
    let sql = "SELECT 0, t0.id FROM book t0 WHERE NSCoreDataStringSearch(t0.title, ?, 385, 0)"
    let finding = try #require(try fixture.findings(TextSearchDetector(), sql).first)
    #expect(finding.kind == .functionOnColumn && finding.fix?.coreData != nil)
  }

  @Test(arguments: [
    "SELECT id FROM book WHERE title LIKE 'ab%'", "SELECT id FROM author WHERE name LIKE '%ab%'",
    "SELECT id FROM book WHERE id = 7 AND text LIKE '%ab%'",
  ])
  func otherPatterns(sql: String) throws {
    #expect(try fixture.findings(TextSearchDetector(), sql).isEmpty)
  }
}
