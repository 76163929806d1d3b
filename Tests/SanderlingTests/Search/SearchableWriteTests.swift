import Foundation
import GRDB
import Testing

@testable import Sanderling

/// Folded texts after every way to write a searchable text.
@Suite struct SearchableWriteTests {
  let folder = TemporaryFolder()

  private func store(_ kind: StoreKind = .file) throws -> Store {
    try folder.store(kind, schema: searchSchema)
  }

  @Test(arguments: StoreKind.allCases)
  func recordsAreFoldedWithTheirTexts(kind: StoreKind) async throws {
    let store = try store(kind)
    try await store.write("insert") { tx in
      try tx.insert(SearchedNote(id: 1, title: "Éa", author: nil))
      try tx.insert(contentsOf: (2...100).map { SearchedNote(id: $0, title: "Straße \($0)", author: "Ñ") })
      #expect(try FoldedRow.all(tx.database, "title").allSatisfy(\.isRight))
      #expect(try FoldedRow.all(tx.database, "author").allSatisfy(\.isRight))
    }
    try await store.write("upsert and update") { tx in
      try tx.upsert(SearchedNote(id: 1, title: "Ö", author: "Å"))
      try tx.upsert(SearchedNote(id: 101, title: "Ü", author: nil))
      try tx.upsert(SearchedNote(id: 2, title: "left", author: "Ø"), updating: \.author)
      try tx.update(SearchedNote.self, key: 3) { $0.title = "Æ" }
      try tx.update(SearchedNote.self, key: 4) { $0.isPinned = true }
      #expect(try tx.update(SearchedNote.where { $0.id == 5 }, .set(\.title, to: "Ł"), .set(\.author, to: nil)) == 1)
      #expect(try FoldedRow.all(tx.database, "title").allSatisfy(\.isRight))
      #expect(try FoldedRow.all(tx.database, "author").allSatisfy(\.isRight))
    }
    #expect(try await store.fetch(SearchedNote.where { $0.title.folded == "ł" }).map(\.id) == [5])
  }

  /// A new text has the same fold as the old text, so that the trigger can't tell whether the writer set the fold.
  @Test func anotherTextWithTheSameFold() async throws {
    let store = try store()
    try await store.write("given") { try $0.insert(SearchedNote(id: 1, title: "Éa")) }
    try await store.write("change") { tx in
      try tx.update(SearchedNote.self, key: 1) { $0.title = "EA" }
      #expect(try tx.fetch(SearchedNote.where { $0.title.folded == "ea" }).map(\.title) == ["EA"])
    }
    try store.expectFoldedNow()
  }

  @Test(arguments: StoreKind.allCases)
  func textsWrittenBySQLAreFoldedBeforeTheCommit(kind: StoreKind) async throws {
    let store = try store(kind)
    try await store.write("given") { tx in
      try tx.insert(contentsOf: (1...300).map { SearchedNote(id: $0, title: "Étude \($0)", author: "Ann") })
    }
    try await store.write("expressions") { tx in
      _ = try tx.update(
        SearchedNote.query, .set(\.title) { $0.title.appending("Ñ") }, .set(\.author) { $0.title.optional })
      try tx.execute("INSERT INTO searchedNote (id, title) VALUES (1000, 'Ünlü')")
      try tx.execute("REPLACE INTO searchedNote (id, title, author) VALUES (1, 'Œuvre', 'Ğ')")
      // The results are right even before the texts are folded.
      #expect(try tx.fetch(SearchedNote.where { $0.title.folded == "ünlü" }).map(\.id) == [1000])
      #expect(
        try tx.count(SearchedNote.where { $0.title.folded.contains("ñ") && $0.author.folded.hasPrefix("ÉTUDE") }) == 299
      )
    }
    try store.expectFoldedNow()
  }

  @Test func plainSQLThroughTheWriterAndAnotherConnection() async throws {
    let store = try store()
    _ = try await store.write("given") { try $0.insert(SearchedNote(id: 1, title: "Éa", author: "Bo")) }
    try store.writer.run(
      "INSERT INTO searchedNote (id, title) VALUES (2, 'Öl'); UPDATE searchedNote SET title = 'Ar' WHERE id = 1")
    try await store.expectFolded()
    let other = try folder.patientConnection()
    try other.run(
      "INSERT INTO searchedNote (id, title, author) VALUES (3, 'Él', 'Ça'); UPDATE searchedNote SET author = 'Çe' WHERE id = 1"
    )
    #expect(try store.pendingCount() == 1)
    #expect(try await store.fetch(SearchedNote.where { $0.title.folded == "EL" }).map(\.id) == [3])
    #expect(
      try await store.fetch(SearchedNote.where { $0.author.folded.hasPrefix("c") }.order { $0.id }).map(\.id) == [1, 3])
    try await store.expectFolded()
  }

  /// A program may write the text and its fold itself. The store then keeps this fold.
  @Test func foldsWrittenByAProgramAreKept() async throws {
    let store = try store()
    try store.writer.run("INSERT INTO searchedNote (id, title, title_folded) VALUES (1, 'Éa', 'ea')")
    try store.writer.run("UPDATE searchedNote SET title = 'Öl', title_folded = 'ol'")
    try store.expectFoldedNow()
  }

  @Test func theFlagOfASearchableRecordTouchesNoFoldedText() async throws {
    let store = try store()
    let statements = try await store.recordedStatements { store in
      try await store.write("flag") { _ = try $0.update(SearchedNote.query, .set(\.isPinned, to: true)) }
    }
    #expect(!statements.contains { $0.contains("UPDATE") && $0.contains("_folded\" =") })
    let program = try await store.writer.read { db in
      try Row.fetchAll(db, sql: "EXPLAIN UPDATE searchedNote SET isPinned = 1 WHERE id = 1").map {
        $0["opcode"] as String
      }
    }
    #expect(!program.contains("IdxInsert") && !program.contains("IdxDelete") && !program.contains("Program"))
  }
}

extension Store {
  /// Runs a closure, and returns the statements that ran on the writer meanwhile.
  fileprivate func recordedStatements(_ body: (Store) async throws -> Void) async throws -> [String] {
    let log = Lock<[String]>([])
    try await writer.writeWithoutTransaction { db in
      db.trace { event in log.withLock { $0.append("\(event)") } }
    }
    try await body(self)
    try await writer.writeWithoutTransaction { $0.trace(options: []) }
    return log.withLock { $0 }
  }
}
