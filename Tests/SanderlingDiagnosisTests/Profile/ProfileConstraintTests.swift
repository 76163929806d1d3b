import Foundation
import Testing

@testable import SanderlingDiagnosis

/// The constraints of the schema hold in a generated database, or the generator names those that don't.
struct ProfileConstraintTests {
  @Test func keysAreUnique() throws {
    let made = try ProfileFixture(
      """
      CREATE TABLE list (id TEXT PRIMARY KEY, name TEXT COLLATE NOCASE UNIQUE);
      CREATE TABLE entry (list TEXT NOT NULL REFERENCES list, position INTEGER NOT NULL, word TEXT, PRIMARY KEY (list, position)) WITHOUT ROWID;
      CREATE TABLE pair (a INTEGER, b INTEGER, c TEXT, UNIQUE (a, b)) STRICT;
      WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50) INSERT INTO list SELECT 'l' || i, 'N' || i FROM n;
      WITH n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 1999)
      INSERT INTO entry SELECT 'l' || (1 + i / 40), i % 40, 'w' || i FROM n;
      WITH n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 899)
      INSERT INTO pair SELECT i / 30, i % 30, iif(i % 4, 'a', 'b') FROM n;
      CREATE UNIQUE INDEX words ON entry (word);
      """, [("SELECT * FROM pair WHERE a = 3 AND b = 4", []), ("SELECT * FROM entry WHERE position = 5", [])])
    #expect(made.generated.notes == [])
    #expect(try made.count("SELECT count(*) FROM entry") == 2000)
    #expect(try made.count("SELECT count(*) FROM pair") == 900)
    #expect(try made.count("SELECT count(*) FROM pragma_foreign_key_check") == 0)
    #expect(try made.rows("PRAGMA integrity_check") == [[.text("ok")]])
    #expect(try made.counts(of: 0) == [1])
    #expect(try made.counts(of: 1) == [50])
  }

  @Test func checksHoldWhereTheyCompare() throws {
    let made = try ProfileFixture(
      """
      CREATE TABLE item (id INTEGER PRIMARY KEY, state TEXT CHECK (state IN ('new', 'old', 'gone')),
        stars INTEGER CHECK (stars BETWEEN 1 AND 5), flag BOOLEAN NOT NULL CHECK (flag IN (0, 1)), code TEXT CHECK (length(code) = 4),
        twice INTEGER AS (stars * 2) STORED, CHECK (stars IS NULL OR state <> 'gone' OR stars < 4));
      WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600)
      INSERT INTO item (id, state, stars, flag, code)
      SELECT i, iif(i % 3 = 0, 'gone', iif(i % 2, 'new', 'old')), iif(i % 3 = 0, 1 + i % 2, 1 + i % 5), i % 2, printf('%04x', i * 77) FROM n;
      """)
    #expect(try made.count("SELECT count(*) FROM item WHERE twice = 2 * stars") == 600)
    #expect(try made.count("SELECT count(*) FROM item WHERE stars NOT BETWEEN 1 AND 5 OR flag NOT IN (0, 1)") == 0)
    // A CHECK that is no comparison may fail, and the generator reports it.
    let failures = try made.rows("PRAGMA quick_check").count { $0[0].text?.contains("CHECK") == true }
    #expect((failures > 0) == made.generated.notes.contains { $0.contains("CHECK") })
  }

  @Test func fullTextTablesAreFilledOrIndexedAgain() throws {
    let made = try ProfileFixture(
      """
      CREATE TABLE note (id INTEGER PRIMARY KEY, title TEXT, body TEXT);
      WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
      INSERT INTO note SELECT i, 'Title ' || i, iif(i % 10 = 0, 'with saffron ', 'plain ') || hex(i * 7919) FROM n;
      CREATE VIRTUAL TABLE noteText USING fts5 (title, body, content = 'note', content_rowid = 'id');
      INSERT INTO noteText (noteText) VALUES ('rebuild');
      CREATE VIRTUAL TABLE own USING fts5 (words, tokenize = 'porter');
      INSERT INTO own (rowid, words) SELECT id, body FROM note;
      CREATE VIRTUAL TABLE older USING fts4 (words);
      INSERT INTO older SELECT body FROM note LIMIT 100;
      CREATE TRIGGER noteAdded AFTER INSERT ON note BEGIN
        INSERT INTO noteText (rowid, title, body) VALUES (new.id, new.title, new.body); END;
      """,
      [
        ("SELECT rowid FROM own WHERE own MATCH 'saffron'", []),
        ("SELECT rowid FROM noteText WHERE noteText MATCH ?", [[.text("saffron")]]),
        ("SELECT id FROM note WHERE body LIKE '%saffron%'", []),
      ])
    #expect(made.generated.notes == [])
    #expect(try made.count("SELECT count(*) FROM own") == 500)
    #expect(try made.count("SELECT count(*) FROM older") == 100)
    #expect(try made.count("SELECT count(*) FROM noteText") == 500)
    #expect(try made.count("SELECT count(*) FROM note") == 500)
    for index in 0..<3 {
      #expect(try (25...80).contains(made.counts(of: index)[0]), "\(made.profile.content.statements[index].sql)")
    }
    #expect(try made.count("SELECT count(*) FROM sqlite_master WHERE type = 'trigger'") == 1)
  }

  @Test func settingsAndStatisticsAreKept() throws {
    let made = try ProfileFixture(
      """
      PRAGMA page_size = 8192; PRAGMA auto_vacuum = 2; PRAGMA journal_mode = WAL;
      CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, a TEXT, b);
      CREATE INDEX byA ON t (a DESC, b COLLATE NOCASE);
      WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100) INSERT INTO t (a, b) SELECT 'a' || i % 7, i FROM n;
      ANALYZE;
      WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 900) INSERT INTO t (a, b) SELECT 'a' || i % 9, x'0102' FROM n;
      """)
    for sql in [
      "PRAGMA page_size", "PRAGMA auto_vacuum", "SELECT count(*) FROM t",
      "SELECT count(*) FROM t WHERE typeof(b) = 'blob'",
      "SELECT count(*) FROM t WHERE typeof(b) = 'integer'", "SELECT count(DISTINCT a) FROM t",
      "SELECT seq FROM sqlite_sequence",
    ] { #expect(try made.count(sql) == made.count(sql, original: true), "\(sql)") }
    #expect(try made.rows("PRAGMA journal_mode") == [[.text("wal")]])
    // The copied statistics are out of date, as in the original.
    let statistics = "SELECT tbl, idx, stat FROM sqlite_stat1"
    #expect(try made.rows(statistics) == made.rows(statistics, original: true))
    #expect(
      try made.rows("SELECT \"desc\", coll FROM pragma_index_xinfo('byA')")
        == made.rows("SELECT \"desc\", coll FROM pragma_index_xinfo('byA')", original: true))
  }

  @Test func emptyTablesAndOddNames() throws {
    let made = try ProfileFixture(
      """
      CREATE TABLE empty (a, b);
      CREATE TABLE "odd "" name" ("value" INTEGER, n TEXT, "place" TEXT, "select" REAL, onlyNull);
      INSERT INTO "odd "" name" VALUES (1, 'x', 'p', 1.5, NULL), (9223372036854775807, 'y', 'p', -1e300, NULL), (-9223372036854775808, '', NULL, 9e999, NULL);
      CREATE INDEX oddIndex ON "odd "" name" ("value", "select");
      """)
    #expect(made.generated.rows == 3)
    #expect(try made.count("SELECT count(DISTINCT \"value\") FROM \"odd \"\" name\"") == 3)
    #expect(try made.count("SELECT count(*) FROM \"odd \"\" name\" WHERE onlyNull IS NULL") == 3)
  }

  @Test func filesThatExistAreLeftAlone() throws {
    let made = try ProfileFixture("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    let before = try made.fixture.state()
    #expect(throws: ProfileError.fileExists(path: made.fixture.url().path)) {
      try made.profile.generate(at: made.fixture.url(), seed: 1)
    }
    #expect(throws: ProfileError.self) { try made.profile.generate(at: URL(filePath: "/no/folder/a.sqlite"), seed: 1) }
    #expect(try made.fixture.state() == before)
    #expect(throws: DiagnosisError.self) { try DatabaseProfile.of(made.fixture.url("none.sqlite")) }
  }

  /// A profile of unknown origin is refused, or a database is generated from it. It can't end the process.
  @Test func damagedProfiles() throws {
    #expect(throws: ProfileError.notAProfile) { try DatabaseProfile(json: Data("{}".utf8)) }
    #expect(throws: ProfileError.notAProfile) { try DatabaseProfile(json: Data([0, 1, 2])) }
    #expect(throws: ProfileError.unknownVersion(99)) {
      try DatabaseProfile(json: Data(#"{"format": "sanderling-profile", "version": 99}"#.utf8))
    }
    let made = try ProfileFixture(
      """
      CREATE TABLE a (id INTEGER PRIMARY KEY, b TEXT, c INTEGER);
      WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200) INSERT INTO a SELECT i, 'b' || i % 9, i % 4 FROM n;
      """, [("SELECT * FROM a WHERE b = 'b1' AND c > 2", [])])
    let text = String(decoding: try made.profile.json, as: UTF8.self)
    let numbers = text.matches(of: /-?\d+/).map(\.range)
    let seed = ProfileFixture.seed
    print("SANDERLING_SEED=\(seed)")
    var random = SeededGenerator(seed: seed)
    var refused = 0
    for round in 0..<150 {
      let other = ["-1", "0", "3", "250", "9223372036854775807", "-9223372036854775808"][Int(random.next() % 6)]
      let range = numbers[Int(random.next() % UInt64(numbers.count))]
      let url = made.fixture.url("damaged-\(round).sqlite")
      do {
        let profile = try DatabaseProfile(json: Data(text.replacingCharacters(in: range, with: other).utf8))
        // Generating more rows would take too long.
        guard profile.rows < 100_000 else { continue }
        try profile.generate(at: url, seed: 1)
      } catch is ProfileError {
        refused += 1
        #expect(!FileManager.default.fileExists(atPath: url.path))
      }
    }
    #expect(refused > 10)
    // A range of values begins where the previous range begins, so it is empty.
    let empty = text.replacing("[0, 1, 2, 3]", with: "[0, 0, 2, 3]")
    #expect(empty != text)
    #expect(throws: ProfileError.self) { try DatabaseProfile(json: Data(empty.utf8)) }
    // A statement that is no part of a schema is not run.
    let hostile = text.replacing("CREATE TABLE a", with: "DELETE FROM a; --")
    #expect(throws: ProfileError.self) {
      try DatabaseProfile(json: Data(hostile.utf8)).generate(at: made.fixture.url("hostile.sqlite"), seed: 1)
    }
  }
}
