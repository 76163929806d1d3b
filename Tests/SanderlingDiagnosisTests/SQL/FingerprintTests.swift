import Testing

@testable import SanderlingDiagnosis

@Suite struct FingerprintTests {
  @Test(arguments: [
    ("select * from note where id=1", "SELECT * FROM note WHERE id = ?"),
    ("SELECT * FROM note WHERE id = ?1 -- one note", "SELECT * FROM note WHERE id = ?"),
    (
      "SELECT \"note\".* FROM \"note\" WHERE \"title\" = 'It''s'", "SELECT \"note\".* FROM \"note\" WHERE \"title\" = ?"
    ),
    ("SELECT a FROM t WHERE b IN (1,2, 3)", "SELECT a FROM t WHERE b IN (?…)"),
    ("SELECT a FROM t WHERE b IN (?)", "SELECT a FROM t WHERE b IN (?…)"),
    ("SELECT a FROM t WHERE b IN (-1, NULL, :c, x'00')", "SELECT a FROM t WHERE b IN (?…)"),
    ("SELECT a FROM t WHERE b IN ()", "SELECT a FROM t WHERE b IN (?…)"),
    ("SELECT a FROM t WHERE b IN (SELECT c FROM d)", "SELECT a FROM t WHERE b IN (SELECT c FROM d)"),
    ("SELECT a FROM t WHERE b IN (c, 1)", "SELECT a FROM t WHERE b IN (c, ?)"),
    (
      "SELECT a FROM t WHERE b IS NULL AND c = -1 AND d - 1 > 0",
      "SELECT a FROM t WHERE b IS NULL AND c = ? AND d - ? > ?"
    ),
    ("INSERT INTO t(a,b) VALUES (1,NULL),(2,'b');", "INSERT INTO t(a, b) VALUES (?…)"),
    ("INSERT INTO t VALUES (1,lower('A')),(NULL,lower('B'))", "INSERT INTO t VALUES (?, lower(?))"),
    ("INSERT INTO t VALUES (1,lower('A')),(2,3)", "INSERT INTO t VALUES (?, lower(?)), (?…)"),
    (
      "SELECT 0, t0.Z_PK FROM ZNOTE t0 ORDER BY t0.ZDATE desc", "SELECT ?, t0.Z_PK FROM ZNOTE t0 ORDER BY t0.ZDATE DESC"
    ),
    (
      "SELECT a, b FROM t GROUP BY 1, 2 ORDER BY 2 DESC, 1 LIMIT 10",
      "SELECT a, b FROM t GROUP BY 1, 2 ORDER BY 2 DESC, 1 LIMIT ?"
    ),
    ("SELECT a FROM t ORDER BY b = 1, c COLLATE NOCASE", "SELECT a FROM t ORDER BY b = ?, c COLLATE NOCASE"),
    ("SELECT count( * ),max(a)FROM t", "SELECT count(*), max(a) FROM t"),
    ("SELECT replace(a,'b',\"c\") FROM [t t]", "SELECT REPLACE(a, ?, \"c\") FROM [t t]"),
    ("SELECT 'unterminated", "SELECT ?"),
    // Keywords that are used as names here.
    (
      "select t.end, action as last from t where begin<1 order by key",
      "SELECT t.end, action AS last FROM t WHERE begin < ? ORDER BY key"
    ),
    (
      "select case when a then b end, c from t order by c nulls last",
      "SELECT CASE WHEN a THEN b END, c FROM t ORDER BY c NULLS LAST"
    ),
    (
      "insert or ignore into t values (1) on conflict do nothing",
      "INSERT OR IGNORE INTO t VALUES (?…) ON CONFLICT DO NOTHING"
    ),
    ("", ""),
  ])
  func normalises(sql: String, fingerprint: String) {
    #expect(Fingerprint.of(sql) == fingerprint)
  }

  @Test func dependsNeitherOnValuesNorOnLayout() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    let statements = [
      [
        "SELECT", "a", ",", "b", "FROM", "t", "WHERE", "c", "=", "§", "AND", "d", "IN", "(", "§", ",", "§", ")",
        "ORDER", "BY", "1", "LIMIT", "§",
      ],
      [
        "INSERT", "INTO", "t", "(", "a", ",", "b", ")", "VALUES", "(", "§", ",", "§", ")", ",", "(", "§", ",", "§", ")",
      ],
      [
        "UPDATE", "t", "SET", "a", "=", "a", "+", "§", "WHERE", "b", "BETWEEN", "§", "AND", "§", "OR", "c", "LIKE", "§",
      ],
    ]
    let values = ["1", "-2", "+ 3.5e2", "'it''s'", "x'ff'", "?", "?7", ":name", "$a::b(c)", "0x1F", ".5", "1_000"]
    let spaces = [" ", "\n", "\t ", "/* a comment */", "-- another\n", "  "]
    for statement in statements {
      func written() -> String {
        statement.map { piece in
          let piece =
            switch piece {
            case "§": values.randomElement(using: &random)!
            case let word where Bool.random(using: &random) && SQLKeyword.keyword(word) != nil: word.lowercased()
            default: piece
            }
          return piece + spaces.randomElement(using: &random)!
        }.joined()
      }
      let expected = Fingerprint.of(written())
      for _ in 0..<200 {
        let sql = written()
        #expect(Fingerprint.of(sql) == expected, "seed \(seed): \(sql)")
      }
    }
  }

  @Test func fingerprintOfAFingerprintIsUnchanged() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    for _ in 0..<3000 {
      let sql = SQLFragments.random(using: &random)
      let once = Fingerprint.of(sql)
      #expect(Fingerprint.of(once) == once, "seed \(seed): \(sql)")
    }
  }
}
