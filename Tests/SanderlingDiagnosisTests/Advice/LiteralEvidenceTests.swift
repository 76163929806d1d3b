import Testing

@testable import SanderlingDiagnosis

/// An index for one literal is proposed only if every execution in the workload has this literal.
struct LiteralEvidenceTests {
  private func isOwn(_ sql: String, among others: [String] = [], count: Int) throws -> Bool {
    let fixture = try DetectorFixture("CREATE TABLE t (id INTEGER PRIMARY KEY, state TEXT, at INTEGER);")
    var reader = WorkloadReader()
    for _ in 0..<count { reader.add(sql: sql) }
    for other in others { reader.add(sql: other) }
    let analyzed = try reader.workload.statements.map { try fixture.analyzed($0) }
    return LiteralEvidence(analyzed).isOwn("\"state\" = 'open'", of: 1, table: "t", columns: ["state"])
  }

  private let sql = "SELECT id FROM t WHERE state = 'open'"

  @Test func executions() throws {
    #expect(try !isOwn(sql, count: 1))
    #expect(try isOwn(sql, count: 2))
    #expect(try !isOwn(sql, among: ["SELECT id FROM t WHERE state = 'closed'"], count: 2))
    #expect(try !isOwn(sql, among: ["SELECT at FROM t WHERE state = 'closed'"], count: 2))
    #expect(try !isOwn(sql, among: ["SELECT at FROM t WHERE state = ?"], count: 2))
    #expect(try isOwn(sql, among: ["SELECT at FROM t WHERE at = 7"], count: 2))
  }

  /// A value that varies would be a parameter, so a literal in a statement with parameters belongs to the app's code.
  @Test func literalsBesideParameters() throws {
    let fixture = try DetectorFixture("CREATE TABLE t (id INTEGER PRIMARY KEY, state TEXT, at INTEGER);")
    func isOfCode(_ statements: String...) throws -> Bool {
      var reader = WorkloadReader()
      for sql in statements { reader.add(sql: sql) }
      return LiteralEvidence(try reader.workload.statements.map { try fixture.analyzed($0) })
        .isOfCode("state", of: "t", in: 1)
    }
    #expect(try isOfCode("SELECT id FROM t WHERE state = 'open' AND at > ?"))
    #expect(try !isOfCode("SELECT id FROM t WHERE state = 'open' AND at > 7"))
    #expect(try !isOfCode("SELECT id FROM t WHERE state = 'open' AND at > ?", "SELECT at FROM t WHERE state = ?"))
  }

  @Test(arguments: [
    ("\"flags\" & 32 != 0", true), ("(\"flags\" & 6) = 6", true), ("32 & \"flags\"", true),
    ("NOT \"flags\" & 32", true),
    ("\"flags\" & 32 = 7", false), ("\"flags\" & \"mask\" <> 0", false), ("\"flags\" | 32 <> 0", false),
    ("\"flags\" <> 0", false),
  ])
  func bits(condition: String, areTested: Bool) {
    #expect(LiteralEvidence.testsBits(condition) == areTested)
  }

  @Test(arguments: [
    ("instr(\"body\", 'word') > 0", true), ("\"kind\" = 'a'", true), ("\"body\" LIKE '%a%'", true),
    ("json_extract(\"data\", '$.title')", false), ("substr(\"code\", 1, 3)", false), ("coalesce(\"due\", 0)", false),
    ("substr(\"pair\", 1, instr(\"pair\", '_') - 1)", false),
  ])
  func keys(expression: String, compares: Bool) {
    #expect(LiteralEvidence.comparesLiterals(expression) == compares)
  }

  @Test(arguments: [
    ("abs(\"at\" - 1603000000)", true), ("(\"x\" - 5) * (\"x\" - 5) + \"y\"", true), ("pow(\"x\" - 5.5, 2)", true),
    ("abs(\"a\" - \"b\")", false), ("\"at\" / 86400", false), ("\"x\" - 978307200", false), ("\"a\" * \"a\"", false),
  ])
  func distances(expression: String, areMeasured: Bool) {
    #expect(LiteralEvidence.measuresDistance(expression) == areMeasured)
  }

  @Test(arguments: [
    ("\"total\" - 5", true), ("julianday('2025-01-01') - julianday(\"at\")", true), ("(\"a\") + 3600", true),
    ("\"a\" - \"b\"", false), ("\"at\" / 60", false), ("\"id\" + 0", false),
    ("julianday('now') - julianday(\"at\")", true),
    ("json_extract(\"data\", '$.n') + \"a\"", false),
  ])
  func sums(expression: String, areOfLiteral: Bool) {
    #expect(LiteralEvidence.isShifted(expression) == areOfLiteral)
  }
}
