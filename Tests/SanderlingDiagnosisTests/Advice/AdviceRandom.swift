/// A generator of random schemas with rows, and of random statements on them.
struct AdviceRandom {
  private var numbers: SeededGenerator

  init(seed: UInt64) {
    numbers = SeededGenerator(seed: seed)
  }

  mutating func next(_ bound: Int) -> Int { numbers.next(bound) }

  mutating func one<Value>(of values: [Value]) -> Value { values[next(values.count)] }
  mutating func happens(_ percent: Int) -> Bool { next(100) < percent }

  /// SQL of two tables: `parent`, and `child` with up to 3,000 rows. The columns differ in selectivity, type and NULLs.
  mutating func schema() -> String {
    let collation = happens(30) ? " COLLATE NOCASE" : ""
    let ids = one(of: ["id INTEGER PRIMARY KEY", "id TEXT PRIMARY KEY", "id INTEGER PRIMARY KEY"])
    func key(_ number: String) -> String { ids.contains("TEXT") ? "printf('%05d', \(number))" : number }
    var sql = """
      CREATE TABLE parent (\(ids), name TEXT, rank INTEGER);
      CREATE TABLE child (
        id INTEGER PRIMARY KEY, parentID REFERENCES parent (id), a INTEGER, b INTEGER, c TEXT\(collation), d REAL, e TEXT);
      \(AdviceFixture.numbers(100)) INSERT INTO parent SELECT \(key("i")), 'P' || (i % 30), i % 7 FROM n;
      \(AdviceFixture.numbers(500 + next(2500))) INSERT INTO child
        SELECT i, \(key("i % 100 + 1")), i * 31 % \(one(of: [2, 10, 500])),
          nullif(i * 17 % \(one(of: [3, 50])), 1), char(65 + i % 26 + 32 * (i % 2)) || (i % \(one(of: [5, 300]))),
          i * 7 % 1000 / 3.0, printf('%.50c', 'e') FROM n;

      """
    for number in 0..<next(3) {
      let unique = Set((0...next(2)).map { _ in one(of: ["a", "b", "c", "d", "parentID"]) }).sorted()
      let condition = happens(20) ? " WHERE a = 1" : ""
      sql += "CREATE INDEX i\(number) ON child (\(unique.joined(separator: ", ")))\(condition);\n"
    }
    if happens(30) { sql += "ANALYZE;\n" }
    return sql
  }

  private mutating func condition(_ prefix: String = "") -> String {
    switch next(14) {
    case 0, 1: "\(prefix)a = \(next(10))"
    case 2: "\(prefix)b = \(next(50))"
    case 3: "\(prefix)b IS NULL"
    case 4: "\(prefix)c = '\(one(of: ["A", "b", "C"]))\(next(10))'"
    case 5: "\(prefix)c = 'a\(next(5))' COLLATE NOCASE"
    case 6: "\(prefix)d > \(next(400))"
    case 7: "\(prefix)d BETWEEN \(next(100)) AND \(100 + next(100))"
    case 8: "\(prefix)a IN (\(next(5)), \(next(500)))"
    case 9: "\(prefix)c LIKE '\(one(of: ["a", "b1", "%2"]))%'"
    case 10: "\(prefix)c GLOB '\(one(of: ["A", "b1", "*2"]))*'"
    case 11: "lower(\(prefix)c) = 'a\(next(5))'"
    case 12: "(\(prefix)a = \(next(9)) OR \(prefix)b = \(next(9)))"
    default: "\(prefix)a <> \(next(9))"
    }
  }

  private mutating func conditions(_ prefix: String = "") -> String {
    (0...next(3)).map { _ in condition(prefix) }.joined(separator: " AND ")
  }

  private mutating func order(_ prefix: String = "") -> String {
    let columns = Set((0...next(2)).map { _ in one(of: ["a", "b", "c", "d"]) }).sorted()
    return columns.map { "\(prefix)\($0)" + (happens(40) ? " DESC" : "") }.joined(separator: ", ") + ", \(prefix)id"
  }

  /// A random statement whose rows and their order don't depend on the query plan.
  mutating func statement() -> String {
    switch next(9) {
    case 0: "SELECT * FROM child WHERE \(conditions()) ORDER BY \(order())"
    case 1: "SELECT id, a FROM child WHERE \(conditions()) ORDER BY \(order()) LIMIT \(1 + next(20))"
    case 2: "SELECT a, count(*), min(b) FROM child WHERE \(conditions()) GROUP BY a ORDER BY a"
    case 3: "SELECT count(*), max(d), min(id) FROM child WHERE \(conditions())"
    case 4: "SELECT DISTINCT a, b FROM child WHERE \(conditions()) ORDER BY a, b"
    case 5:
      "SELECT c.id, p.name FROM child c JOIN parent p ON p.id = c.parentID WHERE \(conditions("c.")) ORDER BY c.id"
    case 6:
      "SELECT p.id, count(c.id) FROM parent p LEFT JOIN child c ON c.parentID = p.id AND \(condition("c.")) "
        + "GROUP BY p.id ORDER BY p.id"
    case 7:
      "SELECT p.id, (SELECT max(d) FROM child c WHERE c.parentID = p.id AND \(condition("c."))) FROM parent p "
        + "WHERE p.rank < \(1 + next(6)) ORDER BY p.id"
    default:
      "SELECT p.id FROM parent p WHERE EXISTS (SELECT 1 FROM child c WHERE c.parentID = p.id AND \(conditions("c."))) "
        + "ORDER BY p.id"
    }
  }
}
