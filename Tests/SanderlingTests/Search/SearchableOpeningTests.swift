import Foundation
import GRDB
import Testing

@testable import Sanderling

/// Databases that become searchable, and the states in which an opened store finds them.
@Suite struct SearchableOpeningTests {
  /// The record of the same table without searchable texts.
  @Record("page") struct PlainPage {
    var id: Int
    var title: String
    var views = 0
  }

  @Record("page") struct Page {
    var id: Int
    @Searchable var title: String
    var views = 0
  }

  /// A record with a default for which the table must be rebuilt.
  @Record("page") struct RatedPage {
    var id: Int
    @Searchable var title: String
    var views = 7
    @Stored(default: "random()") var rating: Int
  }

  let folder = TemporaryFolder()

  private func open(_ record: any StoredRecord.Type, migrator: DatabaseMigrator? = nil) throws -> Store {
    try Store(path: folder.path(), schema: [record], migrator: migrator)
  }

  private func close(_ store: Store) async throws {
    await store.connection.folding?.finished()
    try store.close()
  }

  /// Expects that the column of folds finds the same rows as folding every title.
  private func expectFound(_ text: String, in store: Store, sourceLocation: SourceLocation = #_sourceLocation)
    async throws
  {
    let all = try await store.fetch(PlainPage.order { $0.id })
    let wanted = all.filter { TextFold.fold($0.title) == TextFold.fold(text) }.map(\.id)
    let found = try await store.fetch(Page.where { $0.title.folded == text }.order { $0.id }).map(\.id)
    #expect(found == wanted && !wanted.isEmpty, sourceLocation: sourceLocation)
  }

  private func rows(_ store: Store) throws -> [FoldedRow] {
    try store.writer.read { try FoldedRow.all($0, "title", in: "page") }
  }

  private func expectAllFolded(_ store: Store, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    await store.connection.folding?.finished()
    #expect(try rows(store).allSatisfy(\.isRight), sourceLocation: sourceLocation)
  }

  @Record struct Chapter {
    var id: Int
    @Searchable var title: String
  }

  /// Two tables have a searched column of the same name. Both lost their triggers, and another tool wrote. Opening the
  /// store folds both again.
  @Test func twoTablesWithoutTheirTriggers() async throws {
    let schema: [any StoredRecord.Type] = [Page.self, Chapter.self]
    var store = try Store(path: folder.path(), schema: schema)
    try await store.write { tx in
      try tx.insert(Page(id: 1, title: "old"))
      try tx.insert(Chapter(id: 1, title: "old"))
    }
    try await close(store)
    let other = try DatabaseQueue(path: folder.path())
    try await other.write { db in
      for name in try String.fetchAll(db, sql: "SELECT name FROM sqlite_schema WHERE type = 'trigger'") {
        try db.execute(sql: "DROP TRIGGER \(name.quotedIdentifier)")
      }
      try db.execute(sql: "UPDATE page SET title = 'new'; UPDATE chapter SET title = 'new'")
    }
    try other.close()
    store = try Store(path: folder.path(), schema: schema)
    #expect(try await store.count(Page.where { $0.title.folded == "new" }) == 1)
    #expect(try await store.count(Chapter.where { $0.title.folded == "new" }) == 1)
    #expect(try await store.count(Chapter.where { $0.title.folded == "old" }) == 0)
  }

  @Test func aTableOf100000Rows() async throws {
    let plain = try open(PlainPage.self)
    try await plain.write("given") { tx in
      try tx.insert(contentsOf: (1...100_000).map { PlainPage(id: $0, title: "Éa \($0 % 1000)") })
    }
    try plain.close()
    let store = try open(Page.self)
    // While the texts are being folded, results are right and other writes run in between.
    try await expectFound("EA 7", in: store)
    try await store.write("in between") { tx in
      try tx.insert(Page(id: 100_001, title: "ÉA 7"))
      try tx.update(Page.self, key: 7) { $0.title = "Öl" }
    }
    try await expectFound("ea 7", in: store)
    try await expectAllFolded(store)
    try await expectFound("ea 7", in: store)
    try await expectFound("ol", in: store)
  }

  /// Folded texts stay folded when a process ends, and the next process folds the remaining ones.
  @Test func foldingContinuesWhereItEnded() async throws {
    let plain = try open(PlainPage.self)
    try await plain.write("given") { tx in
      try tx.insert(contentsOf: (1...500).map { PlainPage(id: $0, title: "Éa \($0)") })
    }
    try plain.close()
    // The process ended when 100 texts were folded.
    let queue = try DatabaseQueue(path: folder.path())
    try SchemaMigration.open(queue, schema: StoreSchema([Page.self]), contents: StoreContents())
    let rest = try await queue.write { db in
      _ = try PendingFolds(Page.table.folded[0], of: Page.table).settle(db, limit: 100)
      return try FoldedRow.all(db, "title", in: "page").count { $0.isPending }
    }
    #expect(rest == 400)
    try queue.close()
    let store = try open(Page.self)
    try await expectFound("EA 499", in: store)
    try await expectAllFolded(store)
  }

  @Test func writesOfAnEarlierProcessAreFolded() async throws {
    let first = try open(Page.self)
    try await first.write("given") { try $0.insert(Page(id: 1, title: "Éa")) }
    try await close(first)
    try folder.patientConnection().run(
      "INSERT INTO page (id, title, views) VALUES (2, 'Öl', 0); UPDATE page SET title = 'Ñu' WHERE id = 1")
    let store = try open(Page.self)
    try await expectFound("NU", in: store)
    try await expectAllFolded(store)
  }

  /// Opening a store folds all texts again if the file has the folds of another version. The trigger contains the
  /// version.
  @Test func anotherVersionOfTheFold() async throws {
    let first = try open(Page.self)
    try await first.write("given") { tx in
      try tx.insert(contentsOf: (1...200).map { Page(id: $0, title: "Éa \($0)") })
    }
    try await close(first)
    let other = try folder.patientConnection()
    let trigger = try #require(Page.schemaTriggers.first)
    let former = trigger.sql.replacing("fold_\(TextFold.version)", with: "fold_0")
    try other.run("DROP TRIGGER \(trigger.name.quotedIdentifier); \(former)")
    try other.run("UPDATE page SET title_folded = 'by other rules'")
    let store = try open(Page.self)
    try await expectFound("EA 7", in: store)
    try await expectAllFolded(store)
    let names = try await store.writer.read { db in
      try String.fetchAll(db, sql: "SELECT name FROM sqlite_schema WHERE type = 'trigger'")
    }
    #expect(names == [trigger.name])
  }

  /// An older version of the app, whose record isn't searchable, drops the trigger and writes without it.
  @Test func writesByAnUnsearchableRecordAreFolded() async throws {
    let first = try open(Page.self)
    try await first.write("given") { try $0.insert(Page(id: 1, title: "Éa")) }
    try await close(first)
    let plain = try open(PlainPage.self)
    try await plain.write("without") { tx in
      try tx.update(PlainPage.self, key: 1) { $0.title = "Öl" }
      try tx.insert(PlainPage(id: 2, title: "Ñu"))
    }
    try plain.close()
    let store = try open(Page.self)
    try await expectFound("ol", in: store)
    try await expectAllFolded(store)
  }

  @Test func aLostTriggerOrIndexIsMadeAgain() async throws {
    let first = try open(Page.self)
    try await close(first)
    let trigger = try #require(Page.schemaTriggers.first)
    let other = try folder.patientConnection()
    try other.run("DROP TRIGGER \(trigger.name.quotedIdentifier); DROP INDEX page_on_title_folded")
    try other.run("INSERT INTO page (id, title, title_folded, views) VALUES (1, 'Éa', 'wrong', 0)")
    let store = try open(Page.self)
    try await expectFound("ea", in: store)
    try await expectAllFolded(store)
    #expect(
      try await store.plan(Page.where { $0.title.folded == "x" }.sql) == [
        "SEARCH page USING INDEX page_on_title_folded (title_folded=?)"
      ])
  }

  @Test func aRebuiltTableKeepsItsFolds() async throws {
    let first = try open(Page.self)
    try await first.write("given") { tx in
      try tx.insert(contentsOf: (1...100).map { Page(id: $0, title: "Éa \($0)") })
    }
    try await close(first)
    try folder.patientConnection().run("UPDATE page SET title = 'Öl' WHERE id = 1")
    let store = try open(RatedPage.self)
    #expect(try rows(store).count(where: \.isRight) >= 99)
    try await expectFound("ol", in: store)
    try await expectAllFolded(store)
  }

  /// A migration step of the app may write any text. There are no triggers at that time, and the texts are folded
  /// afterwards.
  @Test func stepsThatWriteTexts() async throws {
    let first = try open(Page.self)
    try await first.write("given") { try $0.insert(Page(id: 1, title: "Éa")) }
    try await close(first)
    var migrator = DatabaseMigrator()
    migrator.registerMigration("rename") { try $0.execute(sql: "UPDATE page SET title = 'Öl'") }
    let store = try open(Page.self, migrator: migrator)
    try await expectFound("OL", in: store)
    try await expectAllFolded(store)
  }

  @Test func erasing() async throws {
    let store = try open(Page.self)
    try await store.write("given") { try $0.insert(Page(id: 1, title: "Éa")) }
    try await store.erase()
    try await store.write("again") { try $0.insert(Page(id: 2, title: "Éa")) }
    try await expectFound("EA", in: store)
    try await expectAllFolded(store)
  }

  // MARK: Databases of other tools

  /// A store adopts a file that another tool made, and adds the column and the trigger.
  @Test(arguments: ["", " STRICT"])
  func aDatabaseOfAnotherTool(option: String) async throws {
    try folder.patientConnection().run(
      """
      CREATE TABLE page (id INTEGER PRIMARY KEY, title TEXT NOT NULL, views INTEGER NOT NULL DEFAULT 0)\(option);
      INSERT INTO page (id, title) VALUES (1, 'Éa'), (2, CAST(X'C3894180' AS TEXT))
      """)
    let store = try open(Page.self)
    #expect(try await store.count(Page.where { $0.title.folded == "ea" }) == 1)
    await store.connection.folding?.finished()
    #expect(try await store.count(Page.where { $0.title.folded == "ea" }) == 1)
    #expect(try await store.count(Page.where { $0.title.folded == "EA\u{FFFD}" }) == 1)
    try folder.patientConnection().run(
      "INSERT INTO page (id, title) VALUES (3, 'Öl'); UPDATE page SET title = 'Ñu' WHERE id = 2")
    #expect(try await store.count(Page.where { $0.title.folded.in(["OL", "NU"]) }) == 2)
    try await expectAllFolded(store)
  }

  /// An app that migrates its own database gets statements that work unchanged.
  @Test(arguments: ["", " STRICT"])
  func aDatabaseThatTheAppMigrates(option: String) async throws {
    let queue = try DatabaseQueue()
    try queue.run(
      """
      CREATE TABLE page (id INTEGER PRIMARY KEY, title TEXT NOT NULL, views INTEGER NOT NULL DEFAULT 0)\(option);
      INSERT INTO page (id, title) VALUES (1, 'Éa')
      """)
    let plan = try #require(throws: StoreError.self) { try Store(queue, schema: [Page.self]) }.schemaPlan
    let step = try #require(plan.differences.flatMap(\.steps).first)
    #expect(plan.differences.flatMap(\.steps).count == 1 && step.statements.count == 3)
    for sql in step.statements { try queue.run(sql) }
    let store = try Store(queue, schema: [Page.self])
    try await expectFound("ea", in: store)
    try await expectAllFolded(store)
    try store.close()

    let trigger = try #require(Page.schemaTriggers.first)
    try queue.run("DROP TRIGGER \(trigger.name.quotedIdentifier); UPDATE page SET title = 'Öl'")
    let lost = try #require(throws: StoreError.self) { try Store(queue, schema: [Page.self]) }.schemaPlan
    for sql in lost.differences.flatMap(\.steps).flatMap(\.statements) { try queue.run(sql) }
    let again = try Store(queue, schema: [Page.self])
    try await expectFound("OL", in: again)
    try await expectAllFolded(again)
  }

  // MARK: Invalid declarations

  /// Declarations that the macro would refuse are reported: a column with the name of a fold's column, and a searchable
  /// number.
  @Test func invalidSearchableDeclarationsAreReported() throws {
    let table = RecordTable(
      Page.self, name: "page",
      columns: [
        .init("id", as: Int.self), .init("title", as: String.self, searchable: [.prefix]),
        .init("TITLE_folded", property: "other", as: String.self), .init("size", as: Int.self, searchable: [.prefix]),
      ], key: ["id"], assignsKey: false, references: [], indexes: [])
    var validation = SchemaValidation([("Page", table)])
    validation.checkColumns(of: table, record: "Page")
    #expect(
      validation.problems == [
        "Page.title is searchable, so its folded text has the column \"title_folded\", which Page.other has: give that "
          + "property another column with @Stored(\"…\")",
        "Page.size is stored as INTEGER, and only texts are searchable",
      ])
  }

  @Test func foldOfAnUnsearchableTextIsAnError() async throws {
    let store = try open(PlainPage.self)
    let error = await #expect(throws: StoreError.self) {
      try await store.count(PlainPage.where { $0.title.folded == "x" })
    }
    #expect(
      error
        == .invalidQuery("PlainPage.title has no folded text: declare the property with @Searchable"))
    let calculated = await #expect(throws: StoreError.self) {
      try await store.count(PlainPage.where { $0.title.lowercased().folded == "x" })
    }
    #expect(
      calculated
        == .invalidQuery(
          "only columns have a folded text, not expressions of them: declare the property with @Searchable"))
  }
}

extension StoredRecord {
  fileprivate static var schemaTriggers: [DeclaredTrigger] { FoldTriggers(table).triggers }
}

extension StoreError {
  /// The differences between the database and the schema.
  fileprivate var schemaPlan: SchemaPlan {
    get throws {
      guard case .schemaMismatch(let plan) = self else { throw self }
      return plan
    }
  }
}
