import SanderlingSQLite
import Testing

@testable import SanderlingDiagnosis

@Suite struct SQLParserTests {
  /// Statements that SQLite prepares on the schema below.
  static let statements: [String] = [
    "SELECT 1", "SELECT 1;", "SELECT * FROM t", "SELECT t.* FROM t", "SELECT a, b AS c, c d FROM t",
    "SELECT a 'x' FROM t",
    "SELECT \"a\", [b], `c` FROM \"t\"", "SELECT main.t.a FROM main.t", "SELECT DISTINCT a FROM t",
    "SELECT ALL a FROM t",
    "SELECT a FROM t WHERE a = 1 AND b = 2 OR NOT c = 3", "SELECT a FROM t WHERE NOT a AND b",
    "SELECT NOT a = b FROM t",
    "SELECT a FROM t WHERE a == 1 AND b <> 2 AND c != 3",
    "SELECT a FROM t WHERE a IS NULL AND b IS NOT NULL AND c ISNULL",
    "SELECT a FROM t WHERE a NOTNULL OR b NOT NULL", "SELECT a FROM t WHERE a IS 1 AND b IS NOT 2",
    "SELECT a FROM t WHERE a IS DISTINCT FROM 1 AND b IS NOT DISTINCT FROM 2",
    "SELECT a FROM t WHERE a BETWEEN 1 AND 2 AND b NOT BETWEEN 3 AND 4",
    "SELECT a FROM t WHERE a BETWEEN 1 + 1 AND b * 2 OR c",
    "SELECT a FROM t WHERE a IN (1, 2, 3)", "SELECT a FROM t WHERE a NOT IN ()",
    "SELECT a FROM t WHERE a IN (SELECT a FROM u)",
    "SELECT a FROM t WHERE a IN u1", "SELECT a FROM t WHERE a IN main.u1",
    "SELECT a FROM t WHERE a IN json_each('[1]')",
    "SELECT a FROM t WHERE (a, b) IN (VALUES (1, 2), (3, 4))", "SELECT a FROM t WHERE (a, b) = (1, 2)",
    "SELECT a FROM t WHERE (a, b) > (?, ?)", "SELECT a FROM t WHERE a LIKE 'x%' AND b NOT LIKE '%y'",
    "SELECT a FROM t WHERE a LIKE '10!%' ESCAPE '!'", "SELECT a FROM t WHERE a GLOB 'x*' AND b NOT GLOB '*'",
    "SELECT a FROM t WHERE a LIKE b || '%'", "SELECT a || b || c FROM t", "SELECT a + b * c - d / 2 % 3 FROM t",
    "SELECT a << 1 | b & 3 >> 2 FROM t", "SELECT -a, +b, ~c, - - 1, -(-a) FROM t",
    "SELECT a -> '$.x', a ->> 'y' FROM t",
    "SELECT a COLLATE NOCASE = b FROM t",
    "SELECT a FROM t ORDER BY a COLLATE NOCASE DESC, b ASC NULLS LAST, 1 NULLS FIRST",
    "SELECT CAST(a AS INTEGER), CAST(b AS VARCHAR(20)), CAST(c AS DECIMAL(10, 2)) FROM t",
    "SELECT CAST(a AS UNSIGNED BIG INT) FROM t",
    "SELECT CASE a WHEN 1 THEN 'x' ELSE 'y' END, CASE WHEN a THEN b END FROM t",
    "SELECT EXISTS (SELECT 1 FROM u WHERE u.a = t.a) FROM t",
    "SELECT a FROM t WHERE NOT EXISTS (SELECT 1)", "SELECT (SELECT max(a) FROM u) FROM t", "SELECT (a), ((b)) FROM t",
    "SELECT count(*), count(a), count(DISTINCT a), sum(ALL a) FROM t", "SELECT count() FROM t",
    "SELECT max(a), min(b, c) FROM t",
    "SELECT group_concat(a, ', ') FROM t GROUP BY b HAVING count(*) > 1", "SELECT count(*) FILTER (WHERE a > 1) FROM t",
    "SELECT row_number() OVER (PARTITION BY a ORDER BY b DESC) FROM t", "SELECT sum(a) OVER () FROM t",
    "SELECT sum(a) OVER w, avg(a) OVER (w ROWS 3 PRECEDING) FROM t WINDOW w AS (PARTITION BY b ORDER BY c)",
    "SELECT sum(a) OVER (ORDER BY b ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW EXCLUDE TIES) FROM t",
    "SELECT sum(a) OVER (ORDER BY b RANGE BETWEEN 1 PRECEDING AND 2 FOLLOWING EXCLUDE NO OTHERS) FROM t",
    "SELECT sum(a) OVER (ORDER BY b GROUPS CURRENT ROW EXCLUDE GROUP) FROM t",
    "SELECT lag(a, 1) OVER win FROM t WINDOW win AS (ORDER BY a), x AS (win)",
    "SELECT a FROM t LIMIT 10", "SELECT a FROM t LIMIT 10 OFFSET 20", "SELECT a FROM t LIMIT 20, 10",
    "SELECT a FROM t LIMIT -1 OFFSET ?1",
    "SELECT t.a FROM t JOIN u ON u.a = t.a", "SELECT t.a FROM t LEFT JOIN u ON u.a = t.a",
    "SELECT t.a FROM t LEFT OUTER JOIN u USING (a)",
    "SELECT * FROM t NATURAL JOIN u", "SELECT * FROM t NATURAL LEFT OUTER JOIN u", "SELECT * FROM t CROSS JOIN u",
    "SELECT * FROM t INNER JOIN u ON 1",
    "SELECT * FROM t, u WHERE t.a = u.a", "SELECT * FROM t RIGHT JOIN u ON t.a = u.a",
    "SELECT * FROM t FULL OUTER JOIN u ON t.a = u.a",
    "SELECT * FROM (t JOIN u ON t.a = u.a) JOIN v ON v.a = t.a",
    "SELECT * FROM t JOIN (u JOIN v ON u.a = v.a) ON t.a = u.a",
    "SELECT * FROM (t)", "SELECT * FROM (t) x", "SELECT * FROM t AS x, t AS y",
    "SELECT * FROM t x INDEXED BY t_a WHERE a = 1", "SELECT * FROM t NOT INDEXED",
    "SELECT * FROM (SELECT a FROM t) AS s WHERE s.a = 1", "SELECT * FROM (SELECT a FROM t), (SELECT b FROM u) AS w",
    "SELECT * FROM (VALUES (1, 2), (3, 4))",
    "SELECT value FROM t, json_each(t.a) WHERE key = 1", "SELECT j.value FROM t JOIN json_each(t.a, '$.x') AS j",
    "SELECT * FROM pragma_table_info('t')",
    "VALUES (1, 2), (3, 4)", "VALUES (1) ORDER BY 1 LIMIT 1", "SELECT a FROM t UNION SELECT a FROM u",
    "SELECT a FROM t UNION ALL SELECT a FROM u ORDER BY a LIMIT 3",
    "SELECT a FROM t INTERSECT SELECT a FROM u EXCEPT SELECT 1",
    "SELECT a FROM t WHERE a IN (SELECT a FROM t UNION SELECT a FROM u)",
    "WITH s AS (SELECT a FROM t) SELECT * FROM s",
    "WITH s(x, y) AS (SELECT a, b FROM t), r AS (SELECT x FROM s) SELECT * FROM r, s",
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9) SELECT i FROM n",
    "WITH s AS MATERIALIZED (SELECT a FROM t) SELECT * FROM s",
    "WITH s AS NOT MATERIALIZED (SELECT a FROM t) SELECT * FROM s",
    "SELECT * FROM (WITH s AS (SELECT a FROM t) SELECT * FROM s)", "SELECT (WITH s AS (SELECT 1) SELECT * FROM s)",
    "SELECT ?, ?3, ?, :a, @b, $c, :a", "SELECT $d::e(f)",
    "SELECT 1.5, .5, 1e3, 0x1F, x'00ff', 'it''s', NULL, TRUE, false",
    "SELECT CURRENT_DATE, CURRENT_TIME, CURRENT_TIMESTAMP", "SELECT a /* c */ FROM t -- end",
    "SELECT lower(a), json_extract(b, '$.x.y') FROM t",
    "SELECT replace(a, 'x', 'y'), glob('x*', a), like('x', a), date('now', '-1 day') FROM t",
    "SELECT iif(a, b, c), coalesce(a, b) FROM t",
    "SELECT rowid, oid, _rowid_, t.rowid FROM t", "SELECT \"nothing\" FROM t",
    "SELECT key, first, last, temp FROM words", "SELECT words.key FROM words ORDER BY desc",
    "SELECT a AS key FROM t GROUP BY key ORDER BY key", "SELECT a FROM t GROUP BY 1, b ORDER BY 1",
    "SELECT a FROM t WHERE (a = 1 OR b = 2) AND (c = 3 OR d IS NULL)",
    "SELECT a FROM t AS left_side LEFT JOIN u ON 1",
    "SELECT a, (SELECT b FROM u WHERE u.a = t.a ORDER BY b DESC LIMIT 1) AS last_b FROM t",
    "SELECT 0, t0.a FROM t t0 LEFT OUTER JOIN u t1 ON t0.a = t1.a WHERE (t0.b = ? AND t1.c IN (?, ?)) ORDER BY t0.a DESC",
    "SELECT DISTINCT t0.a, t0.b FROM t t0 WHERE (t0.a >= ? AND (SELECT COUNT(t1.a) FROM u t1 WHERE (t0.a = t1.b)) > 0)",
    "SELECT \"t\".\"a\" FROM \"t\" WHERE (\"t\".\"b\" = ?) AND (\"t\".\"c\" LIKE ? ESCAPE '\\')",
    "SELECT * FROM f WHERE f MATCH 'x' ORDER BY rank",
    "SELECT snippet(f, 0, '<', '>', '…', 9) FROM f WHERE body MATCH ?", "SELECT f.rowid FROM f('x')",
    "SELECT t.a FROM t JOIN f ON f.rowid = t.rowid WHERE f MATCH 'y'",
    "SELECT json_group_array(a ORDER BY b) FROM t",
    "SELECT a FROM t WHERE a = (SELECT max(a) FROM t AS i WHERE i.b = t.b)",
    "INSERT INTO t VALUES (1, 2, 3, 4)", "INSERT INTO t (a, b) VALUES (1, 2), (3, ?)", "INSERT INTO t DEFAULT VALUES",
    "INSERT OR IGNORE INTO t (a) SELECT a FROM u",
    "REPLACE INTO t (a) VALUES (1)", "INSERT INTO main.t AS x (a) VALUES (1)",
    "WITH s AS (SELECT 1) INSERT INTO t (a) SELECT * FROM s",
    "INSERT INTO u1 (k, n) VALUES (1, 2) ON CONFLICT (k) DO UPDATE SET n = n + excluded.n WHERE n < 9",
    "INSERT INTO u1 (k) VALUES (1) ON CONFLICT DO NOTHING",
    "INSERT INTO u1 (k) SELECT a FROM t WHERE true ON CONFLICT (k) DO NOTHING RETURNING k, n AS m",
    "INSERT INTO t (a) VALUES ((SELECT max(a) FROM t)) RETURNING *",
    "UPDATE t SET a = 1", "UPDATE t SET a = a + 1, b = ? WHERE c = 2",
    "UPDATE OR IGNORE t SET (a, b) = (1, 2) WHERE rowid = 3",
    "UPDATE t AS x SET a = 1 WHERE x.b = 2", "UPDATE t SET a = u.a FROM u WHERE u.b = t.b",
    "UPDATE t SET a = (SELECT max(a) FROM u WHERE u.b = t.b)",
    "UPDATE t INDEXED BY t_a SET b = 1 WHERE a = 2", "UPDATE t SET a = 1 WHERE b = 2 RETURNING a, b",
    "WITH s AS (SELECT 1 AS x) UPDATE t SET a = (SELECT x FROM s)",
    "DELETE FROM t", "DELETE FROM t WHERE a = 1", "DELETE FROM t AS x WHERE x.a IN (SELECT a FROM u)",
    "DELETE FROM t WHERE NOT EXISTS (SELECT 1 FROM u WHERE u.a = t.a) RETURNING a",
    "WITH s AS (SELECT a FROM u) DELETE FROM t WHERE a IN s", "SELECT a FROM t WHERE a = 1 COLLATE NOCASE",
    "SELECT a FROM t WHERE -a = 1 AND b IN (-1, +2)",
    "SELECT abs(a) BETWEEN 1 AND 2 FROM t", "SELECT a IS NOT b FROM t", "SELECT a NOT NULL, b NOT IN (1) FROM t",
    "SELECT a = b = c, a < b < c FROM t",
    "SELECT a IN (1) IN (2) FROM t", "SELECT a LIKE b LIKE c FROM t", "SELECT 1 FROM t WHERE a GLOB 'x' || '*'",
    "SELECT not(a), (not a) + 1 FROM t",
    "SELECT a FROM t WHERE a IN (SELECT value FROM json_each(?))", "SELECT t.\"a\" FROM [t] JOIN `u` USING(a, b)",
    "SELECT percent_rank() OVER (ORDER BY a) AS rank FROM t",
  ]

  @Test func parsesStatementsThatSQLitePrepares() throws {
    let database = try #require(SQLScratch())
    database.run(
      """
      CREATE TABLE t (a, b, c, d); CREATE INDEX t_a ON t (a); CREATE TABLE u (a, b, c); CREATE TABLE v (a);
      CREATE TABLE u1 (k PRIMARY KEY, n) WITHOUT ROWID; CREATE TABLE words (key, first, last, temp, "desc");
      CREATE VIRTUAL TABLE f USING fts5 (title, body);
      """)
    var prepared = 0
    for sql in Self.statements {
      // The linked version of SQLite may not know some statements yet, so only most of them must be prepared.
      if database.prepares(sql) { prepared += 1 }
      do {
        _ = try SQLParser.parse(sql)
      } catch {
        Issue.record("\(sql): \(error)")
      }
    }
    #expect(prepared > Self.statements.count - 12, "\(prepared) of \(Self.statements.count)")
  }

  @Test(arguments: [
    "SELECT", "SELECT a FROM", "SELECT a FROM t WHERE", "SELECT (a FROM t", "SELECT a b c FROM t",
    "SELECT a FROM t LIMIT", "PRAGMA x", "CREATE TABLE t (a)",
    "SELECT 'open", "SELECT 1 1", "SELECT CASE END", "SELECT a FROM t ORDER a", "SELECT * FROM t JOIN",
    "SELECT 1; SELECT 2", "",
  ])
  func refusesMalformedAndOtherStatements(sql: String) {
    #expect(throws: SQLParseError.self) { try SQLParser.parse(sql) }
  }

  @Test func tellsWhereItStopped() {
    #expect(throws: SQLParseError(line: 2, column: 7, reason: "expected an expression")) {
      try SQLParser.parse("SELECT a FROM t\nWHERE )")
    }
  }

  @Test func numbersParametersAsSQLiteDoes() throws {
    let statement = try SQLParser.parse("SELECT ?, ?5, ?, :a, @b, :a WHERE $c = ?2")
    #expect(statement.parameterCount == 9)
    #expect(statement.parameterNames == ["?5": 5, ":a": 7, "@b": 8, "$c": 9, "?2": 2])
  }

  @Test(arguments: ["(", "-", "NOT ", "a + ", "CASE WHEN ", "(SELECT ", "abs(", "EXISTS (SELECT ", "a LIKE ", "a IN ("])
  func nestingHasALimit(piece: String) {
    #expect(throws: SQLParseError.self) {
      try SQLParser.parse("SELECT " + String(repeating: piece, count: 20_000) + "1")
    }
    let parenthesised = (0..<150).reduce("a") { sum, _ in "(\(sum) + a + a + a + a + a)" }
    #expect(throws: SQLParseError.self) { try SQLParser.parse("SELECT " + parenthesised) }
  }

  @Test func longListsHaveNoLimit() {
    let list = Array(repeating: "a = ?", count: 20_000)
    let statements = [
      "SELECT a FROM t WHERE " + list.joined(separator: " OR "),
      "SELECT a FROM t WHERE a IN (" + list.joined(separator: ", ") + ")",
      Array(repeating: "SELECT 1", count: 5000).joined(separator: " UNION ALL "),
    ]
    for sql in statements { #expect(throws: Never.self) { try SQLParser.parse(sql) } }
  }
}
