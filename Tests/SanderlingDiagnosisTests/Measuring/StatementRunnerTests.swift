import Synchronization
import Testing

@testable import SanderlingDiagnosis

/// Measurements on 1,000 birds of 10 species with 100 each, 200 bytes a row.
@Suite struct StatementRunnerTests {
  let fixture: DatabaseFixture
  let copy: DatabaseCopy
  let runner: StatementRunner

  init() throws {
    fixture = try DatabaseFixture()
    copy = try fixture.copy(
      """
      CREATE TABLE bird (id INTEGER PRIMARY KEY, species INTEGER, ring TEXT);
      CREATE TABLE log (message TEXT);
      CREATE TRIGGER logged AFTER DELETE ON bird BEGIN INSERT INTO log VALUES (old.id); END;
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
      INSERT INTO bird SELECT i, i % 10, hex(zeroblob(100)) FROM n;
      """)
    runner = StatementRunner(connection: copy.connection)
  }

  @Test func figures() throws {
    let scan = try runner.measure("SELECT * FROM bird WHERE species = ? ORDER BY ring", bindings: [1: .integer(3)])
    #expect(scan.isComplete && scan.rowsReturned == 100 && scan.scannedRows == 999 && scan.sorts == 1)
    // All pages of the table, read from the file in the first run.
    let pages = try #require(try DatabaseSchemaReader(connection: copy.connection).read().table("bird")?.pages)
    #expect(pages > 50 && scan.coldPages >= pages && scan.coldPages <= pages + 2 && scan.pages >= scan.coldPages)
    let search = try runner.measure("SELECT * FROM bird WHERE id = 7")
    #expect(search.steps < scan.steps / 100 && search.coldPages <= 3 && search.scannedRows == 0)
    #expect(search.steps == (try runner.measure("SELECT * FROM bird WHERE id = 7").steps))
    let join = try runner.measure("SELECT count(*) FROM bird a JOIN bird b ON a.ring || a.id = b.ring || b.id")
    #expect(join.rowsReturned == 1)
  }

  /// For a cold run, the cache is as empty as that of a new connection, also within a trial.
  @Test func coldIsCold() throws {
    let sql = "SELECT count(*) FROM bird WHERE species = 3"
    let fresh = try copy.makeConnection()
    _ = try fresh.value("SELECT 1 FROM sqlite_master")
    let expected = try StatementRunner(connection: fresh).measure(sql)
    #expect(try runner.measure(sql).coldPages == expected.coldPages)
    let trial = try Trial(connection: copy.connection).run(["CREATE INDEX i ON bird (species, ring)"]) {
      try runner.measure("SELECT ring FROM bird WHERE species = 3")
    }
    #expect(trial.value.coldPages > 3 && trial.value.coldPages <= trial.pages && trial.value.scannedRows == 0)
  }

  @Test func writesAreUndone() throws {
    let delete = try runner.measure("DELETE FROM bird WHERE species = ?", bindings: [1: .integer(3)])
    #expect(delete.rowsReturned == 100 && delete.isComplete)
    #expect(
      try copy.connection.rows("SELECT count(*), (SELECT count(*) FROM log) FROM bird") == [
        [.integer(1000), .integer(0)]
      ])
    #expect(throws: DiagnosisError.self) { try runner.measure("DROP TABLE bird") }
    #expect(throws: DiagnosisError.self) { try runner.measure("INSERT INTO bird (id) VALUES (1)") }
    #expect(try copy.connection.value("SELECT count(*) FROM bird") == .integer(1000))
  }

  @Test func budgets() throws {
    var runner = runner
    runner.stepBudget = 5000
    let stopped = try runner.measure("SELECT count(*) FROM bird a, bird b WHERE a.ring > b.ring")
    #expect(!stopped.isComplete && stopped.steps >= 5000 && stopped.steps < 20_000)
    runner.stepBudget = .max
    runner.timeBudget = .zero
    #expect(try !runner.measure("SELECT count(*) FROM bird a, bird b WHERE a.ring > b.ring").isComplete)
    // A run that the connection's budget stops says nothing about the statement.
    #expect(throws: DiagnosisError.stopped(.time)) {
      try copy.connection.limited(to: .zero) {
        try runner.measure("SELECT count(*) FROM bird a, bird b WHERE a.ring > b.ring")
      }
    }
    runner.timeBudget = .seconds(60)
    let cancellation = Cancellation()
    cancellation.cancel()
    #expect(throws: DiagnosisError.stopped(.cancelled)) {
      try copy.connection.limited(to: StatementBudget(cancellation: cancellation)) {
        try runner.measure("SELECT * FROM bird a, bird b")
      }
    }
    #expect(try copy.connection.value("SELECT 1") == .integer(1))
  }

  /// The warm time is the shortest of the warm runs, by the clock that is passed in.
  @Test func times() throws {
    let clock = ManualTime()
    var runner = runner
    runner.now = { clock.advance() }
    let measurement = try runner.measure("SELECT 1")
    #expect(measurement.coldTime > measurement.warmTime && measurement.warmTime == .milliseconds(1))
  }

  @Test func trialsAreUndone() throws {
    let trial = Trial(connection: copy.connection)
    let sql = "EXPLAIN QUERY PLAN SELECT * FROM bird WHERE species = 3 AND ring = 'x'"
    try copy.connection.run("CREATE INDEX bySpecies ON bird (species)")
    try copy.connection.run("CREATE INDEX byRing ON bird (ring)")
    try copy.connection.run("ANALYZE")
    let before = try copy.connection.rows(sql)
    let outcome = try trial.run(["UPDATE bird SET ring = id", "ANALYZE"]) { try copy.connection.rows(sql) }
    #expect(outcome.value != before)
    #expect(try copy.connection.rows(sql) == before)
    let index = try trial.run(["CREATE INDEX i ON bird (species, ring)"]) {}
    #expect(index.pages > 40)
    let drop = try trial.run(["DROP INDEX byRing"]) {}
    #expect(drop.pages < -40)
    #expect(throws: DiagnosisError.self) { try trial.run(["CREATE INDEX i ON none (a)"]) {} }
    #expect(throws: DiagnosisError.self) { try trial.run(["ATTACH 'x' AS y"]) {} }
    #expect(try copy.connection.rows(sql) == before)
  }

  @Test func rebuilt() throws {
    let rebuilt = try copy.makeRebuiltCopy(pageSize: 8192)
    #expect(try rebuilt.value("PRAGMA page_size") == .integer(8192))
    #expect(try rebuilt.value("SELECT count(*) FROM bird") == .integer(1000))
  }
}

/// A clock that advances by one millisecond with each reading, and by a second at the second reading.
final class ManualTime: Sendable {
  private let looks = Mutex((count: 0, time: Duration.zero))

  func advance() -> Duration {
    looks.withLock {
      $0.count += 1
      // The second reading is at the end of the cold run.
      $0.time += $0.count == 2 ? .seconds(1) : .milliseconds(1)
      return $0.time
    }
  }
}
