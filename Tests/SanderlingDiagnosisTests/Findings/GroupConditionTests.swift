import Foundation
import Testing

@testable import SanderlingDiagnosis

/// Conditions that a rewrite moves from HAVING to WHERE.
@Suite struct GroupConditionTests {
  private let fixture: DetectorFixture

  init() throws {
    fixture = try DetectorFixture(
      """
      CREATE TABLE message (id INTEGER PRIMARY KEY, thread INTEGER, locked INTEGER DEFAULT 0, at INTEGER, label TEXT COLLATE NOCASE,
        day TEXT, extra);
      CREATE TABLE draft (id INTEGER PRIMARY KEY, thread INTEGER, locked INTEGER DEFAULT 0);
      CREATE TABLE seat (row TEXT NOT NULL COLLATE NOCASE, place INTEGER NOT NULL, code TEXT UNIQUE, price REAL,
        PRIMARY KEY (row, place)) WITHOUT ROWID;
      CREATE TABLE thread (id INTEGER PRIMARY KEY, name TEXT);
      CREATE INDEX message_locked ON message (locked); CREATE INDEX draft_locked ON draft (locked);
      CREATE INDEX message_at ON message (at); CREATE INDEX message_day ON message (day);
      CREATE INDEX seat_price ON seat (price); CREATE INDEX message_label ON message (label);
      \(DetectorFixture.numbers(5_000)) INSERT INTO message
        SELECT i, i % 300, i % 600 = 0, i * 5, 'Label ' || (i % 400), printf('%05d', i), i % 50 FROM n;
      \(DetectorFixture.numbers(2_000)) INSERT INTO draft SELECT i, i % 50, i % 900 = 0 FROM n;
      \(DetectorFixture.numbers(2_000)) INSERT INTO seat SELECT 'r' || (i / 40), i % 40, 'c' || i, i * 1.0 FROM n;
      \(DetectorFixture.numbers(320)) INSERT INTO thread SELECT i, 'Thread ' || i FROM n;
      """, showsValues: true)
  }

  /// The rewrite of the statement, whether it gains anything or not; nil if there is none.
  private func form(_ sql: String) throws -> String? {
    let analyzed = try fixture.analyzed(sql)
    let statement = try #require(MovableStatement(analyzed, schema: fixture.context.schema), "\(sql)")
    let moved = statement.shape.resolved.cores.compactMap { RowConditions(of: $0, statement, fixture.context.schema) }
    guard !moved.isEmpty else { return nil }
    var rewriter = SQLRewriter(statement.text)
    for conditions in moved { rewriter.replace(conditions.range, with: conditions.sql) }
    return rewriter.rewritten()
  }

  @Test(arguments: [
    (
      "SELECT id FROM message GROUP BY id HAVING locked=1 UNION SELECT id FROM draft GROUP BY id HAVING locked=1 LIMIT 1",
      "SELECT id FROM message WHERE locked=1 UNION SELECT id FROM draft WHERE locked=1 LIMIT 1"
    ),
    (
      "SELECT id, max(at), count(*) FROM message WHERE at > 5 OR id = 3 GROUP BY 1 HAVING locked = 1 AND max(at) + 1 > 7 ORDER BY id",
      "SELECT id, max(at), count(*) FROM message WHERE (at > 5 OR id = 3) AND locked = 1 GROUP BY 1 HAVING max(at) + 1 > 7 ORDER BY id"
    ),
    (
      "SELECT place FROM seat GROUP BY place, code, row HAVING (price > 1980 OR code = 'c7') AND lower(row) <> 'r0'",
      "SELECT place FROM seat WHERE (price > 1980 OR code = 'c7') AND lower(row) <> 'r0'"
    ),
    (
      "SELECT thread, max(at) AS last FROM message GROUP BY thread HAVING max(at) >= 24900 ORDER BY last DESC LIMIT 9",
      "SELECT thread, max(at) AS last FROM message WHERE at >= 24900 GROUP BY thread ORDER BY last DESC LIMIT 9"
    ),
    (
      "SELECT t.name, min(m.day) AS first FROM thread t LEFT JOIN message m ON m.thread = t.id GROUP BY t.name HAVING '00020' > first",
      "SELECT t.name, min(m.day) AS first FROM thread t LEFT JOIN message m ON m.thread = t.id WHERE m.day < '00020' GROUP BY t.name"
    ),
    (
      "SELECT thread FROM message GROUP BY thread HAVING max(at) BETWEEN 24900 AND 24950 AND max(at) <> 24940",
      "SELECT thread FROM message WHERE at >= 24900 GROUP BY thread HAVING max(at) BETWEEN 24900 AND 24950 AND max(at) <> 24940"
    ),
    (
      "SELECT id FROM thread WHERE id IN (SELECT thread FROM message GROUP BY thread HAVING min(at) <= 30)",
      "SELECT id FROM thread WHERE id IN (SELECT thread FROM message WHERE at <= 30 GROUP BY thread)"
    ),
    (
      "SELECT label, count(*) FROM message GROUP BY label HAVING label = 'LABEL 3' AND count(*) > 1",
      "SELECT label, count(*) FROM message WHERE label = 'LABEL 3' GROUP BY label HAVING count(*) > 1"
    ),
    (
      "SELECT at, count(*) FROM message GROUP BY at HAVING at IN (SELECT id FROM draft WHERE locked = 1)",
      "SELECT at, count(*) FROM message WHERE at IN (SELECT id FROM draft WHERE locked = 1) GROUP BY at"
    ),
  ])
  func conditionsOfHavingOnRowsMoveToWhere(sql: String, other: String) throws {
    #expect(try form(sql) == other)
    #expect(Set(try fixture.context.rows(sql)) == Set(try fixture.context.rows(other)))
    let finding = try #require(try fixture.findings(GroupConditionDetector(), sql).first)
    #expect(finding.kind == .groupWithoutIndex && finding.isProven)
    #expect(finding.fix?.sql == [other])
  }

  /// The rewrite keeps SQLite from choosing the index of the grouped column, which doesn't serve the condition.
  @Test func groupsDoNotChooseTheIndex() throws {
    try fixture.context.connection.run("CREATE INDEX message_thread ON message (thread)")
    let sql = "SELECT thread, max(at) FROM message GROUP BY thread HAVING max(at) >= 24900"
    let other = "SELECT thread, max(at) FROM message WHERE at >= 24900 GROUP BY +thread"
    #expect(try fixture.findings(GroupConditionDetector(), sql).first?.fix?.sql == [other])
    #expect(Set(try fixture.context.rows(sql)) == Set(try fixture.context.rows(other)))
  }

  private static let groups = [
    // The condition concerns a group of several rows, and may differ among them.
    "SELECT thread FROM message GROUP BY thread HAVING locked = 1",
    "SELECT code FROM seat GROUP BY code HAVING price > 3",
    "SELECT row FROM seat GROUP BY row, place COLLATE NOCASE HAVING count(*) > 1",
    "SELECT id, count(*) AS n FROM message GROUP BY id HAVING n = 1",
    "SELECT m.id FROM message m JOIN draft d ON d.thread = m.thread GROUP BY m.id HAVING d.locked = 1",
    "SELECT id FROM message GROUP BY id HAVING at > random()",
    "SELECT label, count(*) FROM message GROUP BY label HAVING length(trim(label)) = 3 OR label GLOB 'L*'",
    // The subquery contains an aggregate of the outer groups.
    "SELECT id FROM message GROUP BY id HAVING (SELECT count(message.at)) = 0",
    // Other rows of the group are counted or may be shown.
    "SELECT thread, max(at), count(*) FROM message GROUP BY thread HAVING max(at) >= 24900",
    "SELECT thread, id FROM message GROUP BY thread HAVING max(at) >= 24900",
    "SELECT thread, max(at), min(at) FROM message GROUP BY thread HAVING max(at) >= 24900",
    "SELECT thread, max(at), max(day) FROM message GROUP BY thread HAVING max(at) >= 24900",
    "SELECT label, max(at) FROM message GROUP BY label HAVING max(at) >= 24900",
    "SELECT thread FROM message GROUP BY thread HAVING max(at) >= 24900 ORDER BY count(*)",
    "SELECT thread, (SELECT count(message.at)) FROM message GROUP BY thread HAVING max(at) >= 24900",
    // The opposite end, another function, a value that varies by group, and comparisons of texts or with a collation.
    "SELECT thread FROM message GROUP BY thread HAVING max(at) <= 24900",
    "SELECT thread FROM message GROUP BY thread HAVING min(at) > 24900",
    "SELECT thread FROM message GROUP BY thread HAVING max(at) FILTER (WHERE locked) >= 24900",
    "SELECT thread FROM message GROUP BY thread HAVING max(DISTINCT at) >= 24900",
    "SELECT thread FROM message GROUP BY thread HAVING max(at) >= thread",
    "SELECT thread FROM message GROUP BY thread HAVING max(label) >= 'label'",
    "SELECT thread FROM message GROUP BY thread HAVING max(day) >= 'x' COLLATE NOCASE",
    "SELECT thread FROM message GROUP BY thread HAVING max(day) >= CAST(7 AS TEXT)",
    "SELECT thread FROM message GROUP BY thread HAVING max(at) >= 24900 OR max(at) = 7",
    "SELECT max(at) FROM message HAVING max(at) >= 24900",
    // The plan decides which rows LIMIT keeps.
    "SELECT id FROM message GROUP BY id HAVING locked = 1 LIMIT 3",
  ]

  @Test func conditionsOnGroupsStayInHaving() throws {
    for sql in Self.groups { #expect(try form(sql) == nil, "\(sql)") }
  }

  /// A condition stays in HAVING if its value has another type than the column. The column's affinity converts the
  /// value, but the affinity of max() doesn't.
  @Test(arguments: [
    ("max(at) >= '24900'", nil), ("max(day) >= 4900", nil), ("max(at) >= ?1", BoundValue.text("24900")),
    ("max(day) >= ?1", .integer(4900)),
  ])
  func valuesOfAnotherTypeAreComparedByHaving(condition: String, value: BoundValue?) throws {
    let sql = "SELECT thread FROM message GROUP BY thread HAVING \(condition)"
    #expect(
      try fixture.findings(GroupConditionDetector(), sql, bindings: value.map { [[1: $0]] } ?? []).isEmpty)
  }

  @Test func valuesOfTheColumnsTypeAreComparedByWhere() throws {
    let sql = "SELECT thread, max(day) FROM message GROUP BY thread HAVING max(day) >= ?"
    let finding = try #require(
      try fixture.findings(GroupConditionDetector(), sql, bindings: [[1: .text("04950")]]).first)
    #expect(finding.fix?.sql == ["SELECT thread, max(day) FROM message WHERE day >= ?1 GROUP BY thread"])
    #expect(finding.limits == ["The same as long as the value that day is compared with is no number."])
  }

  private static let anyRows = [
    "SELECT id, at FROM message GROUP BY id HAVING locked = 1 AND day > '1'",
    "SELECT id FROM message GROUP BY id HAVING locked IS NULL UNION ALL SELECT id FROM draft GROUP BY id HAVING NOT locked",
    "SELECT thread, max(at) FROM message GROUP BY thread HAVING max(at) > 1",
    "SELECT thread, min(day) FROM message GROUP BY thread HAVING min(day) <= 'a' AND thread IS NOT 2",
    "SELECT locked, min(extra) FROM message GROUP BY locked HAVING min(extra) BETWEEN 1 AND 2",
    "SELECT thread, max(extra) FROM message GROUP BY thread HAVING max(extra) = 'a'",
    "SELECT d.thread, max(m.at) FROM draft d LEFT JOIN message m ON m.thread = d.id GROUP BY d.thread HAVING max(m.at) >= 1",
    "SELECT count(*), max(at) FROM message GROUP BY label HAVING label = 'a'",
    "SELECT count(*) FROM message GROUP BY label HAVING label IN (SELECT day FROM message WHERE at > 0)",
    "SELECT day, count(*) FROM message GROUP BY day HAVING day NOT IN (SELECT label FROM message WHERE at > 1)",
  ]

  /// Rewrites return the rows of their statements on random tables with NULLs, ties, values of other types, and no
  /// rows.
  @Test func rewritesReturnTheSameRandomRows() throws {
    let forms = try Self.anyRows.map { ($0, try #require(try form($0), "\($0)")) }
    var random = SeededRandom(7)
    let values = ["NULL", "0", "1", "2", "1.5", "'a'", "'A'", "'b'", "''", "'2'", "x'61'"]
    let connection = fixture.context.connection
    let shown = { (sql: String) in try fixture.context.rows(sql).map { "\($0)" }.sorted() }
    for table in ["message", "draft"] { try connection.run("DELETE FROM \(table)") }
    for world in 0..<60 {
      try connection.undoing {
        for (table, columns) in [("message", 6), ("draft", 2)] {
          for id in 0..<(world % 12) {
            let made = (0..<columns).map { _ in values.randomElement(using: &random) ?? "NULL" }
            try connection.run("INSERT INTO \(table) VALUES (\(([String(id)] + made).joined(separator: ", ")))")
          }
        }
        for (sql, other) in forms { #expect(try shown(sql) == shown(other), "\(other)") }
      }
    }
  }
}
