import Foundation
import GRDB
import Sanderling
import Testing

/// Records in an app that also uses GRDB, with the same file and the same tables.
@Suite struct GRDBInteroperationTests {
  typealias GRDBTask = GRDBRecord<TodoTask>

  let store: Store

  init() async throws {
    store = try await Store.todo()
  }

  @Test func recordsFromPlainSQL() async throws {
    let titles = try await store.writer.read { db in
      try TodoTask.fetchAll(db, sql: "SELECT * FROM todoTask WHERE isCompleted ORDER BY title").map(\.title)
    }
    #expect(titles == ["Wash", "mow", "pay 50% rent"])
    let home = try await store.writer.read { db in
      // Columns are found by name: their order and further columns don't matter.
      try Project.fetchOne(
        db, sql: "SELECT 1 AS x, name, parentID, id FROM project WHERE name = ?", arguments: ["home"])
    }
    #expect(home == Project(id: UUID(1), name: "home", parentID: nil))
  }

  @Test func requestsOfATable() async throws {
    let titles = try await store.writer.read { db in
      try Table<TodoTask>("todoTask").filter(Column("isCompleted") == false).order(Column("title")).fetchAll(db)
        .map(\.title)
    }
    #expect(titles == ["bake", "dig", "sow", "weed"])
    #expect(try await store.writer.read { try Table<Project>("project").fetchCount($0) } == 5)
  }

  @Test func requestsOfAWrappedRecord() async throws {
    let titles = try await store.writer.read { db in
      try GRDBTask.filter(Column("isCompleted") == false).order(Column("dueAt").desc, Column("title")).limit(2)
        .fetchAll(db)
        .map(\.record.title)
    }
    #expect(titles == ["dig", "bake"])
    #expect(try await store.writer.read { try GRDBTask.fetchCount($0) } == 7)
  }

  @Test func persistenceOfAWrappedRecord() async throws {
    var task = TodoTask(id: UUID(30), projectID: UUID(5), title: "brew", dueAt: Date(at: 0.1 + 0.2))
    try await store.writer.write { [task] db in try GRDBTask(task).insert(db) }
    #expect(try await store.fetch(TodoTask.self, key: UUID(30)) == task)
    task.title = "roast"
    try await store.writer.write { [task] db in try GRDBTask(task).update(db) }
    #expect(try await store.fetch(TodoTask.self, key: UUID(30)) == task)
    task.dueAt = nil
    let (changes, deleted) = try await store.writer.write { [task] db in
      let changes = try GRDBTask(task).updateChanges(db, from: GRDBTask(task))
      try GRDBTask(task).save(db)
      try GRDBTask(task).upsert(db)
      return (changes, try GRDBTask.filter(key: ["id": UUID(14)]).deleteAll(db))
    }
    #expect(!changes)
    #expect(deleted == 1)
    #expect(try await store.fetch(TodoTask.self, key: UUID(30)) == task)
    let isDeleted = try await store.writer.write { [task] db in try GRDBTask(task).delete(db) }
    #expect(isDeleted)
    #expect(try await store.fetch(TodoTask.self, key: UUID(30)) == nil)
  }

  @Test func callsOfBothInOneTransaction() async throws {
    try await store.write("both") { tx in
      try tx.database.execute(sql: "UPDATE todoTask SET isCompleted = 1 WHERE title = 'dig'")
      #expect(try tx.count(TodoTask.where { $0.isCompleted }) == 4)
      try tx.update(TodoTask.self, key: UUID(13)) { $0.isCompleted = true }
      #expect(try GRDBTask.filter(Column("isCompleted") == true).fetchCount(tx.database) == 5)
      let row = try Row.fetchOne(tx.database, sql: "SELECT COUNT(*), SUM(isCompleted) FROM todoTask")
      #expect(row == ["COUNT(*)": 7, "SUM(isCompleted)": 5])
    }
  }

  @Test func adaptedRows() async throws {
    let names = try await store.writer.read { db in
      let adapter = ScopeAdapter(["project": SuffixRowAdapter(fromIndex: 1)])
      return try Row.fetchAll(
        db, sql: "SELECT title, project.* FROM todoTask JOIN project ON project.id = projectID ORDER BY title",
        adapter: adapter
      ).map { row in "\(row["title"] as String) \(try Project(row: #require(row.scopes["project"])).name)" }
    }
    #expect(names.prefix(3) == ["Wash Kitchen", "bake Kitchen", "dig garden"])
  }

  @Test func aRowWithoutAColumn() async throws {
    await #expect(
      throws: StoreError.unreadableValue(table: "project", column: "parentID", reason: "the row has no such column")
    ) { try await store.writer.read { try Project.fetchAll($0, sql: "SELECT id, name FROM project") } }
  }

  @Test func textsThatGRDBWouldCut() async throws {
    let project = Project(id: UUID(9), name: "a\u{0}b", parentID: nil)
    await #expect(
      throws: StoreError.unstorableValue(
        table: "project", column: "name",
        reason: "GRDB cuts a text at its first NUL character; write the record through a store")
    ) { try await store.writer.write { db in try GRDBRecord(project).insert(db) } }
    #expect(try await store.fetch(Project.self, key: UUID(9)) == nil)
  }

  @Test func observation() async throws {
    let observation = ValueObservation.tracking { try GRDBTask.filter(Column("isCompleted") == true).fetchCount($0) }
    var counts = observation.values(in: store.writer).makeAsyncIterator()
    #expect(try await counts.next() == 3)
    try await store.write("complete") { try $0.update(TodoTask.self, key: UUID(11)) { $0.isCompleted = true } }
    #expect(try await counts.next() == 4)
  }
}
