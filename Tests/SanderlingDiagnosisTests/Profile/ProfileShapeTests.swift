import Foundation
import Testing

@testable import SanderlingDiagnosis

/// A generated database has as many rows, distinct values and children as the original. Statements find as many rows.
struct ProfileShapeTests {
  private static let schema = """
    CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, country TEXT);
    CREATE TABLE book (
      id INTEGER PRIMARY KEY, author INTEGER REFERENCES author (id), title TEXT NOT NULL, sold INTEGER NOT NULL,
      state TEXT NOT NULL, added TEXT NOT NULL, price REAL);
    CREATE TABLE tag (book INTEGER, word TEXT, PRIMARY KEY (book, word)) WITHOUT ROWID;
    WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
    INSERT INTO author SELECT i, 'Author ' || printf('%04d', i * 7919 % 10007), iif(i % 5, 'C' || (i % 11), NULL) FROM n;
    WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6000)
    INSERT INTO book SELECT i, iif(i % 10 = 0, NULL, iif(i % 4 = 0, 17, 1 + i * 31 % 300)), char(65 + i % 26) || 'ook ' || i,
      i * i % 977, iif(i % 100 = 3, 'lost', iif(i % 3 = 0, 'lent', 'here')),
      date(1500000000 + i * 40000, 'unixepoch'), iif(i % 7, i % 50 + 0.5, NULL) FROM n;
    INSERT OR IGNORE INTO tag SELECT id, 'w' || (id % 13) FROM book UNION SELECT id, 'x' || (sold % 40) FROM book WHERE id % 2;
    CREATE INDEX bookState ON book (state);
    """

  private static let statements: [(sql: String, bindings: [[BoundValue]])] = [
    ("SELECT id FROM book WHERE state = 'lost'", []),
    (
      "SELECT id FROM book WHERE state = ? AND author = ?",
      [[.text("lent"), .integer(17)], [.text("here"), .integer(2)]]
    ),
    ("SELECT id FROM book WHERE sold > 900", []),
    ("SELECT id FROM book WHERE sold BETWEEN ? AND ?", [[.integer(100), .integer(180)]]),
    ("SELECT id FROM book WHERE title LIKE 'Q%'", []),
    ("SELECT id FROM book WHERE title GLOB ?", [[.text("Cook*")]]),
    ("SELECT id FROM book WHERE state IN ('lost', 'lent') AND author IS NULL", []),
    ("SELECT id FROM author WHERE name = ?", [[.text("Author 7919")], [.text("Nobody")]]),
    ("SELECT id FROM book WHERE added >= '2020-01-01'", []),
    ("SELECT id FROM book WHERE state = \"lost\" AND sold < 500", []),
    ("SELECT id FROM book WHERE date(added) < '2018-01-01'", []),
    ("SELECT id FROM book WHERE id IN (SELECT value FROM json_each(?))", [[.text("[3, 4, 99999]")]]),
    ("SELECT book FROM tag WHERE word = 'w5'", []),
    ("SELECT book.id FROM book JOIN author ON author.id = book.author WHERE author.id = 17 AND book.price IS NULL", []),
    ("SELECT id FROM book ORDER BY id LIMIT 20 OFFSET 100", []),
  ]

  @Test(arguments: [1, ProfileFixture.seed])
  func statementsFindAsManyRowsAsInTheOriginal(seed: UInt64) throws {
    print("SANDERLING_SEED=\(seed)")
    let made = try ProfileFixture(Self.schema, Self.statements, seed: seed)
    #expect(made.generated.notes == [])
    for (index, statement) in Self.statements.enumerated() {
      let sets = statement.bindings.isEmpty ? [[]] : statement.bindings
      let expected = try sets.map { Int64(try made.rows(statement.sql, $0, original: true).count) }
      let found = try made.counts(of: index)
      for (one, other) in zip(expected, found) {
        // The profile describes the dependence between columns only in ranges, and by day.
        #expect(
          abs(one - other) <= max(2, one / 12),
          "\(statement.sql): \(one) and \(other), \(made.profile.content.statements[index])")
      }
    }
  }

  @Test func shapesAreTheSame() throws {
    let made = try ProfileFixture(Self.schema, Self.statements)
    let shapes = [
      "SELECT count(*) FROM author", "SELECT count(*) FROM book", "SELECT count(*) FROM tag",
      "SELECT count(DISTINCT author) FROM book", "SELECT count(*) FROM book WHERE author IS NULL",
      "SELECT count(DISTINCT title) FROM book", "SELECT count(DISTINCT sold) FROM book",
      "SELECT count(DISTINCT price) FROM book",
      "SELECT count(*) FROM book WHERE price IS NULL", "SELECT count(DISTINCT word) FROM tag",
      // The greatest number of children, and the number of parents without children.
      "SELECT max(n) FROM (SELECT count(*) AS n FROM book WHERE author IS NOT NULL GROUP BY author)",
      "SELECT count(*) FROM author WHERE id NOT IN (SELECT author FROM book WHERE author IS NOT NULL)",
      "SELECT max(n) FROM (SELECT count(*) AS n FROM author GROUP BY country)",
      "SELECT count(*) FROM book WHERE typeof(price) = 'real'", "SELECT count(*) FROM book WHERE date(added) IS added",
      // The number of neighbouring keys whose dates descend.
      "SELECT count(*) FROM book a JOIN book b ON b.id = a.id + 1 WHERE b.added < a.added",
      "SELECT count(*) FROM pragma_foreign_key_check",
    ]
    for sql in shapes { #expect(try made.count(sql) == made.count(sql, original: true), "\(sql)") }
    let length = "SELECT sum(length(title)) FROM book"
    let (one, other) = (try made.count(length), try made.count(length, original: true))
    #expect(abs(one - other) * 8 < other)
  }

  @Test func theSameSeedMakesTheSameRows() throws {
    let made = try ProfileFixture(Self.schema, Self.statements, seed: 5)
    func rows(_ name: String) throws -> [[[BoundValue]]] {
      let connection = try SQLiteConnection(path: made.fixture.url(name).path, mode: .readOnly)
      return try ["author", "book", "tag"].map { try connection.rows("SELECT * FROM \($0)") }
    }
    try made.profile.generate(at: made.fixture.url("again.sqlite"), seed: 5)
    try made.profile.generate(at: made.fixture.url("other.sqlite"), seed: 6)
    #expect(try rows("made.sqlite") == rows("again.sqlite"))
    #expect(try rows("made.sqlite") != rows("other.sqlite"))
    // A profile is the same each time it is created.
    let again = try DatabaseProfile.of(made.fixture.url())
    #expect(try again.json == DatabaseProfile.of(made.fixture.url()).json)
  }

  @Test func diagnosisFindsTheSameAsInTheOriginal() throws {
    let made = try ProfileFixture(Self.schema, Self.statements)
    func report(_ name: String, _ workload: Workload) throws -> DiagnosisReport {
      try Diagnosis(database: made.fixture.url(name)).run(workload)
    }
    let trace = made.fixture.url("trace.jsonl")
    try Data(made.profile.trace.utf8).write(to: trace)
    var (original, other) = (WorkloadReader(), WorkloadReader())
    try other.addLog(at: trace)
    for (sql, _) in Self.statements { original.add(sql: sql) }
    let statements = Set([1, 3, 5, 14])
    func some(_ workload: Workload) -> Workload {
      Workload(statements: workload.statements.filter { statements.contains($0.id) })
    }
    let comparison = ProfileComparison(
      name: "books", original: try report("app.sqlite", some(original.workload)),
      generated: try report("made.sqlite", some(other.workload)))
    #expect(!comparison.original.indexes.isEmpty)
    #expect(comparison.original.indexes == comparison.generated.indexes, "\(comparison.differences)")
    #expect(comparison.original.found == comparison.generated.found, "\(comparison.differences)")
  }

  @Test func manyRowsAreSampled() throws {
    let made = try ProfileFixture(
      """
      CREATE TABLE log (id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, at INTEGER NOT NULL);
      WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 620000)
      INSERT INTO log SELECT i, iif(i % 50 = 0, 7, i % 3), i * 60 FROM n;
      CREATE INDEX logKind ON log (kind);
      """, [("SELECT id FROM log WHERE kind = 7 AND at > 30000000", [])])
    let sampled = try #require(made.profile.content.tables[0].sampledRows)
    #expect((200_000..<620_000).contains(sampled))
    #expect(try made.count("SELECT count(*) FROM log") == 620_000)
    #expect(try abs(made.counts(of: 0)[0] - 2400) < 240)
  }
}
