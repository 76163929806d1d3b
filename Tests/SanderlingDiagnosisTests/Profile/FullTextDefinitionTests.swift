import Testing

@testable import SanderlingDiagnosis

/// The profile of a full-text table contains its names and only known options.
struct FullTextDefinitionTests {
  private static let schema: DatabaseSchema = {
    var schema = DatabaseSchema()
    var table = TableSchema(name: "note")
    table.columns = ["id", "title"].map {
      ColumnSchema(
        name: $0, type: "", isNotNull: false, defaultSQL: nil, keyPosition: 0, isGenerated: false, isHidden: false,
        collation: "BINARY")
    }
    schema.tables = [table]
    return schema
  }()

  @Test(arguments: [
    ("fts5(title, body)", #"fts5("title", "body")"#, false),
    ("fts5(title UNINDEXED, 'body')", #"fts5("title" UNINDEXED, "body")"#, false),
    ("fts5(title, content = 'note', content_rowid=id)", #"fts5("title", content='note', content_rowid='id')"#, false),
    ("fts5(title, content='')", #"fts5("title", content='')"#, false),
    ("fts5(title, content=SECRET)", #"fts5("title")"#, true),
    (
      "fts5(title, tokenize = 'porter unicode61 remove_diacritics 2')",
      #"fts5("title", tokenize='porter unicode61 remove_diacritics 2')"#, false
    ),
    (
      "fts5(title, tokenize = \"unicode61 tokenchars '-_' categories 'L* N*'\")",
      #"fts5("title", tokenize='unicode61 tokenchars ''-_'' categories ''L* N*''')"#, false
    ),
    ("fts5(title, tokenize = \"unicode61 tokenchars 'SECRET'\")", #"fts5("title", tokenize='unicode61')"#, true),
    ("fts5(title, tokenize = 'mine SECRETtok 5')", #"fts5("title", tokenize='mine')"#, true),
    ("fts5(title, tokenize = 'SECRET.tok')", #"fts5("title")"#, true),
    (
      "fts5(title, prefix='2 3', detail=none, columnsize=0)",
      #"fts5("title", prefix='2 3', detail=none, columnsize=0)"#, false
    ),
    ("fts5(title, secret='SECRET') -- SECRET", #"fts5("title")"#, true),
    (
      "fts4(title TEXT DEFAULT 'SECRET', body, tokenize=unicode61 \"remove_diacritics=0\" \"tokenchars=-\")",
      #"fts4("title", "body", tokenize=unicode61 "remove_diacritics=0" "tokenchars=-")"#, true
    ),
    (
      "fts4(body, tokenize=porter, notindexed=title, matchinfo=fts3)",
      #"fts4("body", tokenize=porter, notindexed='title', matchinfo=fts3)"#, false
    ),
  ])
  func definitions(given: String, kept: String, isShortened: Bool) {
    var table = TableSchema(name: "search", sql: "CREATE VIRTUAL TABLE search USING \(given)")
    table.kind = .virtual(module: String(given.prefix(4)))
    let definition = FullTextDefinition(table, Self.schema)
    #expect(definition.sql == "CREATE VIRTUAL TABLE \"search\" USING \(kept)")
    #expect(definition.isShortened == isShortened)
  }

  /// The kept parts of these definitions are valid in SQLite and unchanged.
  @Test(arguments: [
    "fts5(title, body UNINDEXED, tokenize = \"unicode61 tokenchars '-_' categories 'L* N*'\", prefix='2 3', detail=column)",
    "fts4(title, body, tokenize=unicode61 \"remove_diacritics=0\" \"tokenchars=-\", notindexed=title)",
    "fts5(title, tokenize='trigram')",
  ])
  func keptDefinitionsAreValid(given: String) throws {
    let connection = try SQLiteConnection(path: "", mode: .memory)
    let sql = "CREATE VIRTUAL TABLE search USING \(given)"
    var table = TableSchema(name: "search", sql: sql)
    table.kind = .virtual(module: String(given.prefix(4)))
    try connection.run(FullTextDefinition(table, Self.schema).sql)
    try connection.run("INSERT INTO search (title) VALUES ('a-b word')")
    let found = try connection.value("SELECT count(*) FROM search WHERE search MATCH 'word'")
    #expect(found == .integer(given.contains("notindexed") ? 0 : 1))
  }

  @Test(arguments: [
    ("one OR two", ["one", "two"]), ("title: one", ["one"]), ("secret: one", ["secret", "one"]),
    ("NEAR(one two, 5)", ["one", "two"]), ("one NEAR/5 two", ["one", "two"]), ("0151234567", ["0151234567"]),
    ("42", ["42"]), ("{title id}: one", ["one"]), ("\"one two\" + three*", ["one", "two", "three"]),
  ])
  func numbersAndUnknownColumnsAreSearchedFor(text: String, words: [String]) {
    let names: Set = ["title", "id"]
    #expect(SearchWords(text, isColumn: names.contains).words == words)
  }
}
