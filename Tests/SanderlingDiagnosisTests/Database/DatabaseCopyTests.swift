import Foundation
import SanderlingSQLite
import Testing

@testable import SanderlingDiagnosis

@Suite struct DatabaseCopyTests {
  let fixture: DatabaseFixture

  init() throws {
    fixture = try DatabaseFixture()
  }

  private static let birds =
    "CREATE TABLE bird (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO bird VALUES (1, 'knot');"

  private func birds(_ copy: DatabaseCopy) throws -> [[BoundValue]] {
    try copy.connection.rows("SELECT id, name FROM bird ORDER BY id")
  }

  @Test func rollbackMode() throws {
    _ = try fixture.app("app.sqlite", Self.birds)
    let before = try fixture.state()
    do {
      let copy = try DatabaseCopy(of: fixture.url(), options: fixture.options)
      #expect(try birds(copy) == [[.integer(1), .text("knot")]])
      #expect(!copy.header.usesWriteAheadLog && copy.name == "app.sqlite")
      #expect(try copy.connection.value("PRAGMA journal_mode") == .text("memory"))
      try copy.connection.run("DELETE FROM bird")
    }
    #expect(try fixture.state() == before)
  }

  /// The copy contains rows that are only in the write-ahead log, and the other connection can continue.
  @Test func writeAheadLogInUse() throws {
    let app = try fixture.app("app.sqlite", "PRAGMA journal_mode = WAL; \(Self.birds)")
    try app.run("BEGIN; INSERT INTO bird VALUES (2, 'dunlin')")
    let copy = try DatabaseCopy(of: fixture.url(), options: fixture.options)
    #expect(try birds(copy) == [[.integer(1), .text("knot")]])
    #expect(copy.header.usesWriteAheadLog)
    try app.run("COMMIT")
    #expect(try birds(DatabaseCopy(of: fixture.url(), options: fixture.options)).count == 2)
  }

  /// Copying a database in WAL mode that no connection has open, with or without a log, leaves no new file beside it.
  @Test(arguments: [true, false])
  func writeAheadLogLeft(hasLog: Bool) throws {
    let app = try fixture.app("app.sqlite", "PRAGMA journal_mode = WAL; \(Self.birds)")
    for suffix in ["", "-wal"] where hasLog || suffix.isEmpty {
      if !hasLog { try app.run("PRAGMA wal_checkpoint(TRUNCATE)") }
      try FileManager.default.copyItem(
        atPath: fixture.url().path + suffix, toPath: fixture.url("left.sqlite").path + suffix)
    }
    let before = try fixture.state()
    do {
      let copy = try DatabaseCopy(of: fixture.url("left.sqlite"), options: fixture.options)
      #expect(try birds(copy) == [[.integer(1), .text("knot")]])
    }
    #expect(try fixture.state() == before)
  }

  @Test func lockedByAnotherConnection() throws {
    let app = try fixture.app("app.sqlite", Self.birds)
    try app.run("BEGIN EXCLUSIVE")
    #expect(throws: DiagnosisError.locked(path: fixture.url().path)) {
      _ = try DatabaseCopy(of: fixture.url(), options: fixture.options)
    }
  }

  /// Firefox opens its databases in this way: the index of the log is in the memory of the process, so the copy fails.
  @Test func exclusiveWriteAheadLog() throws {
    let app = try fixture.app("app.sqlite", "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; \(Self.birds)")
    #expect(throws: DiagnosisError.locked(path: fixture.url().path)) {
      _ = try DatabaseCopy(of: fixture.url(), options: fixture.options)
    }
    try app.run("SELECT 1")
  }

  /// A process ended between writing its journal and its commit. Only writing could roll the changed pages back, so the
  /// copy is refused.
  @Test func unfinishedTransaction() throws {
    let app = try fixture.app("app.sqlite", Self.birds)
    try app.run("PRAGMA cache_size = 1; BEGIN")
    try app.run(
      """
      WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
      INSERT INTO bird SELECT i, hex(zeroblob(500)) FROM n
      """)
    for suffix in ["", "-journal"] {
      try FileManager.default.copyItem(
        atPath: fixture.url().path + suffix, toPath: fixture.url("left.sqlite").path + suffix)
    }
    let before = try fixture.state()
    #expect(throws: DiagnosisError.needsRecovery(path: fixture.url("left.sqlite").path)) {
      try DatabaseCopy(of: fixture.url("left.sqlite"), options: fixture.options)
    }
    #expect(try fixture.state() == before)
  }

  @Test func unsuitableFiles() throws {
    let letter = fixture.url("letter.txt")
    try Data(repeating: 65, count: 5000).write(to: letter)
    try Data().write(to: fixture.url("empty"))
    try Data("SQLite format 3\0".utf8).write(to: fixture.url("short"))
    mkfifo(fixture.url("pipe").path, 0o600)
    let path = letter.path
    #expect(throws: DiagnosisError.notADatabase(path: path)) { try DatabaseCopy(of: letter, options: fixture.options) }
    #expect(throws: DiagnosisError.fileEmpty(path: fixture.url("empty").path)) {
      try DatabaseCopy(of: fixture.url("empty"), options: fixture.options)
    }
    #expect(throws: DiagnosisError.self) { try DatabaseCopy(of: fixture.url("short"), options: fixture.options) }
    #expect(throws: DiagnosisError.notAFile(path: fixture.url("pipe").path)) {
      try DatabaseCopy(of: fixture.url("pipe"), options: fixture.options)
    }
    #expect(throws: DiagnosisError.isFolder(path: fixture.folder.path)) {
      try DatabaseCopy(of: fixture.folder, options: fixture.options)
    }
    #expect(throws: DiagnosisError.fileMissing(path: fixture.url("none").path)) {
      try DatabaseCopy(of: fixture.url("none"), options: fixture.options)
    }
  }

  @Test func budgets() throws {
    _ = try fixture.app("app.sqlite", Self.birds)
    var options = fixture.options
    options.diskBudget = 4096
    #expect(throws: DiagnosisError.diskBudget(path: fixture.url().path, bytes: 8192, budget: 4096)) {
      try DatabaseCopy(of: fixture.url(), options: options)
    }
    options.diskBudget = 8192
    let copy = try DatabaseCopy(of: fixture.url(), options: options)
    #expect(throws: DiagnosisError.self) { try copy.connection.run("CREATE INDEX i ON bird (name)") }
    options.cancellation = Cancellation()
    options.cancellation?.cancel()
    #expect(throws: DiagnosisError.stopped(.cancelled)) { try DatabaseCopy(of: fixture.url(), options: options) }
  }

  /// Indexes of the copy are sorted by the stand-in of the app's collation, so that searches find the stored rows.
  @Test func collationOfTheApp() throws {
    let app = try fixture.app()
    app.addCollation("appOrder")
    try app.run(
      """
      CREATE TABLE bird (name TEXT COLLATE appOrder);
      INSERT INTO bird VALUES ('a'), ('b'), ('c'), ('d'), ('e');
      CREATE INDEX birdName ON bird (name);
      """)
    let copy = try DatabaseCopy(of: fixture.url(), options: fixture.options)
    for name in ["a", "b", "c", "d", "e"] {
      #expect(try copy.connection.value("SELECT count(*) FROM bird WHERE name = ?", [.text(name)]) == .integer(1))
    }
    #expect(try copy.makeConnection().value("SELECT max(name) FROM bird") == .text("e"))
    #expect(copy.standIns.notes.count == 1)
    #expect(copy.standIns.notes.first?.contains("appOrder") == true)
  }

  @Test func schemaWithoutRows() throws {
    let copy = try fixture.copy(
      """
      CREATE TABLE bird (id INTEGER PRIMARY KEY, name TEXT, ring TEXT);
      CREATE INDEX birdName ON bird (name); CREATE INDEX birdRing ON bird (ring);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
      INSERT INTO bird SELECT i, 'knot', i FROM n;
      ANALYZE;
      CREATE VIRTUAL TABLE text USING fts5(body); CREATE VIEW v AS SELECT name FROM bird;
      """)
    let schema = try copy.makeSchemaCopy()
    #expect(try schema.value("SELECT count(*) FROM bird") == .integer(0))
    let sql = "EXPLAIN QUERY PLAN SELECT * FROM bird WHERE name = ? AND ring = ?"
    // By the statistics, all names are equal.
    #expect(try schema.rows(sql).last?.last?.text?.contains("birdRing") == true)
    #expect(try schema.rows(sql) == copy.connection.rows(sql))
    #expect(try schema.rows("SELECT * FROM text WHERE text MATCH 'x'") == [])
  }
}
