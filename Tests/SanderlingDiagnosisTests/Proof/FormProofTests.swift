import Foundation
import SanderlingTerminal
import Testing

@testable import SanderlingDiagnosis

/// A rewrite is proven only by enough comparisons whose results have rows. The report shows their number.
@Suite struct FormProofTests {
  @Test(arguments: [
    (16, 8, false, true), (200, 8, false, true), (15, 15, false, false), (200, 7, false, false), (0, 0, false, false),
    (0, 0, true, true),
  ])
  func bounds(comparisons: Int, withRows: Int, isByRules: Bool, suffices: Bool) {
    let proof = FormProof(comparisons: comparisons, comparisonsWithRows: withRows, followsFromRules: isByRules)
    #expect((proof.shortage == nil) == suffices)
  }

  /// A rewrite stays unproven if hardly any adversarial row meets the conditions, so that most compared results are
  /// empty.
  @Test func tooFewWithRows() throws {
    let fixture = try DetectorFixture(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, v INTEGER, w INTEGER, x INTEGER, y INTEGER); CREATE INDEX i ON t (v);
      \(DetectorFixture.numbers(3_000)) INSERT INTO t SELECT i, i, i * 7 % 1000, i * 11 % 1000, i * 13 % 1000 FROM n;
      """)
    let sql = "SELECT id FROM t WHERE v % 97 = 41 AND w % 89 = 40 AND x % 83 = 39 AND y % 79 = 38"
    let analyzed = try fixture.analyzed(sql)
    let statement = try #require(MovableStatement(analyzed, schema: fixture.context.schema))
    let trial = RewriteTrial(context: fixture.context, analyzed: analyzed, statement: statement)
    let verdict = try trial.verdict(on: sql + " AND id > 0")
    guard case .untried(let reason, let proof) = verdict else {
      Issue.record("\(verdict)")
      return
    }
    #expect(proof.comparisons > 16 && proof.comparisonsWithRows < FormProof.leastWithRows)
    #expect(reason.contains("had rows"))
    var result = RewriteTrial.Result(sql: sql, comparisons: [], isBetter: true)
    result.note(verdict)
    guard case .notMeasured(let said) = result.outcome else {
      Issue.record("\(result.outcome)")
      return
    }
    #expect(said.hasPrefix("Not proven to mean the same.") && result.proof == proof)
    // If the rewrite follows from the rules of SQL, no comparison is needed.
    result = RewriteTrial.Result(sql: sql, comparisons: [], isBetter: true)
    result.note(verdict, isSameByNature: true)
    #expect(result.doubt == nil && result.proof?.followsFromRules == true)
  }

  /// Joins, subqueries and conditions on texts get results with rows. The comparisons use the values of the conditions
  /// and rows of the app.
  @Test(arguments: [
    "SELECT a.name FROM a JOIN b ON b.a = a.id JOIN c ON c.b = b.id WHERE a.kind = 'user-17' AND b.state = 77 AND c.code LIKE 'zz9%'",
    "SELECT a.name FROM a WHERE a.kind = ?1 AND EXISTS (SELECT 1 FROM b JOIN c ON c.b = b.id WHERE b.a = a.id AND b.state > 70)",
    "SELECT b.id FROM b WHERE b.a IN (SELECT id FROM a WHERE kind = ?1) AND b.state BETWEEN 70 AND 79 ORDER BY b.id LIMIT 5",
    "SELECT count(*), max(c.id) FROM a JOIN b ON b.a = a.id JOIN c ON c.b = b.id WHERE a.kind = 'user-17' AND json_extract(c.data, '$.x') = 5",
    "SELECT id FROM c WHERE substr(code, 1, 3) = 'zz9' AND b > 2000 AND json_extract(data, '$.x') = 5",
  ])
  func comparisonsHaveRows(sql: String) throws {
    let fixture = try DetectorFixture(
      """
      CREATE TABLE a (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, name TEXT);
      CREATE TABLE b (id INTEGER PRIMARY KEY, a INTEGER NOT NULL REFERENCES a (id), state INTEGER);
      CREATE TABLE c (id INTEGER PRIMARY KEY, b INTEGER NOT NULL REFERENCES b (id), code TEXT, data TEXT);
      \(DetectorFixture.numbers(400)) INSERT INTO a SELECT i, 'user-' || (i % 40), 'name ' || i FROM n;
      \(DetectorFixture.numbers(3_000)) INSERT INTO b SELECT i, i % 400 + 1, i % 80 FROM n;
      \(DetectorFixture.numbers(6_000))
      INSERT INTO c SELECT i, i % 3000 + 1, 'zz' || (i % 10) || '-' || i, json_object('x', i % 9) FROM n;
      """)
    let bindings: [[Int: BoundValue]] = sql.contains("?1") ? [[1: .text("user-17")]] : []
    let analyzed = try fixture.analyzed(sql, bindings: bindings)
    let statement = try #require(MovableStatement(analyzed, schema: fixture.context.schema))
    let trial = RewriteTrial(context: fixture.context, analyzed: analyzed, statement: statement)
    let proof = try #require(try trial.verdict(on: "\(sql)\n").proof)
    #expect(proof.comparisonsWithRows >= 2 * FormProof.leastWithRows, "\(proof)")
  }

  /// The single row of an aggregate over no rows doesn't count as a result with rows.
  @Test func rowsOfAggregates() throws {
    let fixture = try DetectorFixture("CREATE TABLE t (id INTEGER PRIMARY KEY, v INTEGER CHECK (v > 10 AND v < 10));")
    for sql in ["SELECT count(*), max(v) FROM t", "SELECT EXISTS (SELECT 1 FROM t) AS e", "SELECT total(v) FROM t"] {
      let statement = try #require(MovableStatement(fixture.analyzed(sql), schema: fixture.context.schema))
      let connection = try fixture.context.adversary.connection()
      let pair = RewriteProof.Pair(one: sql, other: sql)
      let empty = try StatementComparison(statement: statement, connection: connection).result(
        of: [pair], [:], within: .never)
      #expect(empty?.hasRows == false && empty?.isDifferent == false)
    }
  }

  private static let proof = FormProof(comparisons: 1_234, comparisonsWithRows: 567)

  private var report: DiagnosisReport {
    var finding = Finding(
      kind: .subqueryPerRow, severity: .error, statement: 1, title: "slow", explanation: "",
      fix: Fix(summary: "Ask otherwise", sql: ["SELECT 2"]),
      outcome: .proven([
        Comparison(bindings: "none", before: measurement(90_000), after: measurement(90))
      ]))
    finding.formProof = Self.proof
    let statements = [1, 2].map { id in
      StatementReport(
        statement: WorkloadStatement(id: id, fingerprint: "SELECT ?", sql: "SELECT \(id)"), plan: QueryPlan(roots: []),
        measurements: [("none", measurement(90_000))])
    }
    return DiagnosisReport(
      database: SampleReport.database, statements: statements, findings: [finding], elapsed: .seconds(1))
  }

  private func measurement(_ steps: Int64) -> StatementMeasurement {
    StatementMeasurement(
      steps: steps, pages: steps / 10, coldPages: 0, warmTime: .microseconds(steps), coldTime: .microseconds(steps),
      rowsReturned: 1)
  }

  @Test func everyOutputSaysHowMany() throws {
    let words = "1,234 times, 567 times with rows"
    var short = TerminalSummary(report, width: 200, style: TextStyle(isColored: false), showsValues: false)
    let json = try JSONReport(report).text
    for text in [
      TerminalReport(report, width: 200, isVerbose: true).text, short.text, MarkdownReport(report).text,
      HTMLReport(report).text,
      ApplyScript(report).text,
    ] {
      #expect(text.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(words), "\(text)")
    }
    #expect(json.contains("\"comparisons\" : 1234") && json.contains("\"comparisonsWithRows\" : 567"))
    let read = try JSONDecoder().decode(JSONReport.self, from: Data(json.utf8))
    #expect(read.findings.first?.formProof?.comparisonsWithRows == 567)
    #expect(
      FormProof(comparisons: 5, comparisonsWithRows: 1, followsFromRules: true).text.hasPrefix("Both forms are equal"))
  }
}
