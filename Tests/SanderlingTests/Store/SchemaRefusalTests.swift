import Foundation
import GRDB
import SanderlingSQL
import Testing

@testable import Sanderling

/// Migrations that would lose or reinterpret data are refused, and the plan prints steps for them.
@Suite struct SchemaRefusalTests {
  @Record struct List { var id: Int64? }

  enum Old {
    @Record("task", indexes: [.on(\.priority), .unique(on: \.name)])
    struct Item {
      var id: Int64?
      @References(List.self) var listID: Int64
      var name: String
      var priority: String
      var dueAt: Date?
    }
  }

  enum New {
    /// The next version of a task. `name` is removed, `title` is new, `priority` has another type, `dueAt` is required,
    /// and `size` is new without a default.
    @Record("task", indexes: [.on(\.priority)])
    struct Item {
      var id: Int64?
      @References(List.self) var listID: Int64
      var title: String
      var priority: Int
      var dueAt: Date
      var size: Int
    }
  }

  private func refusal(
    _ old: [any StoredRecord.Type], _ new: [any StoredRecord.Type], in queue: DatabaseQueue = try! DatabaseQueue(),
    rows: String = ""
  ) throws -> SchemaPlan {
    try SchemaMigration.open(queue, schema: StoreSchema(old), migrator: nil)
    try queue.write { try $0.execute(sql: rows) }
    let before = try queue.read { try SchemaReader($0).objects }
    let error = #expect(throws: StoreError.self) {
      try SchemaMigration.open(queue, schema: StoreSchema(new), migrator: nil)
    }
    #expect(try queue.read { try SchemaReader($0).objects } == before, "a refusal changes nothing")
    guard case .schemaMismatch(let plan) = error else { throw try #require(error) }
    return plan
  }

  @Test func printedPlan() throws {
    let plan = try refusal([List.self, Old.Item.self], [List.self, New.Item.self])
    #expect(
      plan.description == ##"""
        The schema differs from the records in ways that need a decision.

        Refused:
        - task: column "title" is new, NOT NULL and without default
          The existing rows have no value for it. If it is a new name of "name", see below; otherwise give the \##
        property an initial value, or make it optional.
          If the column is new, give the existing rows a value, and register:

              migrator.registerMigration("add task.title") { db in
                if try db.tableExists("task") {
                  try db.execute(sql: #"ALTER TABLE "task" ADD COLUMN "title" TEXT NOT NULL DEFAULT ''"#)
                }
              }

        - task: the type of column "priority" changes from TEXT to INTEGER
          The stored values would be read as different values.
          To convert the values, check the conversion, and register:

              migrator.registerMigration("convert task.priority to INTEGER") { db in
                if try db.tableExists("task") && db.columns(in: "task").contains(where: { $0.name == "priority" }) {
                  try db.execute(sql: """
                    ALTER TABLE "task" ADD COLUMN "new_priority" INTEGER NOT NULL DEFAULT 0;
                    UPDATE "task" SET "new_priority" = CAST("task"."priority" AS INTEGER);
                    DROP INDEX IF EXISTS "task_on_priority";
                    ALTER TABLE "task" DROP COLUMN "priority";
                    ALTER TABLE "task" RENAME COLUMN "new_priority" TO "priority";
                    """)
                }
              }

        - task: column "dueAt" becomes NOT NULL
          Rows may hold NULL, which the record can't read.
          To convert the values, check the conversion, and register:

              migrator.registerMigration("make task.dueAt not null") { db in
                if try db.tableExists("task") && db.columns(in: "task").contains(where: { $0.name == "dueAt" }) {
                  try db.execute(sql: """
                    ALTER TABLE "task" ADD COLUMN "new_dueAt" NOT NULL DEFAULT 0.0;
                    UPDATE "task" SET "new_dueAt" = coalesce("task"."dueAt", 0.0);
                    ALTER TABLE "task" DROP COLUMN "dueAt";
                    ALTER TABLE "task" RENAME COLUMN "new_dueAt" TO "dueAt";
                    """)
                }
              }

        - task: column "size" is new, NOT NULL and without default
          The existing rows have no value for it. Give the property an initial value, or make it optional.
          If the column is new, give the existing rows a value, and register:

              migrator.registerMigration("add task.size") { db in
                if try db.tableExists("task") {
                  try db.execute(sql: #"ALTER TABLE "task" ADD COLUMN "size" INTEGER NOT NULL DEFAULT 0"#)
                }
              }

        - task: column "name" is not in the record any more
          Dropping it would lose its values. A newer version of the app may have created it.
          If "name" is now called "title", register:

              migrator.registerMigration("rename task.name to title") { db in
                if try db.tableExists("task") && db.columns(in: "task").contains(where: { $0.name == "name" }) {
                  try db.execute(sql: #"ALTER TABLE "task" RENAME COLUMN "name" TO "title""#)
                }
              }

          If its values are not needed any more, register:

              migrator.registerMigration("drop task.name") { db in
                if try db.tableExists("task") && db.columns(in: "task").contains(where: { $0.name == "name" }) {
                  try db.execute(sql: """
                    DROP INDEX IF EXISTS "task_on_name";
                    ALTER TABLE "task" DROP COLUMN "name";
                    """)
                }
              }


        Additive:
        - task: drop index "task_on_name"

        """##)
  }

  /// The printed steps, run unchanged, complete the migration.
  @Test func printedStepsWork() throws {
    let queue = try DatabaseQueue()
    let plan = try refusal(
      [List.self, Old.Item.self], [List.self, New.Item.self], in: queue,
      rows: """
        INSERT INTO list VALUES (1);
        INSERT INTO task VALUES (1, 1, 'a', '12', NULL), (2, 1, 'b', '7', 1.5);
        """)
    try SchemaMigration.open(
      queue, schema: StoreSchema([List.self, New.Item.self]),
      migrator: plan.migrator(choosing: [
        "rename task.name to title", "convert task.priority to INTEGER", "make task.dueAt not null", "add task.size",
      ]))
    try queue.read { db in
      let rows = try Row.fetchAll(db, sql: "SELECT id, title, priority, dueAt, size FROM task")
      #expect(
        rows.map { $0.databaseValues.map(\.description) } == [
          ["1", "\"a\"", "12", "0.0", "0"], ["2", "\"b\"", "7", "1.5", "0"],
        ])
      #expect(try db.indexes(on: "task").map(\.name).sorted() == ["task_on_listID", "task_on_priority"])
    }
  }

  enum OtherKey {
    @Record("task") struct Item {
      @PrimaryKey var listID: Int64
      @PrimaryKey var name: String
      var priority: String
    }
  }

  enum OtherReference {
    @Record("list") struct List {
      var id: String
    }
    @Record("task") struct Item {
      var id: Int64?
      @References(OtherReference.List.self) var listID: String
      var name: String
    }
  }

  @Test func keyAndDroppedColumns() throws {
    let queue = try DatabaseQueue()
    let plan = try refusal(
      [List.self, Old.Item.self], [List.self, OtherKey.Item.self], in: queue,
      rows: "INSERT INTO list VALUES (1); INSERT INTO task VALUES (1, 1, 'a', '12', NULL)")
    #expect(
      plan.refusals.map(\.summary) == [
        "the key is (\"listID\", \"name\") in the record, and (\"id\") in the table",
        "column \"id\" is not in the record any more", "column \"dueAt\" is not in the record any more",
      ])
    try SchemaMigration.open(
      queue, schema: StoreSchema([List.self, OtherKey.Item.self]), migrator: plan.migrator())
    #expect(try queue.read { try Row.fetchAll($0, sql: "SELECT * FROM task").count } == 1)
  }

  @Test func typeOfKeyAndReference() throws {
    let queue = try DatabaseQueue()
    try SchemaMigration.open(queue, schema: StoreSchema([List.self, Old.Item.self]), migrator: nil)
    try queue.write { db in
      try db.execute(sql: "INSERT INTO list VALUES (1); INSERT INTO task VALUES (1, 1, 'a', '12', NULL)")
      try db.execute(sql: "CREATE VIEW names AS SELECT name FROM task")
    }
    let new = try StoreSchema([OtherReference.List.self, OtherReference.Item.self])
    let error = #expect(throws: StoreError.self) { try SchemaMigration.open(queue, schema: new, migrator: nil) }
    guard case .schemaMismatch(let plan) = error else { throw try #require(error) }
    try SchemaMigration.open(queue, schema: new, migrator: plan.migrator())
    let sql = "SELECT task.listID, list.id FROM task JOIN list ON listID = list.id"
    #expect(try queue.read { try Row.fetchOne($0, sql: sql) } == ["listID": "1", "id": "1"])
    #expect(try queue.read { try String.fetchAll($0, sql: "SELECT * FROM names") } == ["a"])
  }

  @Record("entry") struct RenamedTable {
    var id: Int64?
    @References(List.self) var listID: Int64
    var name: String
    var priority: String
    var dueAt: Date?
  }

  @Test func droppedTable() throws {
    let plan = try refusal([List.self, Old.Item.self], [List.self, RenamedTable.self])
    #expect(
      plan.description == ##"""
        The schema differs from the records in ways that need a decision.

        Refused:
        - task: no record has this table any more
          Dropping it would lose its rows. A newer version of the app may have created it.
          If "task" is now called "entry", register:

              migrator.registerMigration("rename task to entry") { db in
                if try db.tableExists("task") {
                  try db.execute(sql: #"ALTER TABLE "task" RENAME TO "entry""#)
                }
              }

          If its rows are not needed any more, register:

              migrator.registerMigration("drop task") { db in
                if try db.tableExists("task") {
                  try db.execute(sql: #"DROP TABLE "task""#)
                }
              }


        Additive:
        - entry: create the table
        - entry: CREATE INDEX "entry_on_listID" ON "entry" ("listID")

        """##)
  }

  @Test func viewsAndVirtualTables() throws {
    for (sql, kind) in [
      ("CREATE VIEW list AS SELECT 1 AS id", "a view"),
      ("CREATE VIRTUAL TABLE list USING fts5(id)", "a virtual table"),
      ("CREATE TABLE a (b); CREATE INDEX list ON a (b)", "an index"),
    ] {
      let queue = try DatabaseQueue()
      try queue.write { try $0.execute(sql: sql) }
      let plan = try queue.read { try SchemaMigration.check($0, schema: StoreSchema([List.self])) }
      #expect(plan.refusals.map(\.summary) == ["there is \(kind) of this name"])
      #expect(throws: StoreError.self) {
        try SchemaMigration.open(queue, schema: StoreSchema([List.self]), migrator: nil)
      }
    }
  }

  @Test func takenName() throws {
    let queue = try DatabaseQueue()
    try queue.write { try $0.execute(sql: "CREATE TABLE task_on_priority (a)") }
    let error = #expect(throws: StoreError.self) {
      try SchemaMigration.open(queue, schema: StoreSchema([List.self, Old.Item.self]), migrator: nil)
    }
    #expect(error?.plan?.contains("the name of the index \"task_on_priority\" is taken") == true)
  }

  @Test func otherEncodings() throws {
    let queue = try DatabaseQueue()
    try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA encoding = 'UTF-16'; CREATE TABLE a (b)") }
    let error = #expect(throws: StoreError.self) {
      try SchemaMigration.open(queue, schema: StoreSchema([List.self]), migrator: nil)
    }
    #expect(error?.plan?.contains("- the database's encoding is UTF-16le") == true)
  }
}

extension SchemaPlan {
  /// Returns a migrator with the printed steps of these names, or with all steps.
  func migrator(choosing names: [String]? = nil) -> DatabaseMigrator {
    var migrator = DatabaseMigrator()
    for step in refusals.flatMap(\.steps) where names?.contains(step.name) ?? true {
      migrator.registerMigration(step.name) { db in
        for sql in step.statements { try db.execute(sql: sql) }
      }
    }
    return migrator
  }
}
