import Foundation
import GRDB
import Testing

@testable import Sanderling

/// Obstacles to folding texts that were written outside the store, and changes that a column's collation hides.
@Suite struct FoldObstacleTests {
  let folder = TemporaryFolder()

  @Record("padded")
  struct Padded: Hashable {
    var id: Int
    @Searchable @Stored(collation: .rtrim) var text: String
    @Searchable @Stored(collation: .nocase) var other: String
  }

  /// A text changes to another that the column's collation treats as equal. Its fold changes, too.
  @Test func changesThatTheCollationDoesNotSee() async throws {
    let store = try folder.store(schema: [Padded.self])
    try await store.write("given") { try $0.insert(Padded(id: 1, text: "a", other: "ab\0c")) }
    try store.writer.run("UPDATE padded SET text = 'a  ', other = \("AB\0d".quotedLiteral)")
    #expect(try await store.count(Padded.where { $0.text.folded == "a" }) == 0)
    #expect(try await store.count(Padded.where { $0.text.folded == "a  " && $0.other.folded == "ab\0d" }) == 1)
    await store.connection.folding?.finished()
    #expect(try await store.count(Padded.where { $0.text.folded == "a  " && $0.other.folded == "ab\0d" }) == 1)
  }

  /// An app's trigger prevents the folding of some rows. They don't keep the writer busy, and don't delay other
  /// columns.
  @Test func aTriggerThatIgnoresUpdates() async throws {
    let store = try folder.store(schema: searchSchema)
    try store.writer.run(
      """
      CREATE TRIGGER app_ignore BEFORE UPDATE ON searchedBook BEGIN SELECT RAISE(IGNORE); END;
      INSERT INTO searchedBook (id, "book name") VALUES (1, 'Éa'), (2, 'Öl');
      INSERT INTO searchedNote (id, title, author) VALUES (1, 'Éa', 'Öl');
      """)
    while try await store.writer.read({ try FoldedRow.all($0, "title") + FoldedRow.all($0, "author") }).contains(
      where: \.isPending)
    {
      try await Task.sleep(for: .milliseconds(2))
    }
    let commit = store.lastCommit.number
    for _ in 0..<60 { try await store.writer.writeWithoutTransaction { _ in } }
    #expect(store.lastCommit.number - commit <= 3)
    #expect(try await store.count(SearchedBook.where { $0.name.folded == "ol" }) == 1)
    try store.writer.run("DROP TRIGGER app_ignore")
    await store.connection.folding?.finished()
    #expect(
      try await store.writer.read { try FoldedRow.all($0, "book name", in: "searchedBook") }.allSatisfy(\.isRight))
  }

  /// Folding fails while the column has another name. SQLite reads a name in double quotes as a text if no column has
  /// the name.
  @Test func foldingFailsWhileTheColumnIsRenamed() async throws {
    let store = try folder.store(schema: searchSchema)
    let column = try #require(SearchedNote.table.folded.first)
    let folds = PendingFolds(column, of: SearchedNote.table)
    try await store.writer.write { db in
      try db.execute(sql: "ALTER TABLE searchedNote RENAME COLUMN title TO away")
      try db.execute(sql: "INSERT INTO searchedNote (id, away) VALUES (1, 'Éa')")
      #expect(throws: DatabaseError.self) { try folds.settle(db, limit: 9) }
      try db.execute(sql: "ALTER TABLE searchedNote RENAME COLUMN away TO title")
    }
    try await store.expectFolded()
  }
}
