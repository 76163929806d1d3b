import Testing

@testable import SanderlingDiagnosis

/// Values that are chosen for parameters. Project 1 has 500 tasks, all done but one. Projects 2 to 100 have 5 tasks
/// each, none done. Ranks are 1 to 995.
@Suite struct BindingSamplerTests {
  let fixture: DatabaseFixture
  let copy: DatabaseCopy
  let sampler: BindingSampler

  init() throws {
    fixture = try DatabaseFixture()
    copy = try fixture.copy(
      """
      CREATE TABLE task (id INTEGER PRIMARY KEY, projectID INTEGER, done INTEGER, title TEXT, rank INTEGER UNIQUE);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 995)
      INSERT INTO task SELECT i, CASE WHEN i <= 500 THEN 1 ELSE 2 + (i - 501) / 5 END, i < 500,
        CASE WHEN i <= 500 THEN 'Alpha ' ELSE 'Beta ' END || i, i FROM n;
      """)
    sampler = BindingSampler(
      connection: copy.connection, schema: try DatabaseSchemaReader(connection: copy.connection).read(),
      timeBudget: .seconds(60))
  }

  private func values(_ sql: String, _ number: Int = 1) throws -> [BoundValue?] {
    try sampler.samples(for: sql).map { $0.values[number] }
  }

  @Test(arguments: [
    ("SELECT * FROM task WHERE projectID = ?", [BoundValue.integer(51), .integer(1)]),
    ("SELECT * FROM task AS t WHERE :p = t.projectID", [.integer(51), .integer(1)]),
    ("SELECT * FROM task WHERE projectID IN (?, ?)", [.integer(51), .integer(1)]),
    // Among open tasks, no project has more than five.
    ("SELECT * FROM task WHERE projectID = ? AND done = 0", [.integer(52), .integer(2)]),
    ("SELECT * FROM task WHERE rank > ?", [.integer(498), .integer(10)]),
    ("SELECT * FROM task WHERE rank < ?", [.integer(498), .integer(985)]),
    ("SELECT * FROM task WHERE rank BETWEEN ? AND 5000", [.integer(249), .integer(10)]),
    ("SELECT * FROM task WHERE projectID = 1 AND rank > ?", [.integer(250), .integer(5)]),
    ("SELECT * FROM task WHERE title LIKE ?", [.text("Bet%"), .text("A%")]),
    ("SELECT * FROM task WHERE title LIKE '%' || ? || '%'", [.text("Bet"), .text("A")]),
    ("SELECT * FROM task LIMIT 10 OFFSET ?", [.integer(0), .integer(497)]),
    ("SELECT * FROM task LIMIT ?", [.integer(50)]),
    ("UPDATE task SET done = ? WHERE id = 3", [.integer(1)]),
    ("DELETE FROM task WHERE projectID = ?", [.integer(51), .integer(1)]),
    ("SELECT ? + 1", [.integer(1)]), ("SELECT 1 FROM (SELECT * FROM task) WHERE 0", [nil]),
  ])
  func typicalAndWorst(sql: String, expected: [BoundValue?]) throws {
    let found = try values(sql)
    #expect(found == expected)
  }

  /// Values that are compared together come from the same rows, so that rows match all of them.
  @Test func valuesThatOccurTogether() throws {
    let sql = "SELECT count(*) FROM task WHERE projectID = ? AND done = ?"
    let samples = try sampler.samples(for: sql)
    #expect(!samples.isEmpty)
    for sample in samples {
      let statement = try copy.connection.prepare(sql)
      try statement.bind(sample.values)
      _ = try statement.step()
      #expect((statement.value(at: 0).integer ?? 0) >= 1, "\(sample)")
    }
  }

  @Test func loggedValuesComeFirst() throws {
    let sql = "SELECT * FROM task WHERE projectID = ? AND rank > ?"
    let complete: [Int: BoundValue] = [1: .integer(7), 2: .integer(8)]
    #expect(try sampler.samples(for: sql, logged: [complete]) == [BindingSample(name: "as logged", values: complete)])
    let partly = try sampler.samples(for: sql, logged: [[1: .integer(7)]])
    #expect(partly.map(\.name) == ["typical", "worst"] && partly.allSatisfy { $0.values[1] == .integer(7) })
    #expect(try sampler.samples(for: "SELECT 1") == [BindingSample(name: "none", values: [:])])
    #expect(throws: DiagnosisError.self) { try sampler.samples(for: "SELECT * FROM none WHERE a = ?") }
  }

  /// Sampled rows can be inserted although the table has unique columns.
  @Test func insertedRows() throws {
    let sql = "INSERT INTO task (id, projectID, done, title, rank) VALUES (?, ?, ?, ?, ?), (?, ?, ?, ?, ?)"
    let sample = try #require(try sampler.samples(for: sql).first)
    #expect(sample.values.count == 10)
    let measurement = try StatementRunner(connection: copy.connection).measure(sql, bindings: sample.values)
    #expect(measurement.rowsReturned == 2)
  }

  @Test func bindingsAreFoundWithoutABudget() throws {
    let samples = try sampler.connection.limited(to: .zero) {
      try sampler.samples(for: "SELECT * FROM task WHERE projectID = ?")
    }
    #expect(samples.allSatisfy { $0.values[1] != nil })
  }
}
