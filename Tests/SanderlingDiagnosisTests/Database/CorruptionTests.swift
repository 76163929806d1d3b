import Foundation
import Testing

@testable import SanderlingDiagnosis

/// Databases with damaged bytes. Each gives an error or a result, and the file stays unchanged.
@Suite struct CorruptionTests {
  private static let statements = [
    "SELECT * FROM bird ORDER BY name", "SELECT count(*) FROM bird JOIN ring ON ring.birdID = bird.id WHERE name > ?",
    "SELECT * FROM text WHERE text MATCH 'knot'", "SELECT * FROM heavy", "DELETE FROM bird WHERE name = ?",
    "UPDATE bird SET name = 'x'",
  ]

  private func makeDatabase(_ fixture: DatabaseFixture) throws -> [UInt8] {
    let app = try fixture.app(
      "app.sqlite",
      """
      PRAGMA page_size = 512;
      CREATE TABLE bird (id INTEGER PRIMARY KEY, name TEXT, note TEXT);
      CREATE TABLE ring (birdID INTEGER REFERENCES bird (id) ON DELETE CASCADE, code TEXT, PRIMARY KEY (birdID, code)) WITHOUT ROWID;
      CREATE INDEX birdName ON bird (name COLLATE NOCASE) WHERE note IS NOT NULL;
      CREATE VIRTUAL TABLE text USING fts5(body);
      CREATE VIEW heavy AS SELECT id, name FROM bird WHERE length(note) > 10;
      CREATE TRIGGER changed AFTER UPDATE ON bird BEGIN INSERT INTO text VALUES (new.name); END;
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
      INSERT INTO bird SELECT i, 'knot ' || i, hex(zeroblob(i * 10)) FROM n;
      INSERT INTO ring SELECT id, name FROM bird; INSERT INTO text SELECT name FROM bird; ANALYZE;
      """)
    _ = app
    return [UInt8](try Data(contentsOf: fixture.url()))
  }

  @Test func randomDamage() throws {
    let seed = ProcessInfo.processInfo.environment["SANDERLING_SEED"].flatMap(UInt64.init) ?? .random(in: 0 ... .max)
    var random = SeededGenerator(seed: seed)
    let fixture = try DatabaseFixture()
    let sound = try makeDatabase(fixture)
    var (results, failures) = (0, 0)
    for round in 0..<200 {
      var bytes = sound
      for _ in 0..<(1 + random.next(12)) {
        // Damage in the headers of the file and its pages has more effect than damage in cells.
        let place =
          switch random.next(3) {
          case 0: random.next(100)
          case 1: random.next(bytes.count / 512) * 512 + random.next(16)
          default: random.next(bytes.count)
          }
        bytes[place] = UInt8(truncatingIfNeeded: random.next())
      }
      if random.next(5) == 0 { bytes.removeLast(random.next(bytes.count)) }
      let url = fixture.url("damaged.sqlite")
      try Data(bytes).write(to: url)
      let before = try fixture.state()
      do {
        try diagnose(url, fixture.options)
        results += 1
      } catch is DiagnosisError {
        failures += 1
      } catch {
        Issue.record("\(error), seed \(seed), round \(round)")
      }
      #expect(try fixture.state() == before, "seed \(seed), round \(round)")
    }
    #expect(results > 0 && failures > 0, "seed \(seed)")
  }

  private func diagnose(_ url: URL, _ options: DatabaseCopy.Options) throws {
    let copy = try DatabaseCopy(of: url, options: options)
    copy.connection.budget = StatementBudget(steps: 2_000_000)
    let schema = try DatabaseSchemaReader(connection: copy.connection).read()
    _ = try copy.makeSchemaCopy()
    var runner = StatementRunner(connection: copy.connection)
    runner.stepBudget = 200_000
    let sampler = BindingSampler(connection: copy.connection, schema: schema)
    let counter = PlanCounter(connection: copy.connection, schema: schema)
    for sql in Self.statements {
      do {
        let plan = try PlanReader(connection: copy.connection, schema: schema).plan(of: sql)
        for sample in try sampler.samples(for: sql) {
          _ = try runner.measure(sql, bindings: sample.values)
          _ = counter.counted(plan, of: sql, bindings: sample.values)
        }
      } catch is DiagnosisError {}
    }
    _ = try Trial(connection: copy.connection).run(["CREATE INDEX i ON bird (note)", "ANALYZE"]) {}
  }
}
