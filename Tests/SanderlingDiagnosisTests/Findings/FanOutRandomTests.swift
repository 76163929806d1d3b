import Foundation
import Testing

@testable import SanderlingDiagnosis

/// Fan-out rewrites of random statements return the same rows without a comparison that discards unequal rewrites.
///
/// `SANDERLING_SEED=…` repeats a run.
@Suite struct FanOutRandomTests {
  @Test func rewritesReturnTheSameRows() throws {
    let seed = ProcessInfo.processInfo.environment["SANDERLING_SEED"].flatMap(UInt64.init) ?? .random(in: 0..<1 << 32)
    print("SANDERLING_SEED=\(seed)")
    var random = SeededGenerator(seed: seed)
    let fixture = try DetectorFixture(Self.script(&random))
    let context = fixture.context
    var rewritten = 0
    for _ in 0..<400 {
      let sql = Self.statement(&random)
      let shape = try ShapeReader.shape(of: sql, in: context.schema.description)
      let analyzed = AnalyzedStatement(
        statement: WorkloadStatement(id: 1, fingerprint: "", sql: sql), shape: shape, samples: [], plan: QueryPlan())
      guard let statement = MovableStatement(analyzed, schema: context.schema),
        let rewrite = FanOutRewrite(statement, in: context)
      else { continue }
      if rewrite.multiplied.isEmpty, rewrite.repeatsRows {
        for candidate in rewrite.candidates() {
          rewritten += 1
          let verdict = try context.comparer.compare(sql, candidate, order: statement.order)
          #expect(verdict == .same, "seed \(seed): \(sql)\n→ \(candidate)")
        }
      } else if let values = FanOutValues(rewrite, of: rewrite.aggregates) {
        rewritten += 1
        let verdict = try context.comparer.compare(values.once, values.rewritten)
        #expect(verdict == .same, "seed \(seed): \(sql)\n→ \(values.once)\n→ \(values.rewritten)")
      }
    }
    #expect(rewritten > 50)
  }

  private static func script(_ random: inout SeededGenerator) -> String {
    var script = """
      CREATE TABLE o (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE p (id INTEGER PRIMARY KEY, oid INTEGER, x INTEGER);
      CREATE TABLE t (id INTEGER PRIMARY KEY, pid INTEGER, x INTEGER, y INTEGER);
      CREATE TABLE c (id INTEGER PRIMARY KEY, pid INTEGER NOT NULL, x INTEGER);
      CREATE TABLE d (id INTEGER PRIMARY KEY, tid INTEGER, x INTEGER);
      CREATE INDEX ti ON t(pid); CREATE INDEX ci ON c(pid); CREATE INDEX di ON d(tid);
      """
    func value(_ random: inout SeededGenerator, _ limit: Int) -> String {
      random.next(7) == 0 ? "NULL" : "\(random.next(limit))"
    }
    for id in 0..<3 { script += "INSERT INTO o VALUES (\(id), 'o\(id)');" }
    for id in 0..<8 { script += "INSERT INTO p VALUES (\(id), \(value(&random, 4)), \(value(&random, 5)));" }
    for id in 0..<20 {
      script += "INSERT INTO t VALUES (\(id), \(value(&random, 9)), \(value(&random, 4)), \(value(&random, 3)));"
    }
    for id in 0..<14 { script += "INSERT INTO c VALUES (\(id), \(random.next(9)), \(value(&random, 4)));" }
    for id in 0..<16 { script += "INSERT INTO d VALUES (\(id), \(value(&random, 22)), \(value(&random, 4)));" }
    return script
  }

  private static func statement(_ random: inout SeededGenerator) -> String {
    func pick(_ all: [String]) -> String { all[random.next(all.count)] }
    func join(_ on: String, _ table: String) -> String {
      pick(["LEFT JOIN", "LEFT JOIN", "JOIN"]) + " \(table) ON \(on)"
    }
    var joins: [String] = []
    var tables = ["p"]
    if random.next(3) == 0 {
      joins.append(join("o.id = p.oid", "o"))
      tables.append("o")
    }
    joins.append(join("t.pid = p.id" + pick(["", " AND t.x > 1", " AND p.x < 4"]), "t"))
    tables.append("t")
    if random.next(3) > 0 {
      joins.append(join("p.id = c.pid" + pick(["", " AND c.x IN (1, 2)"]), "c"))
      tables.append("c")
    }
    if random.next(3) == 0 {
      joins.append(join("d.tid = t.id", "d"))
      tables.append("d")
    }
    let many = tables.filter { $0 != "p" && $0 != "o" }
    var conditions: [String] = []
    for _ in 0..<random.next(3) {
      let table = pick(tables)
      let column = table == "o" ? "id" : "x"
      conditions.append(
        "\(table).\(column) " + pick(["> 1", "= 2", "IS NOT NULL", "IN (0, 1, 3)", "<> 1", "BETWEEN 1 AND 3"]))
    }
    let filter = conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
    let from = "FROM p " + joins.joined(separator: " ") + filter
    func aggregate() -> String {
      let table = pick(many)
      return pick([
        "COUNT(DISTINCT \(table).id)", "COUNT(DISTINCT \(table).id)", "COUNT(DISTINCT \(table).x)", "MAX(\(table).x)",
        "MIN(\(table).id)", "SUM(DISTINCT \(table).x)", "SUM(\(table).x)", "COUNT(\(table).id)", "TOTAL(\(table).x)",
        "COUNT(DISTINCT CASE WHEN \(table).x > 1 THEN \(table).id END)", "MAX(COALESCE(\(table).x, 7))",
        "COUNT(DISTINCT \(table).id) FILTER (WHERE \(table).x > 1)", "AVG(\(table).x)",
        "SUM(CASE WHEN \(table).x > 1 THEN 1 ELSE 0 END)",
      ])
    }
    switch random.next(5) {
    case 0:
      return "SELECT DISTINCT " + pick(["p.*", "p.id, p.x", "p.x"]) + " \(from)" + pick(["", " ORDER BY p.x"])
    case 1:
      return "SELECT " + (0...random.next(2)).map { "\(aggregate()) AS v\($0)" }.joined(separator: ", ") + " \(from)"
    default:
      let columns = (0...random.next(3)).map { "\(aggregate()) AS v\($0)" }
      return "SELECT p.id, p.x, " + columns.joined(separator: ", ") + " \(from) GROUP BY p.id"
        + pick(["", "", " HAVING v0 > 1", " HAVING COUNT(DISTINCT t.id) > 0"])
        + pick(["", " ORDER BY v0, p.id", " ORDER BY p.x DESC, p.id", " ORDER BY MAX(t.x), p.id"])
    }
  }
}
