import Testing

@testable import SanderlingDiagnosis

/// Texts that create an index in SQL, GRDB, Sanderling and Core Data, with or without the literals of statements.
@Suite struct IndexTextTests {
  private let partial = IndexCandidate(
    table: "task", keys: [.init(column: "due", sql: "\"due\"", isDescending: true)], condition: "\"state\" = 'secret'",
    purposes: [.filter])
  private let expression = IndexCandidate(
    table: "task", keys: [.init(column: nil, sql: "lower(\"title\")"), .init(column: "due", sql: "\"due\"")],
    purposes: [.filter])

  @Test func sanderling() {
    #expect(
      IndexFixText(index: partial, name: "i").declaration
        == ##".on(.descending(\.due)).where { _ in .raw(#""state" = 'secret'"#) }"##)
    #expect(
      IndexFixText(index: expression, name: "i").sanderling
        == "static let indexes: [Index<Task>] = "
        + ##"[.on(.expression { _ in Field<String>.raw(#"lower("title")"#) }, .ascending(\.due))]"##)
  }

  /// A Core Data index contains attributes of an entity, and ends before a column that Core Data keeps for itself.
  @Test func coreData() throws {
    func text(_ table: String, _ columns: String...) -> String? {
      let keys = columns.map { IndexCandidate.Key(column: $0, sql: "\"\($0)\"") }
      return IndexFixText(index: IndexCandidate(table: table, keys: keys, purposes: [.filter]), name: "i").coreData
    }
    #expect(try #require(text("ZNOTE", "ZFOLDER", "ZTITLE")).hasSuffix("folder (ascending), title (ascending)"))
    let cut = try #require(text("ZNOTE", "ZFOLDER", "Z_OPT", "ZTITLE"))
    #expect(cut.contains("folder (ascending). Z_OPT is no attribute") && !cut.contains("title"))
    #expect(text("ZNOTE", "Z_PK", "ZTITLE") == nil)
    #expect(try #require(text("Z_1TAGS", "Z_2TAGS")).contains("entity of its own"))
    #expect(text("task", "ZTITLE") == nil)
  }

  /// The literals of an index's condition stay in each form of the text, since they are part of the index.
  @Test func literalsOfIndexesStay() {
    let text = IndexFixText(index: partial, name: "i")
    for form in [text.sql, text.grdb, text.sanderling] { #expect(form.contains("secret") && !form.contains("= ?")) }
  }

  @Test(arguments: [
    ("SELECT 'a', 7, 1, 0.5, x'00' FROM t", "SELECT ?, ?, 1, ?, ? FROM t"),
    ("SELECT 'a' FROM t WHERE b > ?2 AND c = 'a' LIMIT 20", "SELECT ?3 FROM t WHERE b > ?2 AND c = ?3 LIMIT ?4"),
    (
      "SELECT a, b FROM t GROUP BY 2, 3 + 4 ORDER BY 2 DESC LIMIT 7",
      "SELECT a, b FROM t GROUP BY 2, ? + ? ORDER BY 2 DESC LIMIT ?"
    ),
    ("SELECT strftime('%Y', a, 'unixepoch') FROM t", "SELECT strftime('%Y', a, 'unixepoch') FROM t"),
    (
      "SELECT (SELECT 1) AS \"sum(a = 'b')\" FROM \"my table\"", "SELECT (SELECT 1) AS \"sum(a = ?)\" FROM \"my table\""
    ),
  ])
  func statements(sql: String, shown: String) {
    #expect(LiteralRemover().shown(sql).asciiLowercased == shown.asciiLowercased)
  }

  /// Literals of a view belong to the app's code. They stay in the text, even where the text of the view replaces its
  /// name.
  @Test func literalsOfTheSchemaStay() {
    let remover = LiteralRemover(ofSchema: ["2", "'open'"])
    #expect(
      remover.shown("SELECT 2 AS pool FROM t WHERE state = 'open' AND n = 7")
        == "SELECT 2 AS pool FROM t WHERE state = 'open' AND n = ?")
  }
}
