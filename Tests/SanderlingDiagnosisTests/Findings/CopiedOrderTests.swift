import Testing

@testable import SanderlingDiagnosis

/// Lists sorted by a column of one table, where the filtered table has the same values in a column of its own.
@Suite struct CopiedOrderTests {
  private func finding(_ script: String, _ sql: String, bindings: [[Int: BoundValue]] = [[1: .integer(1)]]) throws
    -> Finding?
  {
    try DetectorFixture(script, showsValues: true).findings(CopiedOrderDetector(), sql, bindings: bindings).first
  }

  /// The newest messages of a chat. Each row of the join table has the date of its message, so the list can be sorted
  /// by it.
  @Test func datesOfLinks() throws {
    let fixture = try DetectorFixture(HarmCheckTests.messages, showsValues: true)
    let analyzed = try fixture.analyzed(HarmCheckTests.newest, bindings: [[1: .integer(1)]])
    let findings = try FindingDetectors.findings(for: analyzed, in: fixture.context).findings
    let finding = try #require(findings.first { $0.isProven })
    #expect(finding.kind == .sortWithoutIndex)
    let form = try #require(finding.fix?.sql.last)
    #expect(form.contains("ORDER BY chat_message_join.message_date DESC LIMIT 50"))
    #expect(
      finding.limits.contains { $0.hasPrefix("The same as long as chat_message_join.message_date equals message.date") }
    )
    #expect(finding.formProof.map { $0.comparisonsWithRows >= FormProof.leastWithRows } == true)
    // Large, small and empty chats.
    for chat in [1, 2, 3, 150, 999] {
      let values: [Int: BoundValue] = [1: .integer(Int64(chat))]
      #expect(try fixture.context.rows(form, values) == fixture.context.rows(HarmCheckTests.newest, values))
    }
    #expect(try fixture.context.harm.verdict(on: analyzed, as: form) == .harmless)
  }

  /// The report of a diagnosis proposes to sort by the copied column, and no join order.
  @Test(arguments: ["", "CREATE INDEX message_date ON message (date);"])
  func inAReport(index: String) throws {
    let files = try DatabaseFixture()
    _ = try files.app("app.sqlite", HarmCheckTests.messages + index)
    var reader = WorkloadReader()
    reader.add(sql: HarmCheckTests.newest.replacing("?", with: "1"))
    let report = try Diagnosis(database: files.url()).run(reader.workload)
    let fixes = report.findings.filter { $0.statement == 1 && $0.isProven }.flatMap { $0.fix?.sql ?? [] }
    #expect(fixes.contains { $0.contains("ORDER BY chat_message_join.message_date DESC") }, "\(fixes)")
    #expect(!fixes.contains { $0.contains("CROSS JOIN") })
  }

  /// A single row whose copied date differs prevents the rewrite.
  @Test(arguments: [
    "UPDATE chat_message_join SET message_date = 7 WHERE message_id = 11000;",
    "UPDATE chat_message_join SET message_date = NULL WHERE message_id = 3;",
    "UPDATE message SET date = NULL WHERE ROWID = 3;",
    "UPDATE chat_message_join SET message_date = message_date + 0.5;",
  ])
  func otherDates(change: String) throws {
    #expect(try finding(HarmCheckTests.messages + change, HarmCheckTests.newest) == nil)
  }

  /// If the statement itself has a condition that the columns are equal, the rewrite needs no rows as evidence.
  @Test func equalByACondition() throws {
    let sql = HarmCheckTests.newest.replacing(
      "WHERE", with: "AND chat_message_join.message_date = message.date WHERE")
    let finding = try #require(
      try finding(HarmCheckTests.messages + "UPDATE message SET date = date + 1 WHERE ROWID % 7 = 0;", sql))
    #expect(finding.isProven && finding.formProof?.followsFromRules == true)
    #expect(finding.fix?.sql.last?.contains("ORDER BY chat_message_join.message_date DESC") == true)
    #expect(!finding.limits.contains { $0.hasPrefix("The same as long as") })
  }

  /// The columns are equal by the join condition, so the list can be sorted by either column.
  @Test func equalByTheJoin() throws {
    let sql = """
      SELECT m.text FROM chat_message_join l, message m WHERE m.ROWID = l.message_id AND l.chat_id = ? ORDER BY m.ROWID DESC LIMIT 20
      """
    let finding = try #require(try finding(HarmCheckTests.messages, sql))
    #expect(finding.isProven && finding.fix?.sql.last?.contains("ORDER BY l.message_id DESC") == true)
  }

  /// Statements that aren't rewritten: outer joins, joins by other comparisons, orders by several columns or by
  /// expressions, DISTINCT, and no LIMIT.
  @Test(arguments: [
    "SELECT m.ROWID, m.text FROM chat_message_join l LEFT JOIN message m ON m.ROWID = l.message_id WHERE l.chat_id = ? ORDER BY m.date LIMIT 50",
    "SELECT l.message_id, m.text FROM chat_message_join l JOIN message m ON m.ROWID > l.message_id WHERE l.chat_id = ? ORDER BY m.date LIMIT 50",
    "SELECT m.text FROM chat_message_join l JOIN message m ON m.ROWID = l.message_id WHERE l.chat_id = ? ORDER BY m.date, m.text LIMIT 50",
    "SELECT m.text FROM chat_message_join l JOIN message m ON m.ROWID = l.message_id WHERE l.chat_id = ? ORDER BY m.date + 1 LIMIT 50",
    "SELECT DISTINCT m.text FROM chat_message_join l JOIN message m ON m.ROWID = l.message_id WHERE l.chat_id = ? ORDER BY m.date LIMIT 50",
    "SELECT m.text FROM chat_message_join l JOIN message m ON m.ROWID = l.message_id WHERE l.chat_id = ? ORDER BY m.date",
  ])
  func otherStatementsAreNotRewritten(sql: String) throws {
    #expect(try finding(HarmCheckTests.messages, sql) == nil)
  }

  /// A column with another collation sorts its texts in another order, even if all values are equal now.
  @Test func otherCollations() throws {
    let script = """
      CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE member (team INTEGER, person INTEGER, name TEXT COLLATE NOCASE);
      CREATE INDEX member_team ON member (team, name);
      \(DetectorFixture.numbers(6_000)) INSERT INTO person SELECT i, 'name ' || i FROM n;
      \(DetectorFixture.numbers(6_000)) INSERT INTO member SELECT i % 3, i, 'name ' || i FROM n;
      """
    let sql = "SELECT p.id FROM member m JOIN person p ON p.id = m.person WHERE m.team = ? ORDER BY p.name LIMIT 9"
    #expect(try finding(script, sql) == nil)
    #expect(try finding(script.replacing(" COLLATE NOCASE", with: ""), sql)?.isProven == true)
  }
}
