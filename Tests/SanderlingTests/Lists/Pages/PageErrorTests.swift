import Foundation
import GRDB
import Testing

@testable import Sanderling

/// The errors for queries that can't be read in pages.
@Suite struct PageErrorTests {
  private func obstacle<Root, Output>(_ query: Selection<Root, Output>) throws -> String? {
    do {
      _ = try PageForm(query.statement)
      return nil
    } catch PageError.notPageable(let reason) {
      return reason
    }
  }

  private func obstacle(byRaw sql: RawSQL) throws -> String? {
    try obstacle(TodoTask.query.order([Field<Int>.raw(sql).ascending]))
  }

  @Test func limits() throws {
    #expect(try obstacle(TodoTask.limit(5))?.contains("limit") == true)
    #expect(try obstacle(TodoTask.limit(.max, offset: 1))?.contains("offset") == true)
  }

  @Test func values() throws {
    #expect(try obstacle(TodoTask.select { $0.count() })?.contains("one value") == true)
    #expect(try obstacle(TodoTask.group { $0.title }.select { $0.count() }.distinct())?.contains("duplicates") == true)
    #expect(
      try obstacle(TodoTask.order { $0.dueAt }.select { $0.title }.distinct())?.contains("doesn't select") == true)
    #expect(
      try obstacle(TodoTask.group { $0.projectID }.order { $0.title }.select { $0.count() })?.contains(
        "differs within a group")
        == true)
    #expect(
      try obstacle(TodoTask.group { $0.title }.order { $0.project.name }.select { $0.count() })?
        .contains("differs within a group") == true)
    #expect(try obstacle(TodoTask.group { $0.projectID }.order { $0.project.name }.select { $0.count() }) == nil)
    // Names in a group that differ in case have no single value with BINARY collation.
    #expect(
      try obstacle(Sheet.group { $0.name }.order { $0.name.collated(.binary) }.select { $0.count() })?
        .contains("differs within a group") == true)
  }

  @Test(arguments: [
    ("random()", "calls random()"), ("abs(random())", "calls random()"), ("RaNdOm ( )", "calls RaNdOm()"),
    ("\"random\"()", "calls random()"), ("hex(randomblob(4))", "calls randomblob()"), ("changes()", "calls changes()"),
    ("last_insert_rowid()", "calls last_insert_rowid()"), ("myRank(title)", "calls myRank()"),
    ("CURRENT_TIMESTAMP", "current time"), ("julianday('now') - julianday(dueAt)", "current time"),
    ("date('NOW')", "current time"), ("strftime('%s')", "current time"), ("datetime()", "current time"),
    ("time(dueAt, 'localtime')", "current time"), ("row_number() OVER ()", "calls row_number()"),
    ("sum(1) OVER (ORDER BY title)", "window"), ("rank", "rank of a search"), ("bm25(search)", "rank of a search"),
    ("(SELECT id FROM comment LIMIT 1)", "a LIMIT"),
  ])
  func orderingsByHand(sql: String, reason: String) throws {
    #expect(try obstacle(byRaw: "\(raw: sql)")?.contains(reason) == true)
    // The reason is also found inside other expressions.
    let field = Field<Int>.raw("\(raw: sql)")
    #expect(
      try obstacle(TodoTask.query.order([(field + 1).descending, TodoTask.fields.id.ascending]))?.contains(reason)
        == true)
    #expect(
      try obstacle(Project.order { $0.tasks.filter { _ in field > 1 }.count })?.contains(reason) == true)
  }

  @Test(arguments: [
    "length(title)", "coalesce(dueAt, 0)", "CASE WHEN title IN ('random()', 'now') THEN 1 ELSE 2 END",
    "title COLLATE NOCASE",
    "date(dueAt)", "strftime('%Y', dueAt)", "\"rank\"", "abs(-1) /* random() */", "(title = 'a') AND (isCompleted)",
    "(SELECT count(*) FROM comment WHERE taskID = todoTask.id)",
    "(WITH few(x) AS (SELECT 1) SELECT x FROM few)", "cast(title AS INTEGER)",
  ])
  func orderingsByHandThatStay(sql: String) throws {
    #expect(try obstacle(byRaw: "\(raw: sql)") == nil)
  }

  @Test func selectsByHand() async throws {
    #expect(try obstacle(TodoTask.raw("SELECT * FROM todoTask WHERE random() > 0"))?.contains("random()") == true)
    #expect(try obstacle(TodoTask.raw("SELECT * FROM todoTask LIMIT 5"))?.contains("a LIMIT") == true)
    #expect(try obstacle(TodoTask.raw("SELECT todoTask.*, 1 AS rank FROM todoTask")) == nil)
    let store = try await Store.todo()
    let query = TodoTask.raw("SELECT * FROM todoTask WHERE title GLOB \("*w*")").order { $0.title.descending }
    try await store.expectPages(of: query, size: 1, "by hand")
  }

  @Test func trees() async throws {
    let store = try await Store.todo()
    #expect(try obstacle(Project.children.tree())?.contains("position in a tree") == true)
    #expect(try obstacle(Project.children.tree().order { $0.position.descending })?.contains("position") == true)
    try await store.expectPages(of: Project.children.tree().order { ($0.depth, $0.name) }, size: 2, "a tree")
    try await store.expectPages(
      of: Project.children.tree(from: UUID(1)).order { $0.name.descending }, size: 1, "below a project")
  }

  @Test func queriesThatMakeNoSense() async throws {
    let store = try await Store.todo()
    let pages = store.pages(of: TodoTask.query.having { $0.count() > 1 }, size: 1)
    await #expect(throws: StoreError.self) { try await pages.first() }
    await #expect(throws: StoreError.self) { try await pages.explain() }
  }

  @Test func missingRowsAreAnError() async throws {
    let store = try await Store.todo()
    let error = PageError.noSuchRow(table: "todoTask")
    let pages = store.pages(of: TodoTask.where { !$0.isCompleted }, size: 2)
    await #expect(throws: error) { try await pages.page(startingAt: UUID(99)) }
    await #expect(throws: error) { try await pages.page(around: UUID(99)) }
    // The row exists, but the query's condition leaves it out.
    await #expect(throws: error) { try await pages.cursor(of: UUID(12)) }
    let groups = store.pages(of: TodoTask.group { $0.projectID }.select { $0.count() }, size: 2)
    await #expect {
      try await groups.cursor(of: UUID(11))
    } throws: { error in
      if case PageError.notPageable(let reason) = error { reason.contains("groups") } else { false }
    }
  }

  /// Rows whose primary key another program left NULL.
  @Test func nullKeysAreAnError() async throws {
    let queue = try DatabaseQueue()
    try await queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE tally (name TEXT PRIMARY KEY, count INTEGER NOT NULL);
          INSERT INTO tally VALUES (NULL, 1), (NULL, 1), ('a', 2);
          CREATE VIEW tallies AS SELECT name, count FROM tally
          """)
    }
    let store = try Store(queue, schema: [Tally.self])
    let pages = store.pages(of: Tally.order { $0.count }.select { $0.count }, size: 2)
    await #expect(throws: PageError.keyIsNull(table: "tallies")) { try await pages.first() }
    let others = store.pages(of: Tally.where { $0.count > 1 }, size: 2)
    #expect(try await others.first().rows.map(\.name) == ["a"])
  }

  @Record(view: "tallies")
  struct Tally {
    @PrimaryKey var name: String
    var count: Int
  }

  /// Texts that are not UTF-8, which no Swift string holds, are positions like any others.
  @Test func malformedTexts() async throws {
    let store = try await Store.todo()
    try await store.write("by hand") { tx in
      for (number, bytes) in ["X'FF'", "X'FE41'", "X'EFBFBD'", "X'C3'", "X'61'"].enumerated() {
        try tx.database.execute(
          sql: """
            INSERT INTO todoTask (id, projectID, title, isCompleted)
            VALUES (?, (SELECT id FROM project LIMIT 1), CAST(\(bytes) AS TEXT), 0)
            """,
          arguments: [Data([UInt8](repeating: 1, count: 15) + [UInt8(number)])])
      }
    }
    try await store.expectPages(of: TodoTask.order { $0.title }, size: 1, "malformed")
    try await store.expectPages(of: TodoTask.order { $0.title.descending }, size: 2, "malformed")
  }

  @Test func messages() {
    let errors: [PageError] = [
      .notPageable(reason: "it is random"), .damagedCursor, .cursorOfOtherVersion(2),
      .cursorOfOtherQuery(table: "task"),
      .noSuchRow(table: "task"), .keyIsNull(table: "task"),
    ]
    #expect(Set(errors.map(\.description)).count == errors.count)
    for error in errors { #expect((error as any Error).localizedDescription == error.description) }
  }
}
