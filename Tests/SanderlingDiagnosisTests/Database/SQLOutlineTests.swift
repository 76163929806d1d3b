import Testing

@testable import SanderlingDiagnosis

/// Messages of errors show no literal of the statement and no value that it read.
struct SQLOutlineTests {
  private let outline = SQLOutline(names: SQLNames(["task", "title", "state"]))

  @Test(arguments: [
    ("no such column: titel", "no such column: titel"),
    ("near \"SELECT\": syntax error", "near \"SELECT\": syntax error"),
    ("near \"title\": syntax error", "near \"title\": syntax error"),
    ("near \"Connor\": syntax error", "near a literal or symbol: syntax error"),
    ("unrecognized token: \"'secret\"", "unrecognized token a literal or symbol: syntax error"),
    (
      "no such column: \"secret\" - should this be a string literal in single-quotes?",
      "it names a column that does not exist"
    ),
    ("secret is not what was asked for", "it fails when it runs"),
  ])
  func messagesOfPreparation(message: String, shown: String) {
    #expect(outline.message(message) == shown)
  }

  @Test(arguments: [
    ("UNIQUE constraint failed: task.title", "UNIQUE constraint failed: task.title"),
    ("UNIQUE constraint failed: index 'state'", "UNIQUE constraint failed: index 'state'"),
    ("CHECK constraint failed: ofState", "CHECK constraint failed: ofState"),
    ("CHECK constraint failed: state IN ('secret', 'x')", "CHECK constraint failed"),
    ("no such column: secret", "it fails when it runs"),
    ("JSON path error near 'secret'", "it fails when it runs"),
    ("FOREIGN KEY constraint failed", "FOREIGN KEY constraint failed"),
  ])
  func messagesOfRuns(message: String, shown: String) {
    #expect(outline.messageOfRun(message) == shown)
  }

  @Test func doubleQuotedTextsAreHiddenUntilTheSchemaIsKnown() throws {
    let connection = try SQLiteConnection(path: "", mode: .memory)
    let error = #expect(throws: DiagnosisError.self) {
      try connection.prepare(#"SELECT * FROM gone WHERE a = "secret""#, authority: .reading)
    }
    #expect("\(error!)".contains("SELECT * FROM gone WHERE a = ?"))
    #expect(!"\(error!)".contains("secret"))
  }
}
