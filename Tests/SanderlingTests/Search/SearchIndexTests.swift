import Foundation
import GRDB
import Testing

@testable import Sanderling

/// Full-text indexes are made, checked and rebuilt, and damage to them is found.
@Suite struct SearchIndexTests {
  private let folder = TemporaryFolder()

  private static let notes = (1...300).map { number in
    MatchedNote(
      id: number, title: "Fish \(number) Straße 東京\(number)",
      body: number.isMultiple(of: 3) ? nil : "body \(number) ea",
      tag: "tag\(number % 7)")
  }

  private func store(_ schema: [any StoredRecord.Type] = matchSchema) async throws -> Store {
    let store = try folder.store(schema: schema)
    if try await store.count(MatchedNote.query) == 0 {
      try await store.write("given") { tx in
        try tx.insert(contentsOf: MatchedAuthor.all)
        try tx.insert(contentsOf: Self.notes)
      }
    }
    return store
  }

  private func expectWhole(_ store: Store, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    #expect(try await store.checkSearchIndexes(of: MatchedNote.self) == [], sourceLocation: sourceLocation)
    let waiting = try await store.writer.read { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM sanderling_waiting_matchedNote")
    }
    #expect(waiting == 0, sourceLocation: sourceLocation)
  }

  @Test func indexesStayWholeAfterRandomWrites() async throws {
    let seed = SeededGenerator.defaultSeed
    let store = try await store()
    var world = MatchWorld(store, try folder.patientConnection(), firstID: 301, seed: seed)
    for _ in 0..<8 {
      for _ in 0..<10 { try await world.write() }
      _ = try await store.noticeOutsideChanges()
      store.connection.folding?.wake()
      try await expectWhole(store)
    }
    try await store.optimizeSearchIndexes(of: MatchedNote.self)
    try await expectWhole(store)
    try await store.rebuildSearchIndexes(of: MatchedNote.self)
    try await expectWhole(store)
    #expect(try await store.checkSearchIndexes(of: SearchedNote.self) == [])
  }

  /// Deliberate damage to an index is found, and repaired by rebuilding the index.
  @Test(arguments: [
    """
    INSERT INTO sanderling_words_matchedNote (sanderling_words_matchedNote, rowid, c1, c2)
    VALUES ('delete', 5, 'fish 5 strasse 東京 京 5', 'body 5 ea')
    """,
    "INSERT INTO \"sanderling_substrings_matchedNote.title\" (rowid, c1) VALUES (7, 'xyz')",
    "DROP TRIGGER sanderling_touch_search_1_change_matchedNote; UPDATE matchedNote SET body = 'else' WHERE id = 9",
  ])
  func differencesAreFound(sql: String) async throws {
    let store = try await store()
    try await expectWhole(store)
    try await store.writer.write { try $0.execute(sql: sql) }
    let problems = try await store.checkSearchIndexes(of: MatchedNote.self)
    #expect(!problems.isEmpty)
    try await store.rebuildSearchIndexes(of: MatchedNote.self)
    try await expectWhole(store)
  }

  /// A live result evaluates the texts, and its audit finds that a SELECT by the damaged index returns fewer rows.
  @MainActor
  @Test func anAuditFindsAPlantedDifference() async throws {
    let found = Flag()
    let store = try Store(
      path: folder.path(), schema: matchSchema, liveInterval: .zero,
      audit: .everyCommit(budget: .seconds(10)) { _ in found.set() })
    try await store.write("given") { try $0.insert(contentsOf: Self.notes) }
    let count = store.liveCount(MatchedNote.where { $0.title.matches("fish") })
    _ = count.value
    await store.settled()
    #expect(count.value == 300)
    try await store.write("plant") { tx in
      try tx.execute(
        """
        INSERT INTO sanderling_words_matchedNote (sanderling_words_matchedNote, rowid, c1, c2)
        SELECT 'delete', id, 'fish 5 strasse 東京 京 5', 'body 5 ea' FROM matchedNote WHERE id = 5
        """)
      try tx.execute("UPDATE matchedNote SET title = 'Fish and more' WHERE id = 6")
    }
    await store.settled()
    #expect(count.value == 300)
    #expect(try await store.count(MatchedNote.where { $0.title.matches("fish") }) == 299)
    while !found.value { await Task.yield() }
    #expect(try await store.checkSearchIndexes(of: MatchedNote.self).count == 1)
  }

  // MARK: Schemas

  @Record("matchedNote")
  struct PlainNote: Hashable {
    var id: Int
    var title: String
    var body: String?
    @Stored("the tag") var tag: String?
    var isPinned = false
    var authorID: UUID?
  }

  @Record("matchedNote")
  struct WordsNote: Hashable {
    var id: Int
    @Searchable(.words) var title: String
    var body: String?
    @Stored("the tag") var tag: String?
    var isPinned = false
    var authorID: UUID?
  }

  private func tables(_ store: Store) async throws -> [String] {
    try await store.writer.read { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT name FROM sqlite_schema WHERE name LIKE 'sanderling_%' AND type = 'table'
          AND (sql LIKE 'CREATE VIRTUAL%' OR name LIKE 'sanderling_outdated%' OR name LIKE 'sanderling_waiting%') ORDER BY name
          """)
    }
  }

  /// A table becomes searchable, is then searched in other ways, is not searchable for a time, and becomes searchable
  /// again.
  @Test func declarationsThatChange() async throws {
    var store = try folder.store(schema: [PlainNote.self])
    try await store.write("given") { tx in
      try tx.insert(contentsOf: Self.notes.map { PlainNote(id: $0.id, title: $0.title, body: $0.body, tag: $0.tag) })
    }
    #expect(try await tables(store) == [])
    try store.close()

    store = try folder.store(schema: [WordsNote.self])
    #expect(try await store.count(WordsNote.where { $0.title.matches("stras") }) == 300)
    await store.connection.folding?.finished()
    #expect(try await store.checkSearchIndexes(of: WordsNote.self) == [])
    #expect(try await store.count(WordsNote.where { $0.title.matches("17 fish") }) == 1)
    #expect(
      try await tables(store) == [
        "sanderling_outdated_matchedNote", "sanderling_waiting_matchedNote", "sanderling_words_matchedNote",
      ])
    try store.close()

    // The texts change while the table is not searchable.
    store = try folder.store(schema: [PlainNote.self])
    #expect(try await tables(store) == [])
    try await store.write("change") { _ = try $0.update(PlainNote.where { $0.id == 17 }, .set(\.title, to: "Bird")) }
    try store.close()

    store = try folder.store(schema: [WordsNote.self])
    #expect(try await store.count(WordsNote.where { $0.title.matches("bird") }) == 1)
    await store.connection.folding?.finished()
    #expect(try await store.checkSearchIndexes(of: WordsNote.self) == [])
    #expect(try await store.count(WordsNote.where { $0.title.matches("17 ") }) == 0)
  }

  @Test func aTextWithoutTheKind() async throws {
    let store = try folder.store(schema: [WordsNote.self])
    await #expect {
      try await store.count(WordsNote.where { $0.title.matches("a", in: .substrings) })
    } throws: { error in
      "\(error)".contains(
        "WordsNote.title has no index for a search in .substrings: declare it @Searchable(.substrings, .words)")
    }
    await #expect {
      try await store.count(WordsNote.where { $0.body.matches("a") })
    } throws: { "\($0)".contains("declare it @Searchable(.words)") }
  }

  /// Another tool, which has none of the library's functions, can write the file, and finds it intact.
  @Test func anotherTool() async throws {
    let store = try await store()
    let tool = try folder.patientConnection()
    try await tool.write { db in
      #expect(try String.fetchAll(db, sql: "PRAGMA integrity_check") == ["ok"])
      try db.execute(sql: "UPDATE matchedNote SET title = 'Vogel' WHERE id < 10")
      try db.execute(sql: "DELETE FROM matchedNote WHERE id BETWEEN 10 AND 20")
      try db.execute(sql: "REPLACE INTO matchedNote (id, title) VALUES (30, 'Vogel'), (301, 'Vogel')")
    }
    #expect(try await store.count(MatchedNote.where { $0.title.matches("vogel") }) == 11)
    #expect(try await store.count(MatchedNote.where { $0.title.matches("fish") }) == 300 - 9 - 11 - 1)
    _ = try await store.noticeOutsideChanges()
    try await expectWhole(store)
    try await tool.vacuum()
    #expect(try await store.count(MatchedNote.where { $0.title.matches("vogel") }) == 11)
    try await expectWhole(store)
  }

  /// REPLACE by a unique index that the record doesn't declare leaves the replaced row's document. A new row with that
  /// number waits to be indexed. Its texts are in no index yet, so that its changes must remove nothing from the
  /// indexes.
  @Test func aNewRowWithTheNumberOfAReplacedRow() async throws {
    let store = try await store()
    let tool = try folder.patientConnection()
    try await tool.write { db in
      try db.execute(
        sql: """
          CREATE UNIQUE INDEX app_unique ON matchedNote (title);
          INSERT OR REPLACE INTO matchedNote (id, title) SELECT 1000 + id, title FROM matchedNote;
          INSERT INTO matchedNote (id, title) SELECT id - 1000, 'new' || id || ' a b c d e f g' FROM matchedNote;
          UPDATE matchedNote SET title = 'changed' || id || ' h i j k l m n' WHERE id < 1000;
          DELETE FROM matchedNote WHERE id < 100
          """)
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM sanderling_outdated_matchedNote") == 0)
    }
    _ = try await store.noticeOutsideChanges()
    try await store.searchIndexed()
    #expect(try await store.count(MatchedNote.where { $0.title.matches("new*") }) == 0)
    #expect(try await store.count(MatchedNote.where { $0.title.matches("changed100 h") }) == 1)
    let problems = try await store.checkSearchIndexes(of: MatchedNote.self)
    #expect(problems.allSatisfy { $0.contains(" has words that are not in the row ") }, "\(problems.prefix(3))")
    try await store.rebuildSearchIndexes(of: MatchedNote.self)
    try await expectWhole(store)
  }

  /// An app that migrates its own database gets statements that create the objects of a search.
  @Test func aDatabaseThatTheAppMigrates() async throws {
    let queue = try DatabaseQueue(path: folder.path())
    try await queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE matchedNote (id INTEGER PRIMARY KEY NOT NULL, title TEXT NOT NULL, body TEXT, "the tag" TEXT,
            isPinned BOOLEAN NOT NULL DEFAULT 0, authorID BLOB);
          INSERT INTO matchedNote (id, title) VALUES (1, 'Fish'), (2, 'Vogel')
          """)
    }
    var steps: [ExplicitStep] = []
    do {
      _ = try Store(queue, schema: [WordsNote.self])
    } catch StoreError.schemaMismatch(let plan) {
      steps = plan.refusals.flatMap(\.steps)
    }
    #expect(steps.count == 1)
    let statements = steps.flatMap(\.statements)
    try await queue.write { db in for sql in statements { try db.execute(sql: sql) } }
    let store = try Store(queue, schema: [WordsNote.self])
    #expect(try await store.fetch(WordsNote.where { $0.title.matches("vog") }).map(\.id) == [2])
    await store.connection.folding?.finished()
    #expect(try await store.checkSearchIndexes(of: WordsNote.self) == [])
  }
}
