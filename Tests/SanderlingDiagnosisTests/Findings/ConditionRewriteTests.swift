import Testing

@testable import SanderlingDiagnosis

@Suite struct ConditionRewriteTests {
  let fixture: DetectorFixture

  init() throws {
    fixture = try DetectorFixture(
      """
      CREATE TABLE event (
        id INTEGER PRIMARY KEY, at TEXT NOT NULL, seconds INTEGER NOT NULL, reference REAL NOT NULL, code TEXT NOT NULL,
        kind INTEGER NOT NULL, owner TEXT);
      CREATE INDEX event_on_at ON event(at); CREATE INDEX event_on_seconds ON event(seconds);
      CREATE INDEX event_on_reference ON event(reference); CREATE INDEX event_on_code ON event(code);
      CREATE INDEX event_on_kind ON event(kind); CREATE INDEX event_on_owner ON event(owner);
      \(DetectorFixture.numbers(4_000))
      INSERT INTO event SELECT i, datetime('2024-01-01', (i * 7) || ' hours'),
        CAST(strftime('%s', '2024-01-01') AS INTEGER) + i * 7 * 3600,
        CAST(strftime('%s', '2024-01-01') AS INTEGER) + i * 7 * 3600 - 978307200.0,
        printf('%02d-%04d', i % 40, i), i % 500, CAST(i % 700 AS TEXT) FROM n;
      CREATE TABLE person (id INTEGER PRIMARY KEY, number INTEGER NOT NULL, name TEXT);
      \(DetectorFixture.numbers(20)) INSERT INTO person SELECT i, i * 3, 'Person ' || i FROM n;
      """, showsValues: true)
  }

  @Test(arguments: [
    (
      "date(at) = '2024-03-05'", FindingKind.functionOnColumn,
      "(at >= '2024-03-05' AND at < date('2024-03-05', '+1 day'))"
    ),
    (
      "strftime('%Y-%m', at) = '2024-03'", .functionOnColumn,
      "(at >= '2024-03' AND at < strftime('%Y-%m', '2024-03' || '-01', '+1 month'))"
    ),
    ("strftime('%Y', at) = '2027'", .functionOnColumn, ""),
    ("'2024-01-03' >= date(at)", .functionOnColumn, "at < date('2024-01-03', '+1 day')"),
    ("date(at) BETWEEN '2024-03-05' AND '2024-03-07'", .functionOnColumn, ""),
    ("date(seconds, 'unixepoch') = '2024-03-05'", .functionOnColumn, ""),
    ("datetime(reference + 978307200, 'unixepoch') <= '2024-01-05 07:00:00'", .functionOnColumn, ""),
    ("kind + 0 = 7", .functionOnColumn, "kind = 7"),
    ("+kind = 7", .functionOnColumn, "kind = 7"),
    ("kind - 3 = 7", .functionOnColumn, "kind = 7 + 3"),
    ("1804900000 - seconds < 86400", .functionOnColumn, "seconds > 1804900000 - 86400"),
    (
      "1804900000 - seconds BETWEEN 0 AND 86400", .functionOnColumn,
      "seconds BETWEEN 1804900000 - 86400 AND 1804900000 - 0"
    ),
    ("CAST(kind AS INTEGER) = 7", .typeMismatch, "kind = 7"),
    ("substr(code, 1, 3) = '07-'", .functionOnColumn, "(code >= '07-' AND code < '07.')"),
    ("instr(code, '07-') = 1", .functionOnColumn, "(code >= '07-' AND code < '07.')"),
    ("code LIKE '07-%'", .patternWithoutIndex, "(code >= '07-' AND code < '07.')"),
    ("owner = CAST(42 AS INTEGER)", .typeMismatch, "owner = CAST(CAST(42 AS INTEGER) AS TEXT)"),
  ])
  func rewritten(condition: String, kind: FindingKind, expected: String) throws {
    let sql = "SELECT * FROM event WHERE \(condition)"
    let finding = try #require(try fixture.findings(ConditionRewriteDetector(), sql).first)
    #expect(finding.kind == kind)
    #expect(finding.isProven)
    if !expected.isEmpty { #expect(finding.fix?.sql == ["SELECT * FROM event WHERE \(expected)"]) }
  }

  @Test(arguments: [
    "at = '2024-03-05 00:00:00'", "date(at) = date(at)", "date(at, 'localtime') = '2024-03-05'", "kind = 7",
    "code LIKE 'a%'", "code LIKE '%7'", "code LIKE '0_%'", "substr(code, 2, 3) = '7-0'", "substr(code, 1, 2) = '07-'",
    "abs(kind) = 7", "owner = 42", "kind = '7'", "lower(code) = '07-0007'", "kind * 2 = 8", "date(at) <> '2024-03-05'",
    "kind + 0 = 7 OR kind = 8", "instr(code, '07-') = 2", "instr('07-', code) = 1", "instr(code, '') = 1",
    "NOT (kind = 3)",
    "NOT (kind > 3 AND owner = '5')", "NOT (code LIKE 'a%')",
  ])
  func otherConditionsAreNotRewritten(condition: String) throws {
    #expect(try fixture.findings(ConditionRewriteDetector(), "SELECT * FROM event WHERE \(condition)").isEmpty)
  }

  @Test(arguments: [
    ("NOT (kind > 3)", "kind <= 3"), ("NOT kind >= 3 AND seconds > 0", "kind < 3 AND seconds > 0"),
    ("NOT (1804000000 > seconds)", "1804000000 <= seconds"), ("NOT (kind <> 7)", "kind = 7"),
  ])
  func negatedComparisonsAreInverted(condition: String, expected: String) throws {
    let sql = "SELECT * FROM event WHERE \(condition)"
    let finding = try #require(try fixture.findings(ConditionRewriteDetector(), sql).first)
    #expect(finding.kind == .fullScan && finding.isProven)
    #expect(finding.fix?.sql == ["SELECT * FROM event WHERE \(expected)"])
  }

  /// An index serves a difference to a changing value only after the rewrite moves the value to the other side of the
  /// comparison.
  @Test(arguments: [
    ("julianday('2027-03-15') - julianday(at) < 2.5", "julianday(at) > julianday('2027-03-15') - 2.5"),
    ("julianday(at) + 7 >= julianday('2027-03-15')", "julianday(at) >= julianday('2027-03-15') - 7"),
    ("2461460 < julianday(at) - 10", "julianday(at) > 2461460 + 10"),
    (
      "2461480 - julianday(at) BETWEEN 5 AND 7.5", "julianday(at) BETWEEN 2461480 - 7.5 AND 2461480 - 5"
    ),
    ("julianday(at) - 3 BETWEEN 2461460 AND 2461461", "julianday(at) BETWEEN 2461460 + 3 AND 2461461 + 3"),
  ])
  func valueMovesToTheOtherSideOfAComparison(condition: String, expected: String) throws {
    let fixture = try DetectorFixture(
      """
      CREATE TABLE event (id INTEGER PRIMARY KEY, at TEXT NOT NULL); CREATE INDEX event_on_day ON event (julianday(at));
      \(DetectorFixture.numbers(4_000)) INSERT INTO event SELECT i, datetime('2024-01-01', (i * 7) || ' hours') FROM n;
      """, showsValues: true)
    let finding = try #require(
      try fixture.findings(ConditionRewriteDetector(), "SELECT id FROM event WHERE \(condition)").first)
    #expect(finding.kind == .functionOnColumn && finding.isProven)
    #expect(finding.fix?.sql == ["SELECT id FROM event WHERE \(expected)"])
  }

  /// SQLite uses an index on an expression only if the other column's type can't convert its value. The rewrite removes
  /// that type by a unary plus.
  @Test(arguments: [
    "SELECT p.name FROM person p WHERE NOT EXISTS (SELECT 1 FROM event e WHERE lower(e.code) = p.name)",
    "SELECT count(*) FROM person p JOIN event e ON p.number = json_extract(e.data, '$.n') WHERE p.id < 9",
  ])
  func unaryPlusRemovesTheOtherColumnsType(sql: String) throws {
    let fixture = try DetectorFixture(
      """
      CREATE TABLE event (id INTEGER PRIMARY KEY, code TEXT, data TEXT NOT NULL);
      CREATE INDEX event_on_code ON event (lower(code)); CREATE INDEX event_on_data ON event (json_extract(data, '$.n'));
      \(DetectorFixture.numbers(4_000)) INSERT INTO event SELECT i, 'E' || i, '{"n": ' || (i * 3) || '}' FROM n;
      CREATE TABLE person (id INTEGER PRIMARY KEY, number INTEGER NOT NULL, name TEXT);
      \(DetectorFixture.numbers(200)) INSERT INTO person SELECT i, i * 5, CASE i % 2 WHEN 0 THEN 'e' ELSE 'x' END || i FROM n;
      """, showsValues: true)
    let finding = try #require(
      try fixture.findings(ConditionRewriteDetector(), sql).first { $0.kind == .typeMismatch })
    #expect(finding.isProven)
    let fix = try #require(finding.fix?.sql.last)
    #expect(fix.contains("+p."))
    #expect(try fixture.context.rows(sql) == fixture.context.rows(fix))
  }

  /// A comparison by `<>` with a frequent value becomes two ranges, since few rows have another value.
  @Test(arguments: ["state <> 'done'", "'done' != state"])
  func ranges(condition: String) throws {
    let fixture = try DetectorFixture(
      """
      CREATE TABLE job (id INTEGER PRIMARY KEY, state TEXT, note TEXT); CREATE INDEX job_on_state ON job (state);
      \(DetectorFixture.numbers(6_000)) INSERT INTO job
        SELECT i, CASE i % 100 WHEN 0 THEN 'failed' WHEN 1 THEN 'Done' WHEN 2 THEN NULL ELSE 'done' END, printf('%.90c', 'x') FROM n;
      """, showsValues: true)
    let sql = "SELECT id, note FROM job WHERE \(condition)"
    let finding = try #require(try fixture.findings(ConditionRewriteDetector(), sql).first)
    #expect(finding.kind == .fullScan && finding.isProven)
    let fixed = try #require(finding.fix?.sql.last)
    #expect(fixed.contains(" < ") && fixed.contains(" OR "))
    #expect(try Set(fixture.context.rows(fixed)) == Set(fixture.context.rows(sql)))
    // With a rare value, most rows match, so there is no rewrite.
    let rare = "SELECT id, note FROM job WHERE state <> 'failed'"
    #expect(try fixture.findings(ConditionRewriteDetector(), rare).isEmpty)
  }

  /// A statement appends a wildcard to the text of a search field, which may itself contain wildcards. The rewrite
  /// finds the same rows.
  @Test func computedBeginning() throws {
    let fixture = try DetectorFixture(
      """
      CREATE TABLE place (id INTEGER PRIMARY KEY, country INTEGER NOT NULL, name TEXT);
      CREATE INDEX place_on_name ON place (country, name COLLATE NOCASE);
      \(DetectorFixture.numbers(6_000)) INSERT INTO place SELECT i, i % 2,
        CASE i % 50 WHEN 0 THEN NULL WHEN 1 THEN 'Élan ' || i WHEN 2 THEN 'a_b ' || i WHEN 3 THEN 'A%b ' || i
        ELSE substr('abcxyzABCXYZ', 1 + i % 12, 1) || substr('bcdaB', 1 + i % 5, 1) || ' ' || i END FROM n;
      """, showsValues: true)
    let sql = "SELECT id, name FROM place WHERE country = ?1 AND name LIKE ?2 || '%' ORDER BY id"
    let finding = try #require(
      try fixture.findings(ConditionRewriteDetector(), sql, bindings: [[1: .integer(1), 2: .text("xc ")]]).first)
    #expect(finding.kind == .patternWithoutIndex && finding.isProven)
    let fixed = try #require(finding.fix?.sql.last)
    for beginning in ["xc ", "XC", "a_b", "a%b", "_", "%", "", "É", "é", "a", "ab 1", "zz", "Élan 1_"] {
      let values: [BoundValue] = [.integer(1), .text(beginning)]
      #expect(
        try fixture.context.connection.rows(fixed, values) == fixture.context.connection.rows(sql, values),
        "\(beginning)")
    }
    for value: BoundValue in [.null, .integer(7), .blob(Array("xc".utf8))] {
      let values: [BoundValue] = [.integer(1), value]
      #expect(try fixture.context.connection.rows(fixed, values) == fixture.context.connection.rows(sql, values))
    }
    for condition in ["name LIKE '%' || ?2", "name NOT LIKE ?2 || '%'", "name LIKE random() || '%'"] {
      let other = "SELECT id FROM place WHERE country = ?1 AND \(condition)"
      #expect(
        try fixture.findings(ConditionRewriteDetector(), other, bindings: [[1: .integer(1), 2: .text("x")]]).isEmpty)
    }
  }

  /// In a column without a type, texts stay as they are. The rewrite of LIKE to a range is right as long as the column
  /// holds only texts.
  @Test func beginningInAColumnWithoutType() throws {
    let fixture = try DetectorFixture(
      """
      CREATE TABLE page (id INTEGER PRIMARY KEY, title BLOB NOT NULL);
      CREATE INDEX page_title ON page (title COLLATE NOCASE);
      \(DetectorFixture.numbers(6_000)) INSERT INTO page SELECT i, 'Page ' || (i * 7919 % 6000) FROM n;
      """, showsValues: true)
    let sql = "SELECT id FROM page WHERE title LIKE ?1 || '%'"
    let values: [Int: BoundValue] = [1: .text("page 59")]
    let finding = try #require(try fixture.findings(ConditionRewriteDetector(), sql, bindings: [values]).first)
    let fix = try #require(finding.fix?.sql.last)
    #expect(finding.isProven)
    #expect(try Set(fixture.context.rows(fix, values)) == Set(fixture.context.rows(sql, values)))
    // LIKE treats blobs as texts, but a comparison doesn't.
    try fixture.context.connection.run("UPDATE page SET title = CAST(title AS BLOB) WHERE id = 7")
    #expect(try fixture.findings(ConditionRewriteDetector(), sql, bindings: [values]).isEmpty)
  }

  @Test func textJoinedWithNumber() throws {
    let sql = "SELECT person.name, event.id FROM person JOIN event ON event.owner = person.number"
    let finding = try #require(try fixture.findings(ConditionRewriteDetector(), sql).first)
    #expect(finding.kind == .typeMismatch && finding.isProven)
  }

  /// A column holds numbers as texts in some rows, and other texts in others. A literal of the statement tells which
  /// rows have numbers.
  @Test func literalShowsWhichTextsAreNumbers() throws {
    let fixture = try DetectorFixture(
      """
      CREATE TABLE post (id INTEGER PRIMARY KEY, title TEXT);
      CREATE TABLE meta (id INTEGER PRIMARY KEY, key TEXT NOT NULL, value TEXT);
      CREATE INDEX meta_on_key_value ON meta(key, value);
      \(DetectorFixture.numbers(6_000)) INSERT INTO post SELECT i, 'Post ' || i FROM n;
      INSERT INTO meta (key, value) SELECT 'picture', id * 3 FROM post WHERE id % 2 = 0;
      INSERT INTO meta (key, value) SELECT 'note', 'see ' || id FROM post;
      """, showsValues: true)
    func findings(_ key: String) throws -> [Finding] {
      try fixture.findings(
        ConditionRewriteDetector(),
        "SELECT title FROM post WHERE id < 60 AND EXISTS (SELECT 1 FROM meta WHERE key = '\(key)' AND value = post.id)")
    }
    let finding = try #require(try findings("picture").first)
    #expect(finding.kind == .typeMismatch && finding.isProven)
    #expect(finding.fix?.sql.last?.hasSuffix("AND value = CAST(post.id AS TEXT))") == true)
    #expect(try findings("note").isEmpty)
  }

  /// The rewrite keeps the values of parameters, by their numbers and their names.
  @Test(arguments: [
    ("SELECT id FROM event WHERE date(at) = ? AND kind > ?", [1: BoundValue.text("2024-03-05"), 2: .integer(3)]),
    ("SELECT id FROM event WHERE kind > :kind AND date(at) = :day", [2: .text("2024-03-05"), 1: .integer(3)]),
  ])
  func parameters(sql: String, values: [Int: BoundValue]) throws {
    let finding = try #require(
      try fixture.findings(ConditionRewriteDetector(), sql, bindings: [values]).first)
    #expect(finding.isProven)
  }

  /// Hiding literals keeps the wildcards that the rewrite itself contains.
  @Test func wildcardsStay() {
    let condition = "n >= substr(?1, 1, instr(?1 || '%', '%') - 1) AND n < ?1 || char(1114111) AND n LIKE ?1 || '%'"
    #expect(LiteralRemover().shown("SELECT 7 FROM t WHERE \(condition)") == "SELECT ?2 FROM t WHERE \(condition)")
  }

  @Test func literalsAreHidden() throws {
    let fixture = try DetectorFixture(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, at TEXT); CREATE INDEX i ON t(at);
      \(DetectorFixture.numbers(4_000)) INSERT INTO t SELECT i, datetime('2024-01-01', i || ' hours') FROM n;
      """)
    let finding = try #require(
      try fixture.findings(ConditionRewriteDetector(), "SELECT * FROM t WHERE date(at) = '2024-02-03'").first)
    #expect("\(finding)".contains("2024") == false)
  }
}
