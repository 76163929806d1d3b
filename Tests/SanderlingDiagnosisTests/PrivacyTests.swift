import Foundation
import Testing

@testable import SanderlingDiagnosis

/// Without `showsValues`, no form of a report contains a value of a statement, a log or a row.
///
/// Each literal contains a mark: a word or digits that occur nowhere else.
struct PrivacyTests {
  private let files: DatabaseFixture

  private static let marks = ["SECRET", "86753", "86,753", "867,53", "5EC2E7", "5ec2e7"]

  init() throws {
    files = try DatabaseFixture()
    _ = try files.app(
      "app.sqlite",
      """
      CREATE TABLE account (id INTEGER PRIMARY KEY, email TEXT UNIQUE, name TEXT, state TEXT DEFAULT 'open'
        CHECK (state IN ('open', 'closed', 'SECRETcheck')), at INTEGER, score REAL, data TEXT, picture BLOB);
      CREATE TABLE note (id INTEGER PRIMARY KEY, accountID INTEGER REFERENCES account (id), text TEXT, at INTEGER);
      CREATE INDEX account_state ON account (state);
      CREATE VIEW openAccount AS SELECT id, email, name, at FROM account WHERE state = 'open';
      CREATE VIRTUAL TABLE search USING fts5 (title, body);
      CREATE TRIGGER touch AFTER UPDATE ON note BEGIN UPDATE account SET at = 8675300 WHERE id = new.accountID; END;
      \(DetectorFixture.numbers(4_000)) INSERT INTO account SELECT i, 'SECRETrow' || i || '@example.org', 'SECRETname' || (i % 700),
        iif(i % 3 = 0, 'open', 'closed'), 8675301000 + i * 7919 % 4000, i * 1.5, '{"level": ' || i || ', "SECRETkey": "SECRETdata"}',
        x'5EC2E7' FROM n;
      \(DetectorFixture.numbers(6_000)) INSERT INTO note SELECT i, i * 7919 % 4000 + 1, 'SECRETtext ' || i, 8675302000 + i FROM n;
      INSERT INTO search SELECT name, email FROM account LIMIT 500;
      """)
  }

  /// Statements with literals at each place where SQLite accepts one.
  private static let accepted = [
    #"SELECT * FROM account WHERE email = "SECRETdouble@example.org""#,
    "SELECT * FROM account WHERE name = 'SECRETsingle'",
    "SELECT * FROM account WHERE picture = X'5EC2E701' AND at <> 0x5EC2E702",
    "SELECT id FROM account WHERE at > 8675301 AND score < 86753.25 AND -at < -86753",
    "SELECT id, name FROM account ORDER BY score LIMIT 8675303 OFFSET 8675304",
    "SELECT id, name FROM account ORDER BY name, id LIMIT 20 OFFSET 867",
    "/* SECRETcomment */ SELECT count(*) FROM account WHERE name LIKE '%SECRETlike%' -- SECRETline",
    #"SELECT * FROM account WHERE name IN ('SECRETin', "SECRETin2", 8675305)"#,
    "SELECT json_extract(data, '$.SECRETpath'), data ->> '$.SECRETarrow' FROM account WHERE state = 'SECRETstate'",
    #"SELECT * FROM account WHERE state || name = "SECRETjoined" OR upper(name) = 'SECRETUPPER'"#,
    #"SELECT CASE state WHEN "SECRETwhen" THEN 'SECRETthen' ELSE "SECRETelse" END AS x FROM account WHERE score = 3"#,
    #"SELECT * FROM note WHERE text BETWEEN "SECRETlow" AND "SECREThigh""#,
    #"SELECT "SECRETresult", max('SECRETexpression', name) FROM account GROUP BY "SECRETgroup", state HAVING count(*) > 86753"#,
    #"WITH t (a) AS (SELECT 'SECRETcommon') SELECT * FROM t JOIN account ON name = a ORDER BY "SECRETorder""#,
    "SELECT * FROM search WHERE search MATCH 'SECRETmatch'",
    "SELECT * FROM search WHERE search MATCH 'SECRETcolumn:word'",
    #"SELECT * FROM openAccount WHERE email = "SECRETview""#,
    #"SELECT * FROM account WHERE id NOT IN (SELECT accountID FROM note WHERE text = "SECRETnot")"#,
    #"SELECT printf("SECRETformat", name), strftime("SECRETtime", at) FROM account WHERE date(at) = 'SECRETdate'"#,
    #"SELECT * FROM note WHERE NOT (text > "SECRETinverse") AND at + 86753 > 8675309"#,
    #"SELECT a.name, count(n.id) FROM account a LEFT JOIN note n ON n.accountID = a.id AND n.text <> "SECRETon" GROUP BY a.id"#,
    #"SELECT * FROM account WHERE at = 'SECRETtext of a number'"#,
    #"SELECT name FROM account UNION SELECT "SECRETunion" FROM note WHERE text = 'SECRETarm'"#,
    #"SELECT json_extract(name, 'SECRETbadpath') FROM account"#,
    #"INSERT INTO account (email, name) VALUES ("SECRETinserted", 'SECRETinserted2')"#,
    #"INSERT INTO account (email, state) VALUES ('x', "SECRETrefused")"#,
    #"UPDATE note SET text = "SECRETset" WHERE text = "SECRETwhere" AND at > 8675302"#,
    #"DELETE FROM note WHERE text GLOB "SECRETglob*" RETURNING "SECRETreturned""#,
  ]

  /// Statements that are refused. The report shows them and the reasons without values.
  private static let refused = [
    #"PRAGMA key = "SECRETpragma""#, #"ATTACH "SECRETattach" AS other"#, "ATTACH 'SECRETattach2' AS other",
    "SELECT * FROM account WHERE name = 'O'SECRETbroken'", #"SELECT * FROM account WHERE name = "SECRETopen"#,
    #"SELECT nme FROM account WHERE email = "SECRETunknown""#, #"SELECT * FROM acount WHERE email = "SECRETtable""#,
    "SELECT * FROM account WHERE name = SECRETbare 'x'", #"VALUES ("SECRETvalues", 8675306) UNION"#,
    #"CREATE TABLE x AS SELECT "SECRETcreated""#, "EXPLAIN SELECT 'SECRETexplained'",
  ]

  private static func forms(of report: DiagnosisReport) throws -> [String: String] {
    [
      "terminal": TerminalReport(report, width: 300).text,
      "verbose terminal": TerminalReport(report, width: 300, isVerbose: true).text,
      "JSON": try JSONReport(report).text, "Markdown": MarkdownReport(report, limit: 10_000_000).text,
      "page": HTMLReport(report).text, "script": ApplyScript(report).text,
    ]
  }

  private func check(_ workload: Workload, expecting statements: Int) throws {
    var options = Diagnosis.Options()
    options.statementBudget = .milliseconds(400)
    var progress = ""
    let report = try Diagnosis(database: files.url(), options: options).run(workload) {
      progress += $0.description + "\n"
    }
    #expect(report.statements.count == statements)
    var forms = try Self.forms(of: report)
    forms["progress"] = progress
    for (form, text) in forms {
      for mark in Self.marks {
        let lines = text.split(separator: "\n").filter { $0.contains(mark) }
        #expect(lines.isEmpty, "\(mark) is in the \(form): \(lines.prefix(3).joined(separator: "\n"))")
      }
    }
  }

  @Test(arguments: [0, 1])
  func statementsOfTheCommandLine(half: Int) throws {
    var reader = WorkloadReader()
    let statements = Self.accepted.indices.filter { $0 % 2 == half }.map { Self.accepted[$0] }
    for sql in statements + Self.refused { reader.add(sql: sql) }
    // Statements that fail when they run are left out.
    let failing = statements.count {
      $0.contains("badpath") || $0.contains("SECRETcolumn") || $0.contains("SECRETrefused")
    }
    try check(reader.workload, expecting: statements.count - failing)
  }

  /// The report on a log with more statements than there is time for contains no logged or bound values.
  @Test func aLogOfManyStatements() throws {
    func lines(_ statements: [String]) -> [String] {
      statements.enumerated().map { place, sql in "\(place + 1).25ms \(sql);" }
    }
    // The second executions have other values. A literal that all executions share may belong to the app's code and
    // appear in an index.
    let others = Self.accepted.map {
      $0.replacing("SECRET", with: "SECRETS").replacing("5EC2E70", with: "5EC2E7F").replacing("86753", with: "867537")
    }
    let trace = try ["7", "8"].map { id in
      let sql = "SELECT * FROM note WHERE text = ? AND accountID = ?"
      let line = [
        "sql": sql,
        "expandedSQL": sql.replacing("= ? AND", with: "= 'SECRETbound' AND").replacing("= ?", with: "= \(id)"),
        "operation": "load",
      ]
      return String(decoding: try JSONSerialization.data(withJSONObject: line), as: UTF8.self)
    }
    // Some statements differ only in their values, and some are left out.
    let more = (1...8).map { "SELECT id AS more\($0) FROM note WHERE text > 'SECRETmore\($0)' ORDER BY at" }
    let all = lines(Self.accepted) + lines(more) + trace + lines(others) + lines(Self.refused)
    let log = try LogFile(all.joined(separator: "\n") + "\n")
    var reader = WorkloadReader()
    try reader.addLog(at: log.url, named: "app.log")
    var options = Diagnosis.Options()
    options.timeBudget = .seconds(12)
    let report = try Diagnosis(database: files.url(), options: options).run(reader.workload)
    #expect(report.statements.count > WorkloadMeasuring.fewStatements)
    for (form, text) in try Self.forms(of: report) {
      for mark in Self.marks {
        let lines = text.split(separator: "\n").filter { $0.contains(mark) }
        #expect(lines.isEmpty, "\(mark) is in the \(form): \(lines.prefix(3).joined(separator: "\n"))")
      }
    }
  }

  /// With `showsValues`, the report shows the values that the statement has.
  @Test func valuesAreShownOnDemand() throws {
    var reader = WorkloadReader()
    reader.add(sql: #"SELECT * FROM account WHERE name = "SECRETshown""#)
    var options = Diagnosis.Options()
    options.showsValues = true
    let report = try Diagnosis(database: files.url(), options: options).run(reader.workload)
    #expect(TerminalReport(report, showsValues: true).text.contains("name = 'SECRETshown'"))
    #expect(!TerminalReport(report).text.contains("SECRETshown"))
  }

  /// Statements that differ only in texts in double quotes are one statement, as with single quotes.
  @Test func statementsAreGroupedWithoutDoubleQuotedTexts() throws {
    var reader = WorkloadReader()
    for name in ["one", "two", "three"] { reader.add(sql: "SELECT id FROM account WHERE name = \"\(name)\"") }
    reader.add(sql: #"SELECT id FROM account WHERE "name" = 'four'"#)
    let report = try Diagnosis(database: files.url(), options: Diagnosis.Options()).run(reader.workload)
    #expect(report.statements.map(\.statement.count) == [3, 1])
    #expect(report.statements[0].statement.fingerprint == "SELECT id FROM account WHERE name = ?")
    #expect(report.statements[0].statement.places.map(\.description) == ["argument 1", "argument 2", "argument 3"])
    #expect(report.coverage?.statements == 2)
  }

  /// The column name of a table-valued function in double quotes is not taken for a text.
  @Test func namesOfFunctionsColumnsStayNames() throws {
    var reader = WorkloadReader()
    reader.add(sql: #"SELECT "value" FROM account, json_each(data) WHERE "key" = "SECRETkey" AND "key" = "level""#)
    let report = try Diagnosis(database: files.url(), options: Diagnosis.Options()).run(reader.workload)
    #expect(
      report.statements[0].statement.fingerprint
        == #"SELECT "value" FROM account, json_each(data) WHERE "key" = ? AND "key" = ?"#)
    #expect(
      report.statements[0].statement.sql
        == #"SELECT "value" FROM account, json_each(data) WHERE "key" = 'SECRETkey' AND "key" = 'level'"#)
  }
}
