import Testing

@testable import SanderlingDiagnosis

/// Filters that a parameter switches off, such as `?1 IS NULL OR owner = ?1`. A rewrite splits these statements in two
/// parts.
struct SwitchedConditionTests {
  let fixture: DetectorFixture

  init() throws {
    fixture = try DetectorFixture(
      """
      CREATE TABLE task (
        id INTEGER PRIMARY KEY, owner INTEGER, state INTEGER NOT NULL, name TEXT COLLATE NOCASE, code TEXT, due INTEGER, body TEXT);
      CREATE TABLE owner (id INTEGER PRIMARY KEY, name TEXT);
      \(DetectorFixture.numbers(200)) INSERT INTO owner SELECT i, 'Owner ' || i FROM n;
      \(DetectorFixture.numbers(6_000)) INSERT INTO task
        SELECT i, iif(i % 50 = 0, NULL, i % 200), i % 3, iif(i % 40 = 0, NULL, 'Name ' || (i % 700)), iif(i % 9 = 0, '', 'c' || i % 500),
          iif(i % 30 = 0, NULL, i * 7919 % 5003), printf('%.40c', 'x') FROM n;
      CREATE INDEX task_owner ON task (owner); CREATE INDEX task_name ON task (name); CREATE INDEX task_due ON task (due);
      CREATE INDEX task_code ON task (code);
      """, showsValues: true)
  }

  private func switches(_ condition: String) throws -> [ConditionSwitch] {
    let sql = "SELECT id FROM task WHERE \(condition)"
    let shape = try ShapeReader.shape(of: sql, in: fixture.context.schema.description)
    return ConditionSwitch.all(of: shape.resolved)
  }

  // MARK: Conditions that are switches

  @Test(arguments: [
    ("?1 IS NULL OR owner = ?1", "?1 IS NOT NULL AND owner = ?1", "?1 IS NULL"),
    ("owner = ?1 OR ?1 IS NULL", "?1 IS NOT NULL AND owner = ?1", "?1 IS NULL"),
    ("state = 1 AND ((1 = ?1) OR (state = ?2))", "(1 = ?1) IS NOT TRUE AND state = ?2", "1 = ?1"),
    ("?1 = '' OR name LIKE ?1", "(?1 = '') IS NOT TRUE AND name LIKE ?1", "?1 = ''"),
    (":all OR owner = :owner", "(:all) IS NOT TRUE AND owner = :owner", ":all"),
    (
      "?1 IS NULL OR length(?1) = 0 OR name = ?1 OR owner = 3",
      "(?1 IS NULL OR length(?1) = 0) IS NOT TRUE AND (name = ?1 OR owner = 3)", "?1 IS NULL OR length(?1) = 0"
    ),
    ("owner = coalesce(?1, owner)", "?1 IS NOT NULL AND owner = ?1", "?1 IS NULL AND owner IS NOT NULL"),
    ("ifnull(?1, task.owner) IS owner", "?1 IS NOT NULL AND owner IS ?1", "?1 IS NULL"),
  ])
  func switched(condition: String, on: String, off: String) throws {
    let found = try switches(condition)
    #expect(found.map(\.whereOn) == [on] && found.map(\.whereOff) == [off])
  }

  @Test(arguments: [
    "owner = ?1 OR state = ?2", "1 = 1 OR owner = ?1", "random() > ?1 OR owner = 3", "?1 IS NULL OR ?2 IS NULL",
    "(SELECT count(*) FROM owner) > ?1 OR owner = 3", "owner = coalesce(?1, state)", "owner > coalesce(?1, owner)",
    "owner = coalesce(?1, 3, owner)", "owner = coalesce(owner, ?1)",
  ])
  func noSwitches(condition: String) throws {
    #expect(try switches(condition).isEmpty)
  }

  // MARK: Rewrites in two parts

  private static let values: [BoundValue] = [
    .null, .integer(0), .integer(1), .integer(7), .integer(49), .text(""), .text("name 7"), .text("7"), .text("c7"),
    .real(7),
  ]

  /// A statement with a switched filter is split into two parts, for a filter that is on and one that is off. Each
  /// argument has values that switch the filters on or off.
  @Test(arguments: SwitchedConditionTests.inParts)
  func inTwoParts(sql: String, on: [SwitchValue]) throws {
    let bound = Dictionary(uniqueKeysWithValues: on.enumerated().map { ($0 + 1, $1.value) })
    let finding = try #require(try fixture.findings(SwitchedConditionDetector(), sql, bindings: [bound]).first)
    #expect(finding.kind == .orWithoutIndex && finding.isProven)
    let other = try #require(finding.fix?.sql.last)
    // The rewrite is right for any other values too: values that switch the filter off, and values of no row.
    let analyzed = try fixture.analyzed(sql, bindings: [bound])
    let statement = try #require(MovableStatement(analyzed, schema: fixture.context.schema))
    var random = SeededRandom(3)
    for place in 0..<60 {
      let values = bound.mapValues { value in
        place < Self.values.count && bound.count == 1
          ? Self.values[place] : random.chance(50) ? value : Self.values.randomElement(using: &random) ?? value
      }
      let verdict = try fixture.context.comparer.compare(
        statement.sql, other, bindings: values, otherBindings: statement.values(values, for: other),
        order: statement.order)
      #expect(verdict == .same, "\(other) with \(values)")
    }
  }

  static let inParts: [(String, [SwitchValue])] = [
    ("SELECT id, name FROM task WHERE (?1 IS NULL OR owner = ?1)", [7]),
    ("SELECT * FROM task WHERE state = 2 AND (?1 = ?2 OR owner = ?1)", [7, 8]),
    ("SELECT owner, name FROM task WHERE (?1 IS NULL OR owner = ?1) AND (?2 IS NULL OR state = ?2)", [7, nil]),
    ("SELECT id, due FROM task WHERE (:o IS NULL OR owner = :o) ORDER BY due DESC, id LIMIT 20", [7]),
    ("SELECT id FROM task WHERE owner = coalesce(?1, owner)", [7]),
    ("SELECT id FROM task WHERE owner IS ifnull(?1, owner) AND state = 1", [7]),
    ("SELECT id FROM task WHERE (? IS NULL OR owner = ?) AND (state = ? OR ? < 0)", [1, 7, 1, -1]),
    (
      "SELECT id, name AS n FROM task WHERE (?1 IS NULL OR owner = ?1) ORDER BY n COLLATE BINARY, 1 LIMIT 9 OFFSET 2",
      [7]
    ),
    // The ordering column is not in the result.
    ("SELECT id, name FROM task WHERE (?1 IS NULL OR owner = ?1) ORDER BY due, id", [7]),
    ("SELECT id, name FROM task WHERE (?1 IS NULL OR owner = ?1) ORDER BY lower(code) DESC, id LIMIT 12", [7]),
    // Aggregates that return a row for no rows, groups, and DISTINCT rows.
    ("SELECT count(*) FROM task WHERE (?1 IS NULL OR owner = ?1)", [7]),
    ("SELECT count(*) AS n, max(due) FROM task WHERE (?1 IS NULL OR owner = ?1) AND state = ?2", [7, 1]),
    ("SELECT coalesce(sum(due), 0) AS total FROM task WHERE (?1 IS NULL OR owner = ?1)", [7]),
    (
      "SELECT state, count(*) FROM task WHERE (?1 IS NULL OR owner = ?1) GROUP BY state HAVING count(*) > 3 ORDER BY 2 DESC, 1",
      [7]
    ),
    ("SELECT DISTINCT state, name FROM task WHERE (?1 IS NULL OR owner = ?1) ORDER BY name, state", [7]),
    ("SELECT id, row_number() OVER (ORDER BY due, id) AS place FROM task WHERE (?1 IS NULL OR owner = ?1)", [7]),
    (
      "WITH late AS (SELECT 4000 AS due) SELECT o.name, t.id FROM task t JOIN owner o ON o.id = t.owner "
        + "WHERE (?1 IS NULL OR t.owner = ?1) AND t.due < (SELECT due FROM late)", [7]
    ),
    ("SELECT id FROM task WHERE ?1 = '' OR name = ?1 OR code = ?1", ["Name 7"]),
  ]

  /// Among the filters that an execution switches on, the filter that leaves the fewest rows gets the index.
  @Test func mostSelectiveFilterGetsTheIndex() throws {
    let fixture = try DetectorFixture(
      """
      CREATE TABLE move (id INTEGER PRIMARY KEY, source INTEGER, target INTEGER, state INTEGER, at INTEGER, note TEXT);
      \(DetectorFixture.numbers(12_000)) INSERT INTO move
        SELECT i, i % 200, i % 900, i % 4, i * 7919 % 12007, printf('%.60c', 'x') FROM n;
      """)
    var context = fixture.context
    context.advisor = try IndexAdvisor(copy: context.copy, schema: context.schema, runner: context.runner)
    let sql =
      "SELECT id, at, note FROM move WHERE (1 = ?1 OR state = ?2) AND (1 = ?3 OR source = ?4) AND (1 = ?5 OR target = ?6)"
    func fix(_ values: [Int64]) throws -> [String] {
      let bound = Dictionary(uniqueKeysWithValues: values.enumerated().map { ($0 + 1, BoundValue.integer($1)) })
      let analyzed = try fixture.analyzed(sql, bindings: [bound])
      return try SwitchedConditionDetector().findings(for: analyzed, in: context).first?.fix?.sql ?? []
    }
    #expect(try fix([0, 1, 0, 5, 0, 77]).first?.hasSuffix(#"("target")"#) == true)
    let other = try fix([0, 1, 0, 5, 1, 0])
    #expect(other.first?.contains(#"("source""#) == true, "\(other)")
    #expect(try fix([1, 0, 1, 0, 1, 0]) == [])
  }

  /// If one execution switches the filter on and another one off, the index serves the first.
  @Test func onAndOff() throws {
    let sql = "SELECT id, name, due FROM task WHERE (?1 IS NULL OR owner = ?1)"
    let finding = try #require(
      try fixture.findings(SwitchedConditionDetector(), sql, bindings: [[1: .integer(7)], [1: .null]]).first)
    #expect(finding.isProven && finding.limits.isEmpty)
    guard case .proven(let comparisons) = finding.outcome else { return }
    #expect(comparisons.count == 2 && comparisons[0].workAfter < 0.1 * comparisons[0].before.work)
  }

  // MARK: Unknown values

  /// Without known values, filters are assumed to be switched on, and the finding states this limit.
  @Test(arguments: [
    "SELECT id FROM task WHERE (1 = ?1 OR owner = ?2)", "SELECT id FROM task WHERE (:all OR owner = :owner)",
    "SELECT id FROM task WHERE (? = '' OR name = ?)", "SELECT id FROM task WHERE (? IS NOT NULL OR owner = ?)",
    "SELECT id FROM task WHERE owner = coalesce(?1, owner)",
  ])
  func sampled(sql: String) throws {
    let finding = try #require(try fixture.findings(SwitchedConditionDetector(), sql).first, "\(sql)")
    #expect(finding.isProven && finding.limits.contains { $0.hasPrefix("Which filters are switched on") })
  }

  // MARK: Advice without SQL

  @Test(arguments: [
    "UPDATE task SET state = 1 WHERE (?1 IS NULL OR owner = ?1)",
    "DELETE FROM task WHERE (?1 IS NULL OR owner = ?1)",
    "SELECT count(*) FROM (SELECT DISTINCT state FROM task WHERE (?1 IS NULL OR owner = ?1))",
    "SELECT id FROM owner UNION ALL SELECT id FROM task WHERE (?1 IS NULL OR owner = ?1)",
    "SELECT count(*) FROM task WHERE (?1 IS NULL OR owner = ?1) LIMIT 1",
    "SELECT name FROM owner o WHERE id NOT IN (SELECT id FROM task WHERE (?1 IS NULL OR owner = ?1))",
  ])
  func otherStatementsGetAdviceInWords(sql: String) throws {
    let finding = try #require(
      try fixture.findings(SwitchedConditionDetector(), sql, bindings: [[1: .integer(7)]]).first)
    #expect(finding.kind == .orWithoutIndex && finding.severity == .note && !finding.isProven)
    #expect(finding.fix?.sql == [] && finding.fix?.summary == "Build the statement from the filters that are set")
  }

  // MARK: Statements without a rewrite

  static let others: [(String, [SwitchValue])] = [
    // A filter that is switched off, leaves a third of the rows, or has no index; two filters of one row, and a small
    // table.
    ("SELECT id, name FROM task WHERE (?1 IS NULL OR owner = ?1)", [nil]),
    ("SELECT id, name FROM task WHERE (?1 IS NULL OR state <> ?1)", [1]),
    ("SELECT id, name FROM task WHERE (?1 IS NULL OR body || 'y' = ?1 || name)", ["x"]),
    ("SELECT id, name FROM task WHERE (?1 IS NULL OR instr(body, ?1) > 0)", ["y"]),
    ("SELECT id, name FROM task WHERE (?1 IS NULL OR name LIKE ?1)", ["%ame 77%"]),
    ("SELECT id, name FROM task WHERE due = 700 AND (?1 IS NULL OR owner = ?1)", [7]),
    ("SELECT id FROM owner WHERE (?1 IS NULL OR id = ?1)", [7]),
  ]

  @Test(arguments: SwitchedConditionTests.others)
  func otherFiltersAreNotReported(sql: String, on: [SwitchValue]) throws {
    let bound = Dictionary(uniqueKeysWithValues: on.enumerated().map { ($0 + 1, $1.value) })
    #expect(try fixture.findings(SwitchedConditionDetector(), sql, bindings: [bound]).isEmpty)
    #expect(try fixture.findings(AlternativesDetector(), sql, bindings: [bound]).isEmpty)
  }
}

/// A value of a parameter, written as a literal of the test.
struct SwitchValue: Sendable, ExpressibleByIntegerLiteral, ExpressibleByStringLiteral, ExpressibleByNilLiteral {
  let value: BoundValue

  init(integerLiteral value: Int64) { self.value = .integer(value) }
  init(stringLiteral value: String) { self.value = .text(value) }
  init(nilLiteral: ()) { value = .null }
}
