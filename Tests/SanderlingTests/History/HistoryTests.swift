import Foundation
import GRDB
import Testing

@testable import Sanderling

/// The changes that a store keeps of records with a history.
@Suite struct HistoryTests {
  @Record
  struct Folder: Hashable {
    var id: UUID
    var name: String
    static let changeHistory = ChangeHistory<Folder>.allColumns
  }

  @Record(indexes: [.unique(on: \.slug)])
  struct Note: Hashable {
    var id: Int64
    @References(Folder.self, onDelete: .cascade) var folderID: UUID?
    var slug: String?
    var text: String
    static let changeHistory = ChangeHistory<Note>.allColumns
  }

  @Record
  struct Draft: Hashable {
    var id: Int64
    var title: String
    var body: String
    static let changeHistory = ChangeHistory<Draft>.columns(\.title)
  }

  @Record
  struct Plain: Hashable {
    var id: Int64
  }

  private let folder = TemporaryFolder()

  private func store(_ name: String = "history.sqlite") throws -> Store {
    try Store(
      path: folder.path(name), schema: [Folder.self, Note.self, Draft.self, Plain.self], liveInterval: .zero)
  }

  private func changes(_ store: Store, after token: ChangeToken? = nil) async throws -> [RecordedChange] {
    var changes: [RecordedChange] = []
    for try await change in store.history(after: token) { changes.append(change) }
    return changes
  }

  private func summary(_ changes: [RecordedChange]) -> [String] {
    changes.map { "\($0.table) \($0.kind) \(RowKey($0.key))" }
  }

  @Test func eachChangeHasItsValuesItsOperationAndItsAuthor() async throws {
    let store = try store()
    store.author = "app"
    let start = try await store.historyToken()
    try await store.write("add") { tx in
      try tx.insert(Note(id: 1, folderID: nil, slug: "a", text: "one"))
      try tx.insert(Note(id: 2, folderID: nil, slug: "b", text: "two"))
    }
    try await store.write("rename") { tx in
      try tx.update(Note.where { $0.id == 1 }, .set(\.text, to: "uno"))
    }
    store.author = nil
    try await store.write("remove") { tx in try tx.delete(Note.where { $0.id == 2 }) }
    // Plain GRDB calls are no writes of the store.
    try await store.writer.write { try $0.execute(sql: "UPDATE note SET text = 'one' WHERE id = 1") }

    let changes = try await changes(store, after: start)
    #expect(changes.map(\.kind) == [.insert, .insert, .update, .delete, .update])
    #expect(changes.map { $0.commit?.operation } == ["add", "add", "rename", "remove", nil])
    #expect(changes.map { $0.commit?.author } == ["app", "app", "app", nil, nil])
    #expect(changes.map { $0.commit?.number } == [1, 1, 2, 3, nil])
    #expect(try changes[2].old(as: Note.self) == Note(id: 1, folderID: nil, slug: "a", text: "one"))
    #expect(try changes[2].new(as: Note.self) == Note(id: 1, folderID: nil, slug: "a", text: "uno"))
    #expect(changes[2].changedColumns == ["text"])
    #expect(try changes[3].key(of: Note.self) == 2)
    #expect(changes[3].new == nil && changes[3].old?["text"] == .text("two"))
    #expect(try changes[4].key(of: Folder.self) == nil)
    #expect(changes.allSatisfy { abs($0.date.timeIntervalSinceNow) < 3600 })
  }

  @Test func aFailedWriteLeavesNoChange() async throws {
    let store = try store()
    struct Stop: Error {}
    await #expect(throws: Stop.self) {
      try await store.write { tx in
        try tx.insert(Plain(id: 1))
        try tx.insert(Draft(id: 1, title: "t", body: "b"))
        throw Stop()
      }
    }
    try await store.write("other record") { try $0.insert(Plain(id: 1)) }
    #expect(try await changes(store).isEmpty)
    let commits = try await store.read { tx in
      try Int.fetchOne(tx.database, sql: "SELECT count(*) FROM sanderling_history_commits")
    }
    #expect(commits == 0)
  }

  @Test func replacedRowsCascadesAndTriggersAreChanges() async throws {
    let store = try store()
    let folder = UUID()
    try await store.write("add") { tx in
      try tx.insert(Folder(id: folder, name: "f"))
      try tx.insert(Note(id: 1, folderID: folder, slug: "a", text: "one"))
      try tx.insert(Note(id: 2, folderID: nil, slug: "b", text: "two"))
      try tx.execute(
        "CREATE TRIGGER app AFTER DELETE ON folder BEGIN UPDATE note SET text = 'orphan' WHERE id = 3; END")
    }
    var token = try await store.historyToken()
    func run(_ sql: String) async throws -> [String] {
      try await store.writer.write { try $0.execute(sql: sql) }
      let found = try await changes(store, after: token)
      token = try await store.historyToken()
      return summary(found)
    }
    // A row that goes because of a unique column has no DELETE statement.
    #expect(
      Set(try await run("INSERT OR REPLACE INTO note VALUES (3, NULL, 'b', 'three')"))
        == ["note delete 2", "note insert 3"])
    #expect(
      Set(try await run("UPDATE OR REPLACE note SET slug = 'a' WHERE id = 3")) == ["note delete 1", "note update 3"])
    #expect(try await run("INSERT OR IGNORE INTO note VALUES (3, NULL, 'z', 'ignored')") == [])
    #expect(try await run("INSERT OR IGNORE INTO note VALUES (9, NULL, 'a', 'ignored')") == [])
    #expect(
      try await run("INSERT INTO note VALUES (3, NULL, 'q', 'x') ON CONFLICT (id) DO UPDATE SET text = 'upserted'")
        == ["note update 3"])
    #expect(try await run("UPDATE note SET text = text") == [])
    #expect(Set(try await run("UPDATE note SET id = 4 WHERE id = 3")) == ["note delete 3", "note insert 4"])
    #expect(
      Set(try await run("UPDATE note SET id = 3, folderID = (SELECT id FROM folder)")) == [
        "note delete 4", "note insert 3",
      ])
    #expect(
      Set(try await run("DELETE FROM folder")) == ["folder delete \(RowKey(uuid: folder))", "note delete 3"])
  }

  @Test func aWaitingReaderGetsTheChangesOfAllWriters() async throws {
    let store = try store()
    try await store.write("first") { try $0.insert(Draft(id: 1, title: "a", body: "")) }
    let titles = Task {
      var titles: [StorageValue?] = []
      for try await change in store.history(waits: true) {
        titles.append(change.new?["title"])
        let next = titles.count
        if next == 1 { try await store.write("second") { try $0.insert(Draft(id: 2, title: "b", body: "")) } }
        if next == 2 {
          let other = try DatabaseQueue(beside: folder.path("history.sqlite"))
          try await other.write { try $0.execute(sql: "INSERT INTO draft VALUES (3, 'c', '')") }
        }
        if next == 3 { break }
      }
      return titles
    }
    #expect(try await titles.value == [.text("a"), .text("b"), .text("c")])

    let waiting = Task {
      var count = 0
      for try await _ in store.history(waits: true) {
        count += 1
        if count == 3 { withUnsafeCurrentTask { $0?.cancel() } }
      }
      return count
    }
    #expect(try await waiting.value == 3)
  }

  @Test func aWaitingReaderLearnsThatTheDatabaseWasErased() async throws {
    let store = try store()
    try await store.write("first") { try $0.insert(Draft(id: 1, title: "a", body: "")) }
    var changes = store.history(waits: true).makeAsyncIterator()
    _ = try await changes.next()
    try await store.erase()
    try await store.write("new") { try $0.insert(Draft(id: 2, title: "b", body: "")) }
    await #expect {
      _ = try await changes.next()
    } throws: {
      if case HistoryError.otherHistory = $0 { true } else { false }
    }
  }

  /// A column for blobs converts no numbers: SQLite takes the integer 3 and the real 3.0 for one key, Swift for two.
  @Test func keysOfAnotherStorageClassAreOtherKeys() async throws {
    let store = try store()
    try await store.writer.write { try $0.execute(sql: "INSERT INTO folder VALUES (3.0, 'real')") }
    var token = try await store.historyToken()
    for sql in [
      "INSERT OR REPLACE INTO folder VALUES (3, 'integer')", "UPDATE folder SET id = 3.0",
      "UPDATE OR REPLACE folder SET id = 3",
    ] {
      try await store.writer.write { try $0.execute(sql: sql) }
      let found = try await changes(store, after: token)
      #expect(found.map(\.kind).sorted { $0.rawValue < $1.rawValue } == [.delete, .insert], "\(sql)")
      #expect(Set(found.map(\.key)) == [[.integer(3)], [.real(3)]], "\(sql)")
      token = try await store.historyToken()
    }
    try await store.writer.write { try $0.execute(sql: "INSERT OR IGNORE INTO folder VALUES (3.0, 'ignored')") }
    #expect(try await changes(store, after: token).isEmpty)
  }

  /// If a history keeps some columns, a change of another column only shows that the row changed.
  @Test func columnsOutsideTheHistoryHaveNoValues() async throws {
    let store = try store()
    try await store.write("add") { try $0.insert(Draft(id: 1, title: "t", body: "b")) }
    let token = try await store.historyToken()
    try await store.write("edit") { tx in try tx.update(Draft.where { $0.id == 1 }, .set(\.body, to: "long")) }
    let changes = try await changes(store, after: token)
    #expect(changes.map(\.kind) == [.update])
    #expect(changes.first?.changedColumns == [])
    #expect(changes.first?.old == ["id": .integer(1), "title": .text("t")])
    #expect(throws: StoreError.self) { try changes.first?.new(as: Draft.self) }
  }

  @Test func filtersByRecordAndAuthor() async throws {
    let store = try store()
    store.author = "widget"
    try await store.write("add") { tx in
      try tx.insert(Note(id: 1, text: "one"))
      try tx.insert(Draft(id: 1, title: "t", body: "b"))
    }
    store.author = "app"
    try await store.write("add") { try $0.insert(Note(id: 2, text: "two")) }
    var found: [RecordedChange] = []
    for try await change in store.history(of: [Note.self], by: "widget") { found.append(change) }
    #expect(summary(found) == ["note insert 1"])
  }

  @Test func tokensAreTextsAndEndWithTheirHistory() async throws {
    let store = try store()
    try await store.write("add") { try $0.insert(Note(id: 1, text: "one")) }
    let token = try await store.historyToken()
    #expect(ChangeToken(token.description) == token)
    #expect(try JSONDecoder().decode([ChangeToken].self, from: JSONEncoder().encode([token])) == [token])
    for text in ["", "a", "-1", "a-", "a-b", "a--1", "a-1-2"] { #expect(ChangeToken(text) == nil) }
    try await store.erase()
    await #expect(throws: HistoryError.otherHistory(token)) { try await changes(store, after: token) }
    try await store.write("add") { try $0.insert(Note(id: 1, text: "one")) }
    #expect(try await summary(changes(store)) == ["note insert 1"])
    await #expect(throws: HistoryError.notKept) {
      _ = try await Store(inMemory: [Plain.self]).historyToken()
    }
  }

  @Test func pruningKeepsChangesForKnownReaders() async throws {
    let store = try store()
    let start = try await store.historyToken()
    var tokens: [ChangeToken] = []
    for id in 1...6 {
      try await store.write("add \(id)") { try $0.insert(Note(id: Int64(id), text: "t")) }
      tokens.append(try await store.historyToken())
    }
    try await store.noteHistoryRead(tokens[1], by: "spotlight")
    #expect(try await store.pruneHistory(keepingAtMost: 1) == 2)
    #expect(try await summary(changes(store, after: tokens[1])) == (3...6).map { "note insert \($0)" })
    await #expect(throws: HistoryError.pruned(start)) { try await changes(store, after: start) }
    #expect(try await summary(changes(store)) == (3...6).map { "note insert \($0)" })
    // An older position does not replace a newer position.
    try await store.noteHistoryRead(tokens[3], by: "spotlight")
    try await store.noteHistoryRead(tokens[2], by: "spotlight")
    #expect(try await store.pruneHistory(olderThan: .distantFuture) == 2)
    #expect(try await store.pruneHistory(olderThan: .distantPast) == 0)
    try await store.forgetHistoryReader("spotlight")
    #expect(try await store.pruneHistory(olderThan: .distantFuture) == 1)
    let last = try await changes(store)
    #expect(last.map { $0.commit?.number } == [6])
    try await store.write("add") { try $0.insert(Note(id: 7, text: "t")) }
    #expect(try await changes(store).last?.commit?.number == 7)
  }

  /// Another version of the app rebuilds the table by a step of its own, and the triggers are lost.
  @Test func lostTriggersAreMadeAgain() async throws {
    let store = try store()
    try await store.write("add") { try $0.insert(Note(id: 1, text: "one")) }
    try await store.writer.writeWithoutTransaction { db in
      try db.execute(
        sql: """
          BEGIN; CREATE TABLE copy AS SELECT * FROM draft; DROP TABLE draft;
          CREATE TABLE draft (id INTEGER PRIMARY KEY NOT NULL, title TEXT NOT NULL, body TEXT NOT NULL, extra);
          INSERT INTO draft SELECT *, NULL FROM copy; DROP TABLE copy; COMMIT
          """)
    }
    let token = try await store.historyToken()
    try await store.write("add") { try $0.insert(Draft(id: 5, title: "t", body: "b")) }
    #expect(try await summary(changes(store, after: token)) == ["draft insert 5"])
  }

  @Test func anUnsuitableTableIsRefusedByName() async throws {
    let queue = try DatabaseQueue(path: folder.path("unsuitable.sqlite"))
    try await queue.write { db in
      try db.execute(
        sql:
          "CREATE TABLE draft (id INTEGER PRIMARY KEY NOT NULL, title TEXT NOT NULL, body TEXT NOT NULL); CREATE UNIQUE INDEX u ON draft (lower(title))"
      )
    }
    do {
      _ = try Store(queue, schema: [Draft.self])
      Issue.record("the store opens")
    } catch {
      let text = "\(error)"
      #expect(text.contains("draft") && text.contains("changeHistory"), "\(text)")
    }
  }

  @Test func removingAHistoryEndsItsTriggers() async throws {
    let store = try store()
    try await store.write("add") { try $0.insert(Note(id: 1, text: "one")) }
    try await store.removeHistory(of: Note.self)
    let triggers = try await store.read { tx in
      try String.fetchAll(
        tx.database, sql: "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'note'")
    }
    #expect(!triggers.contains { $0.hasPrefix("sanderling_history_") })
  }
}
