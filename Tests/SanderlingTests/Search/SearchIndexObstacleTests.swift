import GRDB
import Testing

@testable import Sanderling

/// Full-text indexes in a database whose schema the app's own triggers and migrations change.
@Suite struct SearchIndexObstacleTests {
  @Record
  struct Leaflet: Hashable {
    var id: Int
    @Searchable(.words) var title: String
    @Searchable(.words, .substrings) var body: String?
  }

  private let store: Store

  init() throws {
    var configuration = Configuration()
    configuration.acceptsDoubleQuotedStringLiterals = true
    store = try Store(inMemory: [Leaflet.self], configuration: configuration)
  }

  private func execute(_ sql: String) async throws {
    try await store.writer.writeWithoutTransaction { try $0.execute(sql: sql) }
  }

  private func expect(
    _ title: String, _ ids: [Int], sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    #expect(try await store.checkSearchIndexes(of: Leaflet.self) == [], sourceLocation: sourceLocation)
    let found = try await store.fetch(Leaflet.where { $0.title.matches(title) }.order { $0.id })
    #expect(found.map(\.id) == ids, sourceLocation: sourceLocation)
  }

  /// The app's trigger runs before the trigger that records the document, and writes the row again. The indexed
  /// document then has neither the intermediate nor the final texts.
  @Test func aTriggerThatWritesTheRowAgain() async throws {
    try await store.write("given") {
      try $0.insert(contentsOf: [Leaflet(id: 1, title: "one"), Leaflet(id: 2, title: "two")])
    }
    try await execute(
      """
      CREATE TRIGGER own AFTER UPDATE OF title ON leaflet WHEN NEW.title NOT LIKE '%!' BEGIN
      UPDATE leaflet SET title = NEW.title || ' again!' WHERE id = NEW.id; END
      """)
    try await store.write("renamed") { try $0.execute("UPDATE leaflet SET title = 'three' WHERE id = 2") }
    try await expect("three again", [2])
    // The index contains no words of the intermediate texts, which a later document with the same number could
    // otherwise get.
    let words = try await store.writer.writeWithoutTransaction { db in
      try db.execute(
        sql: "CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab(main, 'sanderling_words_leaflet', 'row')")
      return try String.fetchAll(db, sql: "SELECT term FROM temp.vocabulary ORDER BY term")
    }
    #expect(words == ["again", "one", "three"])
  }

  /// A row waits to be indexed while its column is renamed. A connection that accepts texts in double quotes reads the
  /// missing column's name as a text, which must not be indexed.
  @Test func rowIsIndexedAfterItsColumnIsRenamedBack() async throws {
    store.holdFolding(true)
    try await execute("INSERT INTO leaflet (id, title, body) VALUES (1, 'fish', 'soup')")
    try await execute("ALTER TABLE leaflet RENAME COLUMN title TO away")
    store.holdFolding(false)
    store.connection.folding?.wake()
    // The row can't be indexed during this time.
    try await Task.sleep(for: .milliseconds(50))
    try await execute("ALTER TABLE leaflet RENAME COLUMN away TO title")
    try await expect("fish", [1])
    try await expect("title", [])
  }

  @Record
  struct Label: Hashable {
    @PrimaryKey var code: String
    @PrimaryKey var place: Int
    @Searchable(.words) var text: String
  }

  /// Rows wait for their document numbers while the key's column is renamed. No row gets a number then: the column's
  /// name would be a text that is equal in all rows.
  @Test func rowsAreIndexedAfterTheirKeyIsRenamedBack() async throws {
    var configuration = Configuration()
    configuration.acceptsDoubleQuotedStringLiterals = true
    let store = try Store(inMemory: [Label.self], configuration: configuration)
    store.holdFolding(true)
    try await store.writer.writeWithoutTransaction { db in
      try db.execute(
        sql: "INSERT INTO label (code, place, text) VALUES ('a', 1, 'fish'), ('b', 1, 'soup'), ('c', 1, 'fish')")
      try db.execute(sql: "ALTER TABLE label RENAME COLUMN code TO away")
    }
    store.holdFolding(false)
    await #expect(throws: StoreError.self) { try await store.searchIndexed() }
    try await store.writer.writeWithoutTransaction { db in
      #expect(try Int.fetchAll(db, sql: "SELECT DISTINCT sanderling_document FROM label") == [0])
      try db.execute(sql: "ALTER TABLE label RENAME COLUMN away TO code")
    }
    try await store.searchIndexed()
    #expect(try await store.checkSearchIndexes(of: Label.self) == [])
    #expect(try await store.fetch(Label.where { $0.text.matches("fish") }).map(\.code).sorted() == ["a", "c"])
  }

  @Record
  struct Numbered: Hashable {
    var id: Int
    @Searchable(.words) var text: String
  }

  /// A key that the app declared without INTEGER can be NULL. No record reads such a row, and the check does not take
  /// its words for those of the row 0.
  @Test func rowsWithNULLInTheKeyAreInNoIndex() async throws {
    let folder = TemporaryFolder()
    let queue = try DatabaseQueue(beside: folder.path())
    try await queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE numbered (id BOOLEAN PRIMARY KEY, text TEXT NOT NULL);
          INSERT INTO numbered VALUES (NULL, 'fish'), (0, 'soup'), (NULL, 'bread'), (1, 'fish')
          """)
    }
    let store = try Store(path: folder.path(), schema: [Numbered.self])
    try await queue.write { try $0.execute(sql: "INSERT INTO numbered VALUES (NULL, 'salt'), (2, 'salt')") }
    _ = try await store.noticeOutsideChanges()
    await store.foldingFinished()
    #expect(try await store.checkSearchIndexes(of: Numbered.self) == [])
    #expect(try await store.fetch(Numbered.where { $0.text.matches("soup") }).map(\.id) == [0])
    #expect(try await store.fetch(Numbered.where { $0.text.matches("salt") }).map(\.id) == [2])
  }

  /// A row whose key contains a NUL character is indexed. Formerly it got no number, so that waiting for the indexes
  /// never ended.
  @Test func aKeyWithANULCharacter() async throws {
    let store = try Store(inMemory: [Label.self])
    try await store.writer.writeWithoutTransaction { db in
      try db.execute(
        sql: """
          INSERT INTO label (code, place, text) VALUES (CAST(X'61620063' AS TEXT), 1, 'fish'), ('ab', 2, 'soup'),
            (CAST(X'61FF00' AS TEXT), 3, 'fish'), ('', 4, 'fish')
          """)
    }
    await store.foldingFinished()
    #expect(try await store.checkSearchIndexes(of: Label.self) == [])
    let pending = try await store.writer.read { db in try Label.table.hasPendingDocuments(db) }
    #expect(!pending)
    #expect(try await store.fetch(Label.where { $0.text.matches("fish") }).map(\.place).sorted() == [1, 3, 4])
  }

  @Record
  struct Binder: Hashable {
    var id: Int
    static let sheets = hasMany(Sheet.self, by: \.binderID)
  }

  @Record
  struct Sheet: Hashable {
    var id: Int
    var binderID: Int
    @Searchable(.words) var text: String
  }

  /// A table that the app created may hold NULL where the record has none. Such a row excludes no parent from a negated
  /// search.
  @Test func negatedAssociationsOverColumnsThatHoldNull() async throws {
    let schema = try StoreSchema([Binder.self, Sheet.self])
    let app = try DatabaseQueue()
    try await app.write { db in
      for statement in schema.tables.flatMap(\.statements) {
        try db.execute(sql: statement.replacing("\"binderID\" INTEGER NOT NULL", with: "\"binderID\" INTEGER"))
      }
      try db.execute(
        sql: """
          INSERT INTO binder (id) VALUES (1), (2);
          INSERT INTO sheet (id, binderID, text) VALUES (1, 1, 'fish'), (2, NULL, 'fish'), (3, 2, 'soup');
          """)
    }
    let store = try Store(app, schema: [Binder.self, Sheet.self])
    let without = Binder.where { !$0.sheets.contains { $0.text.matches("fish") } }
    #expect(try await store.fetch(without) == [Binder(id: 2)])
    #expect(try await store.fetch(Binder.where { $0.sheets.contains { $0.text.matches("fish") } }) == [Binder(id: 1)])
  }

  /// A table that the app created may have keys that are not integers and can't be indexed. Searches read such rows
  /// directly.
  @Test func rowsWithNonIntegerKeysAreSearched() async throws {
    let app = try DatabaseQueue()
    try await app.write { db in
      let statements = try StoreSchema([Leaflet.self]).tables.flatMap(\.statements)
      for sql in ["CREATE TABLE leaflet (id INTEGER NOT NULL UNIQUE, title TEXT NOT NULL, body TEXT)"]
        + statements.dropFirst()
      {
        try db.execute(sql: sql)
      }
    }
    let store = try Store(app, schema: [Leaflet.self])
    try await app.write { db in
      try db.execute(
        sql: "INSERT INTO leaflet (id, title) VALUES (2, 'fish'), (2.5, 'fish'), ('a', 'soup'), (3, 'soup')")
    }
    #expect(try await store.count(Leaflet.where { $0.title.matches("fish") }) == 2)
    #expect(try await store.count(Leaflet.where { !$0.title.matches("fish") }) == 2)
    #expect(try await store.checkSearchIndexes(of: Leaflet.self) == [])
    #expect(try await store.count(Leaflet.where { $0.title.matches("fish") }) == 2)
  }
}
