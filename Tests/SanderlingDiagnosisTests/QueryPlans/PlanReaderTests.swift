import Testing

@testable import SanderlingDiagnosis

@Suite struct PlanReaderTests {
  @Test(arguments: [
    ("SCAN TABLE task AS t USING COVERING INDEX i", PlanStep.scan(table: "t", index: "i", isCovering: true)),
    ("SCAN TABLE task", .scan(table: "task", index: nil, isCovering: false)),
    ("SCAN TABLE task (~1000000 rows)", .scan(table: "task", index: nil, isCovering: false)),
    ("SCAN task", .scan(table: "task", index: nil, isCovering: false)),
    ("SCAN t LEFT-JOIN", .scan(table: "t", index: nil, isCovering: false)),
    ("SCAN SUBQUERY 1 AS s", .scan(table: "s", index: nil, isCovering: false)),
    ("SCAN SUBQUERY 1", .scan(table: "SUBQUERY 1", index: nil, isCovering: false)),
    ("SCAN (subquery-2)", .scan(table: "(subquery-2)", index: nil, isCovering: false)),
    ("SCAN t USING INDEX i", .scan(table: "t", index: "i", isCovering: false)),
    ("RIGHT-JOIN t", .scan(table: "t", index: nil, isCovering: false)),
    (
      "SEARCH TABLE task USING INTEGER PRIMARY KEY (rowid=?)",
      .search(table: "task", index: nil, isCovering: false, terms: ["rowid=?"])
    ),
    (
      "SEARCH t USING PRIMARY KEY (a=? AND b>? AND b<?)",
      .search(table: "t", index: nil, isCovering: false, terms: ["a=?", "b>?", "b<?"])
    ),
    ("SEARCH t USING INDEX i (a=?) LEFT-JOIN", .search(table: "t", index: "i", isCovering: false, terms: ["a=?"])),
    (
      "SEARCH t USING COVERING INDEX i (ANY(a) AND b=?)",
      .search(table: "t", index: "i", isCovering: true, terms: ["ANY(a)", "b=?"])
    ),
    (
      "SEARCH t USING INDEX i ((a,b)>(?,?))", .search(table: "t", index: "i", isCovering: false, terms: ["(a,b)>(?,?)"])
    ),
    ("SEARCH t USING AUTOMATIC COVERING INDEX (a=?)", .automaticIndex(table: "t", isPartial: false, terms: ["a=?"])),
    (
      "SEARCH t USING AUTOMATIC PARTIAL COVERING INDEX (a=?)",
      .automaticIndex(table: "t", isPartial: true, terms: ["a=?"])
    ),
    (
      "SEARCH SUBQUERY 1 AS s USING AUTOMATIC COVERING INDEX (x=?)",
      .automaticIndex(table: "s", isPartial: false, terms: ["x=?"])
    ),
    ("SEARCH t", .search(table: "t", index: nil, isCovering: false, terms: [])),
    ("SEARCH t USING COVERING INDEX i", .search(table: "t", index: "i", isCovering: true, terms: [])),
    ("SCAN note VIRTUAL TABLE INDEX 0:M1", .virtualTable(table: "note", index: "0:M1")),
    ("SCAN TABLE note VIRTUAL TABLE INDEX 4:", .virtualTable(table: "note", index: "4:")),
    ("USE TEMP B-TREE FOR ORDER BY", .temporaryBTree(purpose: .orderBy)),
    ("USE TEMP B-TREE FOR RIGHT PART OF ORDER BY", .temporaryBTree(purpose: .lastTermsOfOrderBy(terms: nil))),
    ("USE TEMP B-TREE FOR LAST TERM OF ORDER BY", .temporaryBTree(purpose: .lastTermsOfOrderBy(terms: 1))),
    ("USE TEMP B-TREE FOR LAST 2 TERMS OF ORDER BY", .temporaryBTree(purpose: .lastTermsOfOrderBy(terms: 2))),
    ("USE TEMP B-TREE FOR GROUP BY", .temporaryBTree(purpose: .groupBy)),
    ("USE TEMP B-TREE FOR DISTINCT", .temporaryBTree(purpose: .distinct)),
    ("USE TEMP B-TREE FOR count(DISTINCT)", .temporaryBTree(purpose: .distinct)),
    ("USE TEMP B-TREE FOR group_concat(ORDER BY)", .temporaryBTree(purpose: .other("group_concat(ORDER BY)"))),
    ("UNION USING TEMP B-TREE", .temporaryBTree(purpose: .union)),
    ("EXCEPT USING TEMP B-TREE", .compound(operator: "EXCEPT")),
    ("MERGE (UNION ALL)", .compound(operator: "UNION ALL")),
    ("COMPOUND QUERY", .compound(operator: "")), ("UNION ALL", .compound(operator: "UNION ALL")),
    ("EXECUTE CORRELATED SCALAR SUBQUERY 2", .subquery(isCorrelated: true, number: 2)),
    ("CORRELATED LIST SUBQUERY 3", .subquery(isCorrelated: true, number: 3)),
    ("EXECUTE LIST SUBQUERY 1", .subquery(isCorrelated: false, number: 1)),
    ("REUSE LIST SUBQUERY 1", .subquery(isCorrelated: false, number: 1)),
    ("SCALAR SUBQUERY 1", .subquery(isCorrelated: false, number: 1)),
    ("MATERIALIZE big totals", .materialize(name: "big totals")),
    ("CO-ROUTINE SUBQUERY 1", .coroutine(name: "SUBQUERY 1")),
    ("MULTI-INDEX OR", .multiIndexOr), ("BLOOM FILTER ON t (a=?)", .bloomFilter(table: "t")),
    ("SCAN CONSTANT ROW", .constantRow), ("SCAN 2 CONSTANT ROWS", .constantRow),
    ("INDEX 1", .other), ("SETUP", .other), ("RECURSIVE STEP", .other), ("", .other), ("TELEPORT t", .other),
    ("SEARCH", .other), ("SCAN ", .scan(table: "", index: nil, isCovering: false)),
    // Names that look like words of the plan's line.
    ("SCAN a USING b USING INDEX i", .scan(table: "a USING b", index: "i", isCovering: false)),
    ("SCAN t USING INDEX a USING b", .scan(table: "t", index: "a USING b", isCovering: false)),
    (
      "SEARCH my (table) USING INDEX i (x) ((b)=?)",
      .search(table: "my (table)", index: "i (x)", isCovering: false, terms: ["(b)=?"])
    ),
    ("SCAN a USING nothing", .scan(table: "a USING nothing", index: nil, isCovering: false)),
    ("SCAN t)", .scan(table: "t)", index: nil, isCovering: false)),
  ])
  func wording(detail: String, step: PlanStep) {
    #expect(PlanStep(detail: detail) == step)
    #expect(!PlanMeaning().sentence(for: step, detail: detail).isEmpty)
  }

  private static let schema = """
    CREATE TABLE project (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE task (id INTEGER PRIMARY KEY, projectID INTEGER, title TEXT, done INTEGER);
    CREATE INDEX byProject ON task (projectID, done);
    CREATE VIRTUAL TABLE note USING fts5(body);
    CREATE VIEW open AS SELECT * FROM task WHERE done = 0;
    """

  /// The plan lines of the linked SQLite, of whatever version, form a tree without unknown lines.
  @Test(arguments: [
    "SELECT * FROM task t JOIN project p ON p.id = t.projectID WHERE t.done = ? ORDER BY p.name, t.title",
    "SELECT p.name, (SELECT count(*) FROM task t WHERE t.projectID = p.id) FROM project p GROUP BY 1",
    "SELECT * FROM task WHERE projectID = 1 OR id = 2", "SELECT * FROM open WHERE title IN (SELECT name FROM project)",
    "SELECT max(projectID) FROM task", "SELECT DISTINCT title FROM task UNION SELECT name FROM project ORDER BY 1",
    "SELECT * FROM task a LEFT JOIN task b ON a.title = b.title", "SELECT * FROM note WHERE note MATCH ?", "SELECT 1",
    "UPDATE task SET done = 1 WHERE title = 'x'", "DELETE FROM task WHERE projectID = 3",
    "SELECT * FROM (SELECT projectID, count(*) AS n FROM task GROUP BY projectID) s JOIN project ON s.n = project.id",
    "SELECT title, row_number() OVER (PARTITION BY projectID ORDER BY title) FROM task", "VALUES (1), (2)",
  ])
  func plansOfThisVersion(sql: String) throws {
    let fixture = try DatabaseFixture()
    let copy = try fixture.copy(Self.schema)
    let schema = try DatabaseSchemaReader(connection: copy.connection).read()
    let plan = try PlanReader(connection: copy.connection, schema: schema).plan(of: sql)
    #expect(!plan.roots.isEmpty || sql == "SELECT 1" || sql.hasPrefix("VALUES"))
    let known = ["INDEX ", "LEFT", "RIGHT", "SETUP", "RECURSIVE STEP"]
    for node in plan.nodes where node.step == .other {
      #expect(known.contains { node.detail.hasPrefix($0) }, "\(node.detail)")
    }
    #expect(Set(plan.nodes.map(\.id)).count == plan.nodes.count)
  }

  @Test func meaningNamesTableAndColumns() throws {
    let fixture = try DatabaseFixture()
    let copy = try fixture.copy(Self.schema)
    let schema = try DatabaseSchemaReader(connection: copy.connection).read()
    let reader = PlanReader(connection: copy.connection, schema: schema)
    let plan = try reader.plan(of: "SELECT * FROM task t WHERE projectID = ? ORDER BY title")
    #expect(
      plan.nodes.map(\.meaning) == [
        "Finds rows of task (t) by projectID=? in the index byProject (projectID, done), and looks up each row in the table.",
        "Sorts all rows found so far, since no index gives them in the order asked for.",
      ])
    #expect(throws: DiagnosisError.self) { try reader.plan(of: "DROP TABLE task") }
    #expect(throws: DiagnosisError.self) { try reader.plan(of: "SELECT 1; SELECT 2") }
  }

  @Test(arguments: [
    "QUERY PLAN\n|--SCAN p\n|--CORRELATED SCALAR SUBQUERY 1\n|  `--SEARCH t USING INDEX i (a=?)\n`--USE TEMP B-TREE FOR ORDER BY\n",
    "SCAN p\nCORRELATED SCALAR SUBQUERY 1\n  SEARCH t USING INDEX i (a=?)\nUSE TEMP B-TREE FOR ORDER BY",
  ])
  func textOfLogs(text: String) throws {
    let plan = PlanReader.plan(ofText: text)
    #expect(
      plan.roots.map(\.step) == [
        .scan(table: "p", index: nil, isCovering: false), .subquery(isCorrelated: true, number: 1),
        .temporaryBTree(purpose: .orderBy),
      ])
    #expect(plan.roots[1].children.map(\.step) == [.search(table: "t", index: "i", isCovering: false, terms: ["a=?"])])
    let numbered = PlanReader.plan(ofText: "0|0|0|SCAN TABLE p\n5|0|0|USE TEMP B-TREE FOR ORDER BY")
    #expect(numbered.roots.count == 2)
  }

  /// Plan lines from a log may contain any text, and reading them never fails.
  @Test func hostileText() {
    var generator = SystemRandomNumberGenerator()
    let seed = UInt64.random(in: 0 ... .max, using: &generator)
    var state = seed
    func random(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    let pieces = [
      "SCAN ", "SEARCH ", "TABLE ", " USING ", "INDEX ", "(", ")", " AND ", " AS ", "é", "|", "--", "\n", " ",
      " VIRTUAL TABLE INDEX ", "USE TEMP B-TREE FOR ", "LAST ", "99999999999999999999", " TERMS OF ORDER BY",
      "SUBQUERY ",
      "BLOOM FILTER ON ", " (~", " rows)", "COVERING ", "AUTOMATIC ",
    ]
    for _ in 0..<500 {
      let text = (0..<random(12)).map { _ in pieces[random(pieces.count)] }.joined()
      let plan = PlanReader.plan(ofText: text)
      #expect(plan.nodes.count <= text.count, "seed \(seed)")
    }
    let deep = (0..<3000).map { String(repeating: " ", count: $0) + "SCAN t" }.joined(separator: "\n")
    #expect(PlanReader.plan(ofText: deep).nodes.count == 3000)
  }
}
