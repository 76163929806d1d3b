import Testing

@testable import SanderlingDiagnosis

/// A fix that makes a statement slower with values of some kind is refused, whatever it gains with the measured values.
@Suite struct HarmCheckTests {
  /// Messages of chats, as Apple's Messages stores them. Chat 1 has most messages, chat 2 one old message, and chats 3
  /// to 300 have some each.
  static let messages = """
    CREATE TABLE chat (ROWID INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE message (ROWID INTEGER PRIMARY KEY, date INTEGER, text TEXT);
    CREATE TABLE chat_message_join (chat_id INTEGER REFERENCES chat (ROWID), message_id INTEGER REFERENCES message (ROWID),
      message_date INTEGER DEFAULT 0, PRIMARY KEY (chat_id, message_id));
    CREATE INDEX chat_message_join_idx ON chat_message_join (chat_id, message_date, message_id);
    CREATE INDEX chat_message_join_message ON chat_message_join (message_id);
    \(DetectorFixture.numbers(300)) INSERT INTO chat SELECT i, 'chat ' || i FROM n;
    \(DetectorFixture.numbers(12_000)) INSERT INTO message SELECT i, i * 10, 'message ' || i FROM n;
    \(DetectorFixture.numbers(12_000)) INSERT INTO chat_message_join
      SELECT CASE WHEN i = 5 THEN 2 WHEN i % 5 THEN 1 ELSE 3 + i / 5 % 298 END, i, i * 10 FROM n;
    """

  static let newest = """
    SELECT message.ROWID, message.date, message.text FROM message JOIN chat_message_join ON message.ROWID = chat_message_join.message_id
    WHERE chat_message_join.chat_id = ? ORDER BY message.date DESC LIMIT 50
    """

  /// The join order that is right for a big chat reads all messages for a small chat.
  @Test func joinOrderForBigChats() throws {
    let fixture = try DetectorFixture(
      Self.messages + "CREATE INDEX message_date ON message (date);", showsValues: true)
    let analyzed = try fixture.analyzed(Self.newest, bindings: [[1: .integer(1)]])
    let statement = try #require(MovableStatement(analyzed, schema: fixture.context.schema))
    let form = """
      SELECT message.ROWID, message.date, message.text FROM message CROSS JOIN chat_message_join
      WHERE message.ROWID = chat_message_join.message_id AND chat_message_join.chat_id = ?1
      ORDER BY message.date DESC LIMIT 50
      """
    let trial = RewriteTrial(context: fixture.context, analyzed: analyzed, statement: statement)
    let result = try trial.measured(form)
    // With the value of the log, the rewrite looks better.
    #expect(result.isBetter && result.comparisons.workBefore > 20 * result.comparisons.workAfter)
    #expect(try fixture.context.harm.verdict(on: analyzed, as: form).isHarmful)
    #expect(try trial.harmless(result) == nil)
    #expect(try trial.best(of: [form]) == nil)
    let findings = try FindingDetectors.findings(for: analyzed, in: fixture.context).findings
    #expect(!findings.contains { $0.fix?.sql.contains { $0.contains("message CROSS JOIN") } ?? false })
  }

  // MARK: Kinds of fixes

  /// A table `item` of 12,000 rows. Kind 1 has nearly all rows; the other kinds have one row each, at the end.
  private static func kinds(others: Int = 20) -> String {
    """
    CREATE TABLE item (id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, day INTEGER NOT NULL, note TEXT);
    CREATE INDEX item_kind ON item (kind); CREATE INDEX item_day ON item (day);
    \(DetectorFixture.numbers(12_000)) INSERT INTO item
      SELECT i, CASE WHEN i <= \(12_000 - others) THEN 1 ELSE i - \(11_999 - others) END, i, printf('%05d %.50c', i * 7919 % 12000, 'x') FROM n;
    """
  }

  private static let first = "SELECT id, note FROM item WHERE kind = ? ORDER BY day LIMIT 10"

  private func verdict(
    _ sql: String, as form: String? = nil, changes: [String] = [], _ bindings: [Int: BoundValue] = [1: .integer(1)],
    others: Int = 20
  ) throws -> HarmCheck.Verdict {
    let fixture = try DetectorFixture(Self.kinds(others: others))
    let analyzed = try fixture.analyzed(sql, bindings: bindings.isEmpty ? [] : [bindings])
    return try fixture.context.harm.verdict(on: analyzed, as: form, changes: changes)
  }

  @Test(arguments: [
    // The statistics give each of two kinds half of the rows, so SQLite expects the first ten rows early in the order
    // of days. The rows of the rare kind don't come early.
    ["ANALYZE"], [#"DROP INDEX "item_kind""#],
  ])
  func changesOfTheDatabase(changes: [String]) throws {
    let verdict = try verdict(Self.first, changes: changes, others: 1)
    #expect(verdict.isHarmful, "\(verdict)")
  }

  /// An index that SQLite walks until it has enough rows is no fix, since some value may have no rows.
  @Test func walkedIndexIsHarmful() throws {
    let sql = "SELECT id, note FROM item WHERE +kind = ? ORDER BY note, id LIMIT 10"
    let index = #"CREATE INDEX "item_on_note" ON "item" ("note")"#
    #expect(try verdict(sql, changes: [index]).isHarmful)
    #expect(try verdict(sql, changes: [#"CREATE INDEX "i" ON "item" ("kind", "day", "note")"#]) == .harmless)
    let advice = try AdviceFixture(Self.kinds()).advise(sql, [[1: .integer(1)]])
    #expect(advice.candidates.allSatisfy { $0.keys.contains { $0.column == "kind" } }, "\(advice.sql)")
  }

  @Test(arguments: [
    "SELECT id, note FROM item WHERE +kind = ?1 ORDER BY day LIMIT 10",
    "SELECT id, note FROM item WHERE (kind = ?1) IS TRUE ORDER BY day LIMIT 10",
  ])
  func conditionsWithoutTheirIndex(form: String) throws {
    guard case .harmful(let harm) = try verdict(Self.first, as: form) else {
      Issue.record("the rewrite is not harmful")
      return
    }
    #expect(harm.ratio > 20 && !harm.isOfOwnLiterals)
    #expect(["absent", "rare", "least", "greatest"].contains(harm.values))
  }

  /// A rewrite that is equally good for all values is harmless, and so is a rewrite that costs a few steps more.
  @Test(arguments: [
    "SELECT id, note FROM item WHERE kind = ?1 ORDER BY day, id LIMIT 10",
    "SELECT id, note FROM item WHERE kind = ?1 AND note IS NOT NULL ORDER BY day LIMIT 10",
  ])
  func harmless(form: String) throws {
    #expect(try verdict(Self.first, as: form) == .harmless)
  }

  /// Every proven fix in a report is harmless: it creates an index. No fix walks through the days for a rare kind.
  @Test func reportsProposeNoHarmfulIndex() throws {
    let files = try DatabaseFixture()
    _ = try files.app("app.sqlite", Self.kinds())
    var workload = WorkloadReader()
    workload.add(sql: "SELECT id, note FROM item WHERE kind = 1 ORDER BY day LIMIT 10")
    let report = try Diagnosis(database: files.url()).run(workload.workload)
    let proven = report.findings.filter { $0.isProven && $0.statement != nil }
    try #require(!proven.isEmpty, "\(report.findings.map(\.title)) \(report.notes)")
    for finding in proven {
      let sql = try #require(finding.fix?.sql)
      #expect(sql.allSatisfy { $0.hasPrefix("CREATE INDEX") }, "\(sql)")
    }
  }

  /// An index of a column with one frequent value is harmful by its pages. For the frequent value, it takes fewer steps
  /// than the scan and many times its pages.
  @Test func harmOfPages() throws {
    let fixture = try DetectorFixture(
      """
      CREATE TABLE item (id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, note TEXT);
      \(DetectorFixture.numbers(12_000)) INSERT INTO item
        SELECT i * 7, CASE WHEN i % 10 THEN 1 ELSE i END, printf('%.50c', 'x') FROM n;
      """)
    let sql = "SELECT note FROM item WHERE kind = ?"
    let index = #"CREATE INDEX "item_on_kind" ON "item" ("kind")"#
    let analyzed = try fixture.analyzed(sql, bindings: [[1: .integer(10)]])
    let frequent = [1: BoundValue.integer(1)]
    let before = try fixture.context.runner.measure(sql, bindings: frequent)
    let after = try Trial(connection: fixture.context.connection).run([index]) {
      try fixture.context.runner.measure(sql, bindings: frequent)
    }.value
    try #require(before.steps > after.steps && after.pages > 10 * before.pages, "\(before) \(after)")
    let verdict = try fixture.context.harm.verdict(on: analyzed, changes: [index])
    #expect(verdict.isHarmful, "\(verdict)")
  }

  // MARK: Untried values

  /// A rewrite that there was no time to try is reported with a limit that says so, and its detector runs again.
  @Test func untriedRewritesAreReportedAndTriedAgain() throws {
    let fixture = try DetectorFixture(Self.kinds())
    let analyzed = try fixture.analyzed(Self.first, bindings: [[1: .integer(1)]])
    let form = Self.first.replacing("kind =", with: "+kind =")
    let (context, connection) = (fixture.context, fixture.context.connection)
    let verdict = try connection.limited(to: StatementBudget(deadline: .afterQuestions(0))) {
      try context.harmVerdict(on: analyzed, as: form, changes: [])
    }
    #expect(verdict == .untried && context.shortfall.happened)
    #expect(verdict.limit == HarmCheck.Verdict.untriedLimit)
    context.shortfall.happened = false
    #expect(try context.harmVerdict(on: analyzed, as: form, changes: []).isHarmful)
    #expect(!context.shortfall.happened)
  }

  /// An index that harms with some values leaves the set of indexes. If the time ends before all values are tried, the
  /// index stays, with a remark for its statement.
  @Test func setsOfIndexes() throws {
    let fixture = try AdviceFixture(Self.kinds())
    let analyzed = try fixture.analyze(
      "SELECT id, note FROM item WHERE +day >= ? ORDER BY note, id LIMIT 10", [[1: .integer(6)]])
    let advisor = fixture.advisor
    let index = IndexCandidate(
      table: "item", keys: [IndexCandidate.Key(column: "note", sql: #""note""#)], purposes: [.order])
    try IndexBench.run(
      on: fixture.copy.connection, schema: fixture.schema, names: advisor.names, runner: advisor.runner,
      deadline: .standingStill
    ) { bench in
      let proof = IndexSetProof(advisor: advisor, bench: bench, statements: [analyzed])
      let gains = try #require(try proof.gains([index]))
      try #require(gains.allSatisfy(\.isReadInAnotherWay) && gains.count == 1)
      let untried = try proof.harms(of: [index], gains, within: .zero)
      #expect(untried.harmed.isEmpty && untried.remarks == [1: HarmCheck.Verdict.untriedLimit])
      let tried = try proof.harms(of: [index], gains, within: .seconds(60))
      #expect(tried.harmed.count == 1 && tried.remarks[1] != nil, "\(tried.remarks)")
      let proven = try proof.harmless(creating: [index], dropping: [], known: gains, within: { .seconds(60) })
      #expect(proven.chosen.isEmpty)
    }
  }

  /// An index that harms with values of some kind leaves the set of indexes, and the other indexes stay.
  @Test func harmfulIndexesLeaveTheSet() throws {
    let fixture = try AdviceFixture(Self.kinds())
    let analyzed = try fixture.analyze(
      "SELECT id, note FROM item WHERE +kind = ? ORDER BY note, id LIMIT 10", [[1: .integer(1)]])
    let advisor = fixture.advisor
    let indexes = ["note", "id"].map { (column: String) in
      IndexCandidate(
        table: "item", keys: [IndexCandidate.Key(column: column, sql: "\"\(column)\"")], purposes: [.order])
    }
    try IndexBench.run(
      on: fixture.copy.connection, schema: fixture.schema, names: advisor.names, runner: advisor.runner,
      deadline: .standingStill
    ) { bench in
      let proof = IndexSetProof(advisor: advisor, bench: bench, statements: [analyzed])
      let proven = try proof.harmless(creating: indexes, dropping: [], within: { .seconds(60) })
      #expect(proven.chosen == [indexes[1]] && proven.advice.create.map(\.table) == ["item"], "\(proven.chosen)")
    }
  }

  @Test func verdictsOfSets() {
    var advice = IndexAdvice(verdict: "2 indexes for 3 statements.")
    advice.note([5: "A.", 3: "B.", 4: "A."])
    #expect(advice.verdict == "2 indexes for 3 statements. S3: B. S4, S5: A.")
    advice.note([3: "B."])
    #expect(advice.verdict == "2 indexes for 3 statements. S3: B. S4, S5: A.")
    advice.note([:])
    #expect(advice.limits == [3: "B.", 4: "A.", 5: "A."])
    func finding(_ statement: Int, _ sql: String) -> Finding {
      Finding(
        kind: .fullScan, severity: .warning, statement: statement, title: "Title", explanation: "Explanation.",
        fix: Fix(summary: "Summary", sql: [sql]), outcome: .proven([]))
    }
    var findings = [
      finding(3, "CREATE INDEX i ON t (a)"), finding(4, "SELECT 1"), finding(6, "CREATE INDEX i ON t (a)"),
    ]
    findings.note(advice.limits)
    findings.note(advice.limits)
    #expect(findings.map(\.limits) == [["B."], [], []])
  }

  // MARK: Literals

  /// A literal of a logged statement is one of the values that the app may use, so the check tries other values too.
  @Test func literalsThatVary() throws {
    let sql = Self.first.replacing("?", with: "1")
    let form = sql.replacing("kind =", with: "+kind =")
    #expect(try verdict(sql, as: form, [:]).isHarmful)
    #expect(try verdict(sql, changes: [#"DROP INDEX "item_kind""#], [:]).isHarmful)
  }

  /// A literal of the app's code has this value in every execution. An index may serve this value alone, and the report
  /// says so.
  @Test func literalsOfTheCode() throws {
    let fixture = try DetectorFixture(Self.kinds())
    let sql = Self.first.replacing("?", with: "1")
    let statement = WorkloadStatement(
      id: 1, fingerprint: Fingerprint.of(sql), sql: sql, count: 3, sharedLiterals: ["1", "10"])
    let analyzed = try fixture.analyzed(statement)
    let check = HarmCheck(
      connection: fixture.context.connection, schema: fixture.context.schema, runner: fixture.context.runner,
      evidence: LiteralEvidence([analyzed]))
    let verdict = try check.verdict(on: analyzed, as: sql.replacing("kind =", with: "+kind ="))
    guard case .fitsItsValues(let harm) = verdict else {
      Issue.record("\(verdict)")
      return
    }
    #expect(harm.isOfOwnLiterals && verdict.limit?.contains("the values that the statement names") == true)
  }

  @Test func replacedLiterals() throws {
    let fixture = try DetectorFixture(Self.kinds())
    func literals(_ sql: String) throws -> VaryingLiterals {
      VaryingLiterals(try ShapeReader.shape(of: sql, in: fixture.context.schema.description))
    }
    let sql = "SELECT id FROM item WHERE kind = 5 AND day > 17 AND note = 'it''s' ORDER BY day LIMIT 5"
    let found = try literals(sql)
    #expect(found.literals.map(\.column) == ["kind", "day", "note"])
    let values: [Int: BoundValue] = [1: .integer(-3), 3: .text("o'clock")]
    #expect(
      found.replaced(in: sql, with: values)
        == "SELECT id FROM item WHERE kind = -3 AND day > 17 AND note = 'o''clock' ORDER BY day LIMIT 5")
    // A rewrite may contain the literal in several places. The number of LIMIT stays.
    #expect(
      found.replaced(
        in: "SELECT 5 FROM item WHERE day > 17 AND kind = 5 LIMIT 5", with: [1: .integer(8), 2: .integer(1)])
        == "SELECT 5 FROM item WHERE day > 1 AND kind = 8 LIMIT 5")
    #expect(found.replaced(in: "SELECT id FROM item WHERE kind > 4 AND kind < 6", with: [1: .integer(8)]) == nil)
    // A rewrite doesn't tell which of two equal literals it contains, so neither literal is varied.
    #expect(try literals("SELECT id FROM item WHERE kind = 5 AND day = 5").literals.isEmpty)
    #expect(try literals("SELECT id FROM item WHERE kind = -5 AND day + 1 = 7 LIMIT 8").literals.isEmpty)
  }

  /// The check tries frequent, rare, absent and extreme values of the compared columns, alone and together.
  @Test func kindsOfValues() throws {
    let fixture = try DetectorFixture(Self.kinds())
    let analyzed = try fixture.analyzed(
      "SELECT id FROM item WHERE kind = ? AND day > 11000 LIMIT ?", bindings: [[1: .integer(1), 2: .integer(9)]])
    let literals = VaryingLiterals(try #require(analyzed.shape))
    let probes = ProbeSampler(
      sampler: BindingSampler(
        connection: fixture.context.connection, schema: fixture.context.schema, timeBudget: .seconds(60))
    ).probes(of: analyzed, literals)
    #expect(probes.allSatisfy { $0.values[2] == .integer(9) })
    #expect(Set(probes.map(\.name)) == ["absent", "rare", "frequent", "least", "greatest"])
    func values(_ name: String) -> [[BoundValue?]] {
      probes.filter { $0.name == name }.map { [$0.values[1], $0.literals[3]] }
    }
    #expect(
      values("absent").contains([.integer(22), nil]) && values("absent").contains([.integer(1), .integer(12_001)]))
    #expect(values("greatest") == [[.integer(21), nil], [.integer(21), .integer(12_000)]])
    #expect(values("least") == [[.integer(1), .integer(1)]])
    // The bound of a range varies only in probes of bounds. It keeps its value in the probes that can refuse a fix.
    #expect(probes.allSatisfy { $0.isOfBounds == ($0.literals[3] != nil) })
  }

  /// The frequency of a unique key is the number of rows that refer to it.
  @Test func keysOfJoinedRows() throws {
    let fixture = try DetectorFixture(Self.messages + "INSERT INTO chat VALUES (999, 'nobody wrote');")
    let sql = """
      SELECT message_id FROM chat JOIN chat_message_join ON chat_id = chat.ROWID WHERE chat.ROWID = ?
      """
    let analyzed = try fixture.analyzed(sql, bindings: [[1: .integer(7)]])
    let probes = ProbeSampler(
      sampler: BindingSampler(
        connection: fixture.context.connection, schema: fixture.context.schema, timeBudget: .seconds(60))
    ).probes(of: analyzed, VaryingLiterals(try #require(analyzed.shape)))
    let values = Dictionary(probes.map { ($0.name, $0.values[1]) }) { first, _ in first }
    #expect(values["frequent"] == .integer(1) && values["rare"] == .integer(2) && values["absent"] == .integer(999))
  }

  /// The bound of a range varies with each execution, so harm with another bound refuses no fix. The report states the
  /// harm.
  @Test(arguments: [
    ("day >= ?", true), ("day BETWEEN ? AND 9", true), ("note LIKE ?", true), ("(day < ?1 OR day > ?1)", true),
    ("kind = ?", false), ("+kind = ?", false), ("kind IN (?, 7)", false), ("(kind = ?1 OR day > ?1)", false),
  ])
  func boundsOfRanges(condition: String, isBound: Bool) throws {
    let fixture = try DetectorFixture(Self.kinds())
    let value: BoundValue = condition.contains("LIKE") ? .text("0%") : .integer(6)
    let analyzed = try fixture.analyzed("SELECT id FROM item WHERE \(condition)", bindings: [[1: value]])
    let probes = ProbeSampler(
      sampler: BindingSampler(
        connection: fixture.context.connection, schema: fixture.context.schema, timeBudget: .seconds(60))
    ).probes(of: analyzed, VaryingLiterals(try #require(analyzed.shape)))
    #expect(!probes.isEmpty && probes.allSatisfy { $0.isOfBounds == isBound })
    let harm = HarmCheck.Harm(values: "rare", ratio: 30, isOfOwnLiterals: false, isOfBounds: isBound)
    #expect(harm.refuses != isBound)
    #expect(HarmCheck.Verdict.fitsItsValues(harm).limit?.contains("ranges and patterns") == true)
  }

  @Test func boundsOfHarm() {
    func measurement(_ steps: Int64, isComplete: Bool = true) -> StatementMeasurement {
      StatementMeasurement(
        steps: steps, pages: 0, coldPages: 0, warmTime: .zero, coldTime: .zero, rowsReturned: 1, isComplete: isComplete)
    }
    #expect(HarmRule.isHarm(measurement(40_000), measurement(100_000)))
    // The cost isn't doubled, the difference is too small to notice, or the run before didn't end.
    #expect(!HarmRule.isHarm(measurement(60_000), measurement(119_000)))
    #expect(!HarmRule.isHarm(measurement(10), measurement(50_000)))
    #expect(!HarmRule.isHarm(measurement(40_000, isComplete: false), measurement(1_000_000)))
    // A run before with `mostStepsBefore` steps shows no harm, and a run with fewer steps shows it.
    for (steps, pages): (Int64, Int64) in [(10, 1_000), (60_000, 0), (100_000, 0), (600_000, 180_000), (51_000, 0)] {
      var after = measurement(steps)
      after.pages = pages
      let most = HarmRule.mostStepsBefore(after)
      #expect(most > 0 && !HarmRule.isHarm(measurement(most), after))
      #expect(most == 1 || HarmRule.isHarm(measurement(most - 2), after), "\(steps) \(pages)")
    }
  }
}
