import Testing

@testable import SanderlingDiagnosis

@Suite struct DatabaseDetectorTests {
  private func findings(
    _ detector: any DatabaseDetector, _ script: String, statements: [String] = [], count: Int = 1,
    isLogged: Bool = false
  ) throws -> [Finding] {
    let fixture = try DetectorFixture(script)
    let analyzed = try statements.enumerated().map { place, sql in
      try fixture.analyzed(
        WorkloadStatement(
          id: place + 1, fingerprint: Fingerprint.of(sql), sql: sql, count: count, isLogged: isLogged))
    }
    return try detector.findings(for: analyzed, in: fixture.context)
  }

  static let rows =
    "\(DetectorFixture.numbers(2_000)) INSERT INTO t (id, a, b, c) SELECT i, i % 90, i % 7, 'text ' || i FROM n;"

  // MARK: Overlapping indexes

  @Test(arguments: [
    ("CREATE INDEX x ON t(a); CREATE INDEX y ON t(a);", [("y", FindingKind.duplicateIndex)]),
    ("CREATE INDEX x ON t(a); CREATE UNIQUE INDEX y ON t(c); CREATE INDEX z ON t(c);", [("z", .duplicateIndex)]),
    ("CREATE INDEX x ON t(a); CREATE INDEX y ON t(a, b);", [("x", .redundantIndex)]),
    ("CREATE INDEX x ON t(a DESC); CREATE INDEX y ON t(a, b);", [("x", .redundantIndex)]),
    ("CREATE INDEX x ON t(a) WHERE b > 1; CREATE INDEX y ON t(a, c) WHERE b > 1;", [("x", .redundantIndex)]),
    ("CREATE INDEX x ON t(id);", [("x", .duplicateIndex)]),
    ("CREATE INDEX x ON t(lower(c)); CREATE INDEX y ON t(lower(c), a);", [("x", .redundantIndex)]),
  ])
  func overlappingIndexes(indexes: String, expected: [(String, FindingKind)]) throws {
    let found = try findings(
      OverlappingIndexDetector(), "CREATE TABLE t (id INTEGER PRIMARY KEY, a, b, c TEXT); \(indexes) \(Self.rows)")
    #expect(found.map(\.kind) == expected.map(\.1))
    #expect(found.map { $0.fix?.sql } == expected.map { ["DROP INDEX \"\($0.0)\""] })
    #expect(found.allSatisfy { $0.isProven })
  }

  @Test(arguments: [
    "CREATE INDEX x ON t(a); CREATE INDEX y ON t(b);",
    "CREATE INDEX x ON t(a); CREATE INDEX y ON t(b, a);",
    "CREATE UNIQUE INDEX x ON t(c); CREATE INDEX y ON t(c, a);",
    "CREATE INDEX x ON t(c); CREATE INDEX y ON t(c COLLATE NOCASE);",
    "CREATE INDEX x ON t(c COLLATE NOCASE); CREATE INDEX y ON t(c, a);",
    "CREATE INDEX x ON t(a); CREATE INDEX y ON t(a, b) WHERE b > 1;",
    "CREATE INDEX x ON t(a) WHERE b > 1; CREATE INDEX y ON t(a, b) WHERE b > 2;",
    "CREATE INDEX x ON t(a, b DESC); CREATE INDEX y ON t(a, b, c);",

  ])
  func indexesThatDiffer(indexes: String) throws {
    let script = "CREATE TABLE t (id INTEGER PRIMARY KEY, a, b, c TEXT); \(indexes) \(Self.rows)"
    #expect(try findings(OverlappingIndexDetector(), script).isEmpty)
  }

  @Test func unusedIndex() throws {
    let script = """
      CREATE TABLE p (id INTEGER PRIMARY KEY);
      CREATE TABLE t (id INTEGER PRIMARY KEY, a REFERENCES p, b, c TEXT); CREATE INDEX onA ON t(a);
      CREATE INDEX onB ON t(b); CREATE INDEX onC ON t(c);
      """
    let statements = ["SELECT * FROM t WHERE c = 'x'", "SELECT * FROM t WHERE id = 3", "SELECT max(c) FROM t"]
    let found = try findings(UnusedIndexDetector(), script, statements: statements, count: 40, isLogged: true)
    // The index of a foreign key has a purpose that no statement shows.
    #expect(found.map { $0.fix?.sql } == [["DROP INDEX \"onB\""]])
    #expect(found.first?.severity == .note)
    #expect(
      try findings(UnusedIndexDetector(), script, statements: Array(statements.prefix(2)), count: 60, isLogged: true)
        .isEmpty)
  }

  /// Unused indexes are dropped only for a log with enough executions. Statements of the command line and short logs
  /// don't show the app's other statements.
  @Test(arguments: [(40, false), (33, true), (34, true)])
  func aDropNeedsALogThatCouldHaveUsedTheIndex(count: Int, isLogged: Bool) throws {
    let script = "CREATE TABLE t (id INTEGER PRIMARY KEY, b, c TEXT); CREATE INDEX onB ON t(b);"
    let statements = ["SELECT * FROM t WHERE c = 'x'", "SELECT * FROM t WHERE id = 3", "SELECT max(c) FROM t"]
    let found = try findings(UnusedIndexDetector(), script, statements: statements, count: count, isLogged: isLogged)
    #expect(found.isEmpty == (count * 3 < UnusedIndexDetector.leastExecutions || !isLogged))
  }

  /// An index with the app's own collation or function stays, since the stand-in on the copy compares and computes
  /// otherwise.
  @Test(arguments: ["c COLLATE localized", "myfold(c)"])
  func anIndexOfTheAppStays(key: String) throws {
    let fixture = try DatabaseFixture()
    let app = try fixture.app(
      "app.sqlite",
      "CREATE TABLE t (id INTEGER PRIMARY KEY, b, c TEXT); CREATE INDEX plain ON t(b); CREATE INDEX own ON t(c);")
    try app.run("PRAGMA writable_schema = 1")
    try app.run("UPDATE sqlite_master SET sql = 'CREATE INDEX own ON t(\(key))' WHERE name = 'own'")
    let copy = try DatabaseCopy(of: fixture.url(), options: fixture.options)
    let schema = try DatabaseSchemaReader(connection: copy.connection).read()
    let context = DetectorContext(copy: copy, schema: schema, runner: StatementRunner(connection: copy.connection))
    let statements = try [
      "SELECT * FROM t WHERE c > 'x' LIMIT 1", "SELECT * FROM t WHERE id = 3", "SELECT max(id) FROM t",
    ]
    .enumerated().map { place, sql in
      try StatementAnalyzer(connection: copy.connection, schema: schema, runner: context.runner).analyze(
        WorkloadStatement(
          id: place + 1, fingerprint: Fingerprint.of(sql), sql: sql, count: 100, isLogged: true))
    }
    let found = try UnusedIndexDetector().findings(for: statements, in: context)
    #expect(found.map { $0.fix?.sql } == [["DROP INDEX \"plain\""]])
  }

  @Test func harmfulIndex() throws {
    let script = """
      CREATE TABLE t (id INTEGER PRIMARY KEY, flag INTEGER, at INTEGER, c TEXT); CREATE INDEX onFlag ON t(flag);
      CREATE INDEX onAt ON t(at);
      \(DetectorFixture.numbers(5_000)) INSERT INTO t SELECT i, i % 50 > 0, i, 'text' FROM n;
      """
    let sql = "SELECT * FROM t WHERE flag = 1 ORDER BY at DESC LIMIT 20"
    let found = try findings(HarmfulIndexDetector(), script, statements: [sql])
    #expect(found.map { $0.fix?.sql } == [["DROP INDEX \"onFlag\""]])
    #expect(found.first?.isProven == true)
    // A statement with the rare value needs the index.
    #expect(
      try findings(HarmfulIndexDetector(), script, statements: [sql, "SELECT * FROM t WHERE flag = 0"]).isEmpty)
  }

  // MARK: Foreign keys

  /// SQLite compares with the collation of the parent's column, so it never uses an index of the child with another
  /// collation.
  @Test func foreignKeyOfAnotherCollation() throws {
    let script = """
      CREATE TABLE tag (name TEXT PRIMARY KEY COLLATE NOCASE); CREATE TABLE tagging (id INTEGER PRIMARY KEY, tag TEXT REFERENCES tag);
      \(DetectorFixture.numbers(200)) INSERT INTO tag SELECT 'Tag ' || i FROM n;
      \(DetectorFixture.numbers(20_000)) INSERT INTO tagging SELECT i, 'tag ' || (i % 90 + 1) FROM n; CREATE INDEX x ON tagging (tag);
      """
    let finding = try #require(try findings(ForeignKeyDetector(), script).first)
    #expect(finding.isProven)
    #expect(finding.fix?.sql == [#"CREATE INDEX "tagging_on_tag" ON "tagging" ("tag" COLLATE "NOCASE")"#])
    #expect(try findings(ForeignKeyDetector(), script + "CREATE INDEX y ON tagging (tag COLLATE NOCASE);").isEmpty)
  }

  @Test func foreignKeyWithoutIndex() throws {
    let script = """
      CREATE TABLE p (id INTEGER PRIMARY KEY);
      CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER REFERENCES p ON DELETE CASCADE, b, c TEXT);
      \(DetectorFixture.numbers(90)) INSERT INTO p SELECT i - 1 FROM n;
      \(Self.rows)
      """
    let finding = try #require(try findings(ForeignKeyDetector(), script).first)
    #expect(finding.kind == .slowForeignKey)
    #expect(finding.severity == .warning)
    #expect(finding.isProven)
    #expect(finding.fix?.sql == ["CREATE INDEX \"t_on_a\" ON \"t\" (\"a\")"])
    let deleting = try findings(ForeignKeyDetector(), script, statements: ["DELETE FROM p WHERE id = 4"])
    #expect(deleting.first?.limits.isEmpty == true)
    for index in ["t(a)", "t(a, b)", "t(a) WHERE a IS NOT NULL"] {
      #expect(try findings(ForeignKeyDetector(), script + "CREATE INDEX x ON \(index);").isEmpty, "\(index)")
    }
    #expect(try findings(ForeignKeyDetector(), script + "CREATE INDEX x ON t(b, a);").count == 1)
  }

  // MARK: Statistics

  @Test func missingStatistics() throws {
    // One index finds half of the table, the other a few rows. Without statistics, SQLite can't tell them apart.
    let script = """
      CREATE TABLE t (id INTEGER PRIMARY KEY, kind INTEGER, owner INTEGER, c TEXT);
      CREATE INDEX onOwner ON t(owner); CREATE INDEX onKind ON t(kind);
      \(DetectorFixture.numbers(5_000)) INSERT INTO t SELECT i, i % 2, i % 1000, 'text' FROM n;
      """
    let sql = "SELECT * FROM t WHERE kind = 1 AND owner = 7"
    let found = try findings(StatisticsDetector(), script, statements: [sql])
    #expect(found.map(\.kind) == [.missingStatistics])
    #expect(found.first?.isProven == true)
    #expect(try findings(StatisticsDetector(), script, statements: ["SELECT * FROM t WHERE owner = 7"]).isEmpty)
    #expect(try findings(StatisticsDetector(), script + "ANALYZE;", statements: [sql]).isEmpty)
  }

  @Test func staleStatistics() throws {
    let script = """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a, b, c TEXT); CREATE INDEX x ON t(a);
      \(DetectorFixture.numbers(20)) INSERT INTO t SELECT -i, i, i, i FROM n; ANALYZE; \(Self.rows)
      """
    let finding = try #require(try findings(StatisticsDetector(), script).first)
    #expect(finding.kind == .staleStatistics)
    #expect(finding.evidence.map(\.value) == [20, 2_020])
    // New statistics change the plan of no statement, so there is no fix.
    #expect(finding.fix == nil && !finding.isProven)
  }

  // MARK: Settings

  @Test func pageSize() throws {
    let script = "PRAGMA page_size = 1024; CREATE TABLE t (id INTEGER PRIMARY KEY, a, b, c TEXT);"
    let rows = "\(DetectorFixture.numbers(20_000)) INSERT INTO t SELECT i, i, i, hex(zeroblob(40)) FROM n;"
    let finding = try #require(try findings(PageSizeDetector(), script + rows).first)
    #expect(finding.kind == .pageSize && finding.isProven)
    #expect(try findings(PageSizeDetector(), script).isEmpty)
    #expect(try findings(PageSizeDetector(), script.replacing("1024", with: "4096") + rows).isEmpty)
  }

  @Test func freeSpace() throws {
    let script = """
      CREATE TABLE t (id INTEGER PRIMARY KEY, c TEXT);
      \(DetectorFixture.numbers(30_000)) INSERT INTO t SELECT i, hex(zeroblob(40)) FROM n;
      """
    #expect(try findings(FreeSpaceDetector(), script).isEmpty)
    let finding = try #require(try findings(FreeSpaceDetector(), script + "DELETE FROM t WHERE id > 9000;").first)
    #expect(finding.kind == .fragmentation)
    #expect((finding.evidence("given back")?.value ?? 0) > 1e6)
    #expect(try findings(FreeSpaceDetector(), "PRAGMA auto_vacuum = 1;" + script).map(\.kind) == [.autoVacuum])
  }

  @Test func journalMode() throws {
    let script = "CREATE TABLE t (id INTEGER PRIMARY KEY, a);"
    // Each setting is measured alone, so that the gain of one setting is not attributed to the other setting.
    let settings = try findings(WriteSettingsDetector(), script)
    #expect(settings.map(\.kind) == [.journalMode, .synchronousMode])
    #expect(settings.map(\.fix?.sql) == [["PRAGMA journal_mode = WAL"], ["PRAGMA synchronous = NORMAL"]])
    let log = "PRAGMA journal_mode = WAL; " + script
    #expect(try findings(WriteSettingsDetector(), log).isEmpty)
    let write = ["INSERT INTO t (a) VALUES (1)"]
    #expect(try findings(WriteSettingsDetector(), log, statements: write).map(\.kind) == [.synchronousMode])
  }

  @Test func cacheSize() throws {
    let script = """
      CREATE TABLE t (id INTEGER PRIMARY KEY, c TEXT);
      \(DetectorFixture.numbers(40_000)) INSERT INTO t SELECT i, hex(zeroblob(60)) FROM n;
      """
    #expect(try findings(CacheSizeDetector(), script, statements: ["SELECT * FROM t WHERE id = 7"]).isEmpty)
    // Whether the statement is slow enough for a note depends on the machine.
    for finding in try findings(CacheSizeDetector(), script, statements: ["SELECT count(*) FROM t NOT INDEXED"]) {
      #expect(finding.kind == .cacheSize && finding.severity == .note && finding.isProven)
    }
  }
}
