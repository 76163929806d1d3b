import Foundation
import Testing

@testable import SanderlingDiagnosis

/// A profile contains no value of its database, and no literal of a statement or of the schema.
struct ProfilePrivacyTests {
  /// Random values that only the test's database contains.
  private struct Secrets {
    var random: SeededGenerator
    var texts: Set<String> = []

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func word() -> String {
      let letters = Array("bcdfghjklmnprstvwz")
      let text = "Sec" + String((0..<9).map { _ in letters[Int(random.next() % UInt64(letters.count))] })
      texts.insert(text)
      return text
    }

    mutating func number() -> Int64 {
      let number = Int64(100_000_007 + random.next() % 800_000_000)
      texts.insert(String(number))
      return number
    }

    mutating func real() -> String {
      let text = "\(number()).\(100_000 + random.next() % 899_999)"
      texts.insert(String(text.prefix(12)))
      return text
    }

    mutating func blob() -> String {
      let bytes = (0..<8).map { _ in UInt8(truncatingIfNeeded: random.next()) | 1 }
      let hex = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      texts.formUnion([hex, hex.uppercased(), Data(bytes).base64EncodedString()])
      return hex
    }
  }

  @Test(arguments: [1, 2, ProfileFixture.seed])
  func profileContainsNoValues(seed: UInt64) throws {
    print("SANDERLING_SEED=\(seed)")
    var secrets = Secrets(seed: seed)
    let fixture = try DatabaseFixture()
    let (state, other, number, limit) = (secrets.word(), secrets.word(), secrets.number(), secrets.number())
    let note = secrets.word()
    var sql = """
      CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, phone TEXT, born TEXT, balance REAL,
        state TEXT DEFAULT '\(state)' CHECK (state IN ('\(state)', '\(other)') OR length(state) > 2), -- \(note)
        code INTEGER DEFAULT \(number) CHECK (code <> \(limit)), picture BLOB DEFAULT x'\(secrets.blob())',
        data TEXT, level AS (json_extract(data, '$.level')), /* \(note) */
        kind TEXT GENERATED ALWAYS AS (CASE state WHEN '\(state)' THEN '\(other)' ELSE '\(secrets.word())' END));
      CREATE TABLE event (at INTEGER, person INTEGER REFERENCES person (id), text TEXT, PRIMARY KEY (person, at)) WITHOUT ROWID;
      CREATE INDEX ofState ON person (balance) WHERE state = '\(state)' AND code > \(number);
      CREATE INDEX ofLevel ON person (coalesce(phone, '\(secrets.word())'));
      CREATE VIEW rich AS SELECT name, '\(secrets.word())' AS label FROM person WHERE balance > \(secrets.real());
      CREATE TRIGGER watch AFTER UPDATE ON person WHEN new.state = '\(other)' BEGIN
        UPDATE person SET phone = '\(secrets.word())', code = \(secrets.number()) WHERE id = new.id; END;
      CREATE VIRTUAL TABLE search USING fts5 (title, body);

      """
    var names: [String] = []
    for id in 1...60 {
      names.append(secrets.word())
      let born = "19\(50 + id % 50)-0\(1 + id % 9)-\(10 + id % 18)"
      sql += """
        INSERT INTO person (id, name, phone, born, balance, state, code, picture, data) VALUES (\(id * 7919), '\(names[id - 1])',
          '+49\(secrets.number())', '\(born)', \(secrets.real()), '\(id % 3 == 0 ? state : other)', \(secrets.number()),
          x'\(secrets.blob())', '{"level": \(secrets.number()), "\(secrets.word())": "\(secrets.word())"}');
        INSERT INTO event VALUES (\(secrets.number()), \(id * 7919), '\(secrets.word()) \(secrets.word())');
        INSERT INTO search VALUES ('\(secrets.word())', '\(secrets.word()) \(secrets.word())');

        """
    }
    sql += "ANALYZE;"
    _ = try fixture.app("app.sqlite", sql)
    var workload = Workload()
    let operation = secrets.word()
    let statements = [
      "SELECT * FROM person WHERE name = '\(names[3])' -- \(secrets.word())",
      "SELECT * FROM person WHERE name LIKE '\(names[4].prefix(7))%' OR phone LIKE '%\(secrets.number())%'",
      "SELECT * FROM person WHERE code BETWEEN \(secrets.number()) AND \(secrets.number()) AND state = \"\(secrets.word())\"",
      "SELECT * FROM person WHERE upper(name) = '\(names[5].uppercased())' AND balance + 1 > \(secrets.real())",
      "SELECT printf('\(secrets.word())', code) FROM person WHERE picture = x'\(secrets.blob())' GROUP BY 1",
      "SELECT * FROM person WHERE json_extract(data, '$.level') = \(secrets.number()) AND data ->> 'level' > 3",
      "INSERT INTO person (id, name) VALUES (\(secrets.number()), '\(secrets.word())')",
      "UPDATE person SET phone = '\(secrets.word())' WHERE name IN ('\(names[6])', '\(secrets.word())')",
      "SELECT * FROM search WHERE search MATCH '\(secrets.word()) OR title: \(secrets.word())'",
      "SELECT * FROM person WHERE name = ? AND code > ?2",
      "WITH x AS (SELECT '\(secrets.word())' AS y) SELECT * FROM x WHERE y > '\(secrets.word())'",
      "SELECT this is no statement that parses '\(secrets.word())'",
    ]
    for (index, sql) in statements.enumerated() {
      workload.statements.append(
        WorkloadStatement(
          id: index + 1, fingerprint: sql, sql: sql, operations: [operation: 1], callers: [secrets.word(): 1],
          bindings: [[1: .text(secrets.word()), 2: .integer(secrets.number())], [1: .text(names[7])]],
          places: [InputPlace(source: secrets.word(), line: 1)]))
    }
    let profile = try DatabaseProfile.of(fixture.url(), workload: workload)
    let text = String(decoding: try profile.json, as: UTF8.self)
    secrets.texts.formUnion(names.map { $0.uppercased() } + names.map { String($0.dropFirst(3)) } + [note])
    for secret in secrets.texts { #expect(!text.contains(secret), "\(secret) is in the profile; seed \(seed)") }
    // A short number may be a part of another number by chance, so only whole numbers are compared.
    let numbers = Set(text.matches(of: /[0-9]+/).map { String($0.output) })
    for id in 2...60 { #expect(!numbers.contains("\(id * 7919)"), "the key \(id * 7919) is in the profile") }
    // The replaced names form a valid schema.
    let made = fixture.url("made.sqlite")
    let generated = try profile.generate(at: made, seed: seed)
    #expect(generated.rows == 180)
    let bytes = try Data(contentsOf: made)
    for secret in secrets.texts { #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(secret) is in the database") }
    #expect(profile.trace.split(separator: "\n").count == statements.count - 1)
  }

  /// Literals are also removed at places of a schema where SQLite accepts any text, and where a text has no quotes.
  @Test func unusualPlacesHoldNoValues() throws {
    let fixture = try DatabaseFixture()
    _ = try fixture.app(
      "app.sqlite",
      """
      CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT DEFAULT SECRETword, nick TEXT DEFAULT [SECRETbracket],
        state TEXT DEFAULT NULL CHECK (state <> "SECRETcheck"), made TEXT DEFAULT CURRENT_DATE);
      CREATE INDEX ofState ON person (state) WHERE state = 'SECRETpart';
      CREATE VIEW unnamed AS SELECT name, 'SECRETcolumn', count(*) FILTER (WHERE state = 'SECRETfilter') FROM person GROUP BY 1;
      CREATE TRIGGER watch AFTER INSERT ON person WHEN new.state = "SECRETwhen" BEGIN
        SELECT raise(ABORT, 'SECRETraise'); END;
      CREATE VIRTUAL TABLE search USING fts5 (title, tokenize = "unicode61 tokenchars 'SECRETchars'");
      INSERT INTO person (id, name) VALUES (1, 'SECRETname');
      ANALYZE;
      INSERT INTO sqlite_stat1 VALUES ('SECRETtable', 'SECRETindex', '5 SECRETfigure');
      INSERT INTO sqlite_stat1 VALUES ('person', 'SECRETindex', '5');
      """)
    var reader = WorkloadReader()
    for sql in [
      "SELECT * FROM search WHERE search MATCH 'SECRETfield: SECRETmatch 86753099'",
      "SELECT strftime('%SECRET', made) FROM person",
      #"SELECT * FROM person WHERE name = "SECRETdouble" RETURNING"#,
      #"INSERT INTO person (name) VALUES ("SECRETvalue") ON CONFLICT DO UPDATE SET name = "SECRETset" WHERE name > "SECRETupsert""#,
      #"SELECT sum(id) OVER (ORDER BY name = "SECRETwindow") FROM person"#,
    ] {
      reader.add(sql: sql)
    }
    let profile = try DatabaseProfile.of(fixture.url(), workload: reader.workload)
    let text = String(decoding: try profile.json, as: UTF8.self) + profile.trace
    for mark in ["SECRET", "86753099"] {
      let lines = text.split(separator: "\n").filter { $0.contains(mark) }
      #expect(lines.isEmpty, "\(lines.joined(separator: "\n"))")
    }
    #expect(text.contains("DEFAULT CURRENT_DATE") && text.contains("DEFAULT NULL"))
    #expect(profile.notes.contains { $0.contains("Arguments of the full-text table search were left out") })
    #expect(try profile.generate(at: fixture.url("made.sqlite"), seed: 1).rows == 1)
  }

  /// A column of numbers beyond 64-bit integers, compared with an integer.
  @Test(arguments: ["1e300", "-1e300", "9223372036854775807.0", "9e999"])
  func numbersBeyondIntegers(factor: String) throws {
    let fixture = try DatabaseFixture()
    _ = try fixture.app(
      "app.sqlite",
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, x REAL); CREATE INDEX ofX ON t (x);
      \(DetectorFixture.numbers(200)) INSERT INTO t SELECT i, i * \(factor) FROM n;
      """)
    var reader = WorkloadReader()
    for sql in [
      "SELECT * FROM t WHERE x = 5", "SELECT * FROM t WHERE x * 1e300 > 7 AND x < 9223372036854775807",
      "SELECT * FROM t WHERE x IN (SELECT value FROM json_each('[5, 1e300, 7.5]'))",
    ] {
      reader.add(sql: sql)
    }
    let profile = try DatabaseProfile.of(fixture.url(), workload: reader.workload)
    #expect(try profile.generate(at: fixture.url("made.sqlite"), seed: 3).rows == 200)
    #expect(BoundValue.real(1e300).asWritten(like: .integer(1)) == .real(1e300))
    #expect(BoundValue.real(2.5).asWritten(like: .integer(1)) == .integer(2))
  }

  @Test(arguments: [
    (1e300, Int64.max), (-1e300, .min), (.infinity, .max), (-.infinity, .min), (.nan, 0), (-2.7, -2), (9.3e18, .max),
    (3, 3),
  ])
  func conversionsToIntegersNeverTrap(real: Double, integer: Int64) {
    #expect(Int64(clamping: real) == integer)
  }

  @Test func lengthsAreRounded() {
    #expect((0...8).map(ValueShapes.rounded) == Array(0...8))
    #expect([9, 10, 11, 12, 13, 36, 37, 100, 1001].map(ValueShapes.rounded) == [10, 10, 12, 12, 14, 40, 40, 96, 1024])
  }

  @Test func replacedLiteralsShowOnlyTheirSize() {
    #expect(BoundValue.integer(1_234_567).neutral == .integer(1 << 20))
    #expect(BoundValue.integer(-77).neutral == .integer(-64))
    #expect(BoundValue.integer(.min).neutral == .integer(-(1 << 61)))
    #expect([0, 1].map { BoundValue.integer($0).neutral } == [.integer(0), .integer(1)])
    #expect(BoundValue.real(1234.5).neutral == .real(1024))
    #expect(BoundValue.text("Chamonix 1924").neutral.text?.utf8.count == 14)
    #expect(BoundValue.text("Chamonix 1924").neutral == BoundValue.text("Somebody else").neutral)
  }
}
