import Foundation
import GRDB
import SanderlingSQL
import Testing

@testable import Sanderling

/// The first version of a small app that grows. Refused plans print the migration steps of its versions.
enum AppV1 {
  @Record("project")
  struct Project {
    var id: Int64?
    var name: String
  }

  @Record("task", indexes: [.on(\.name)])
  struct Item {
    var id: Int64?
    @References(Project.self, onDelete: .cascade) var projectID: Int64
    var name: String
  }
}

/// The second version adds columns with and without a default, an index, and a table.
enum AppV2 {
  @Record("project")
  struct Project {
    var id: Int64?
    var name: String
    var note: String?
  }

  @Record("task", indexes: [.on(\.name, \.isCompleted)])
  struct Item {
    var id: Int64?
    @References(Project.self, onDelete: .cascade) var projectID: Int64
    var name: String
    var isCompleted = false
    var weight = 1.0
  }

  @Record("tag")
  struct Tag {
    var id: Int64?
    var name: String
  }
}

/// The third version renames `name` to `title` and adds columns. The reference with a default needs a rebuild.
enum AppV3 {
  @Record("task", indexes: [.on(\.title, .descending(\.isCompleted))])
  struct Item {
    var id: Int64?
    @References(AppV2.Project.self, onDelete: .cascade) var projectID: Int64
    var title: String
    var isCompleted = false
    var weight = 1.0
    @Stored(default: "lower(hex(zeroblob(2)))") var token: String
    @References(AppV2.Tag.self, onDelete: .setDefault) var tagID: Int64? = nil
  }
}

/// The fourth version renames a column of version 2, which a file of version 1 never had. It also renames a table.
enum AppV4 {
  @Record("project")
  struct Project {
    var id: Int64?
    var name: String
    var memo: String?
  }

  @Record("todoTask", indexes: [.unique(on: \.projectID, \.title)])
  struct Item {
    var id: Int64?
    @References(Project.self, onDelete: .cascade) var projectID: Int64
    var title: String?
    var isCompleted = false
    var weight = 1.0
    @Stored(default: "lower(hex(zeroblob(2)))") var token: String
    @References(AppV2.Tag.self, onDelete: .setNull) var tagID: Int64?
  }
}

/// The fifth version removes a table and a column.
enum AppV5 {
  @Record("todoTask")
  struct Item {
    var id: Int64?
    @References(AppV4.Project.self, onDelete: .cascade) var projectID: Int64
    var title: String?
    var isCompleted = true
    @Stored(default: "lower(hex(zeroblob(2)))") var token: String
  }
}

fileprivate struct Version: Sendable, CustomStringConvertible {
  let number: Int
  let schema: StoreSchema
  let migrator: DatabaseMigrator
  var description: String { "v\(number)" }

  fileprivate static let all: [Version] = try! {
    var versions: [Version] = []
    var migrator = DatabaseMigrator()
    func add(_ records: [any StoredRecord.Type]) throws {
      versions.append(Version(number: versions.count + 1, schema: try StoreSchema(records), migrator: migrator))
    }
    try add([AppV1.Project.self, AppV1.Item.self])
    try add([AppV2.Project.self, AppV2.Item.self, AppV2.Tag.self])
    migrator.registerMigration("rename task.name to title") { db in
      if try db.tableExists("task") && db.columns(in: "task").contains(where: { $0.name == "name" }) {
        try db.execute(sql: #"ALTER TABLE "task" RENAME COLUMN "name" TO "title""#)
      }
    }
    try add([AppV2.Project.self, AppV3.Item.self, AppV2.Tag.self])
    migrator.registerMigration("rename project.note to memo") { db in
      if try db.tableExists("project") && db.columns(in: "project").contains(where: { $0.name == "note" }) {
        try db.execute(sql: #"ALTER TABLE "project" RENAME COLUMN "note" TO "memo""#)
      }
    }
    migrator.registerMigration("rename task to todoTask") { db in
      if try db.tableExists("task") {
        try db.execute(sql: #"ALTER TABLE "task" RENAME TO "todoTask""#)
      }
    }
    try add([AppV4.Project.self, AppV4.Item.self, AppV2.Tag.self])
    migrator.registerMigration("drop todoTask.weight") { db in
      if try db.tableExists("todoTask") && db.columns(in: "todoTask").contains(where: { $0.name == "weight" }) {
        try db.execute(sql: #"ALTER TABLE "todoTask" DROP COLUMN "weight""#)
      }
    }
    migrator.registerMigration("recreate todoTask without tag") { db in
      if try db.columns(in: "todoTask").contains(where: { $0.name == "tagID" }) {
        try db.execute(
          sql: """
            CREATE TABLE "new_todoTask" ("id" INTEGER PRIMARY KEY, "projectID" INTEGER NOT NULL, "title" TEXT,
              "isCompleted" INTEGER NOT NULL DEFAULT 1, "token" TEXT NOT NULL DEFAULT (lower(hex(zeroblob(2)))),
              FOREIGN KEY ("projectID") REFERENCES "project" ("id") ON DELETE CASCADE);
            INSERT INTO "new_todoTask" SELECT "id", "projectID", "title", "isCompleted", "token" FROM "todoTask";
            DROP TABLE "todoTask";
            ALTER TABLE "new_todoTask" RENAME TO "todoTask";
            """)
      }
    }
    migrator.registerMigration("drop tag") { db in
      try db.execute(sql: #"DROP TABLE IF EXISTS "tag""#)
    }
    try add([AppV4.Project.self, AppV5.Item.self])
    return versions
  }()

  fileprivate static let pairs = all.flatMap { from in all.filter { $0.number >= from.number }.map { (from, $0) } }
}

@Suite struct SchemaVersionsTests {
  @Test(arguments: Version.pairs)
  fileprivate func everyPair(from: Version, to: Version) throws {
    let queue = try DatabaseQueue()
    try SchemaMigration.open(queue, schema: from.schema, migrator: from.migrator)
    let name = from.number >= 3 ? "title" : "name"
    let table = from.number >= 4 ? "todoTask" : "task"
    try queue.write { db in
      try db.execute(sql: "INSERT INTO project (id, name) VALUES (7, 'home')")
      if from.number >= 2 {
        try db.execute(sql: "UPDATE project SET \(from.number >= 4 ? "memo" : "note") = 'green'")
      }
      try db.execute(sql: "INSERT INTO \(table) (id, projectID, \(name)) VALUES (1, 7, 'café'), (5, 7, 'tea')")
    }

    try SchemaMigration.open(queue, schema: to.schema, migrator: to.migrator)

    // A fresh file of the version has the expected columns, keys, references and indexes.
    let fresh = try DatabaseQueue()
    try SchemaMigration.open(fresh, schema: to.schema, migrator: to.migrator)
    #expect(try queue.read(Shape.init) == fresh.read(Shape.init))
    let newName = to.number >= 3 ? "title" : "name"
    let newTable = to.number >= 4 ? "todoTask" : "task"
    try queue.read { db in
      let rows = try Row.fetchAll(db, sql: "SELECT id, projectID, \(newName) FROM \(newTable) ORDER BY id")
      #expect(
        rows.map { Array($0.databaseValues) } == [
          [1.databaseValue, 7.databaseValue, "café".databaseValue],
          [5.databaseValue, 7.databaseValue, "tea".databaseValue],
        ])
      if from.number >= 2 {
        #expect(
          try String.fetchOne(db, sql: "SELECT \(to.number >= 4 ? "memo" : "note") FROM project") == "green")
      }
      if (2...4).contains(to.number) {
        #expect(try Set(String.fetchAll(db, sql: "SELECT typeof(weight) FROM \(newTable)")) == ["real"])
      }
      if to.number >= 3 {
        #expect(try String.fetchAll(db, sql: "SELECT token FROM \(newTable)") == ["0000", "0000"])
      }
      try db.checkForeignKeys()
      #expect(try String.fetchOne(db, sql: "PRAGMA integrity_check") == "ok")
      #expect(try Bool.fetchOne(db, sql: "PRAGMA foreign_keys") == true)
    }

    // Opening again changes nothing.
    let version = try queue.read { try $0.schemaVersion() }
    try SchemaMigration.open(queue, schema: to.schema, migrator: to.migrator)
    #expect(try queue.read { try $0.schemaVersion() } == version)
  }

  /// A file of the previous version is refused without its steps, and stays unchanged. Version 2 needs no steps.
  @Test(arguments: [(2, 3), (3, 4), (4, 5)])
  func refusedWithoutSteps(from: Int, to: Int) throws {
    let queue = try DatabaseQueue()
    try SchemaMigration.open(queue, schema: Version.all[from - 1].schema, migrator: nil)
    let before = try queue.read { try SchemaReader($0).objects }
    #expect(throws: StoreError.self) {
      try SchemaMigration.open(queue, schema: Version.all[to - 1].schema, migrator: nil)
    }
    #expect(try queue.read { try SchemaReader($0).objects } == before)
  }

  @Test func newerFileIsRefused() throws {
    let queue = try DatabaseQueue()
    try SchemaMigration.open(queue, schema: Version.all[3].schema, migrator: Version.all[3].migrator)
    #expect(throws: StoreError.newerSchema(migrations: ["rename project.note to memo", "rename task to todoTask"])) {
      try SchemaMigration.open(queue, schema: Version.all[2].schema, migrator: Version.all[2].migrator)
    }
  }

  /// A merged step replaces the steps that a file names as applied.
  @Test func mergedSteps() throws {
    let queue = try DatabaseQueue()
    try SchemaMigration.open(queue, schema: Version.all[3].schema, migrator: Version.all[3].migrator)
    var merged = DatabaseMigrator()
    let old = Set(Version.all[3].migrator.migrations)
    merged.registerMigration("all", merging: old) { _, applied in #expect(applied == old) }
    try SchemaMigration.open(queue, schema: Version.all[3].schema, migrator: merged)
    #expect(try queue.read(merged.appliedIdentifiers) == ["all"])
  }

  @Test func erasesOnDemand() throws {
    let queue = try DatabaseQueue()
    try SchemaMigration.open(queue, schema: Version.all[1].schema, migrator: nil)
    var migrator = DatabaseMigrator()
    migrator.eraseDatabaseOnSchemaChange = true
    try SchemaMigration.open(queue, schema: Version.all[4].schema, migrator: migrator)
    let fresh = try DatabaseQueue()
    try SchemaMigration.open(fresh, schema: Version.all[4].schema, migrator: migrator)
    #expect(try queue.read(Shape.init) == fresh.read(Shape.init))
  }
}

/// The meaning of a schema, without the order of columns and without defaults that no record declares.
private struct Shape: Equatable {
  private let tables: [String: Set<String>]

  init(_ db: Database) throws {
    let reader = try SchemaReader(db)
    var tables: [String: Set<String>] = [:]
    for object in reader.objects where object.type == "table" {
      guard let table = try reader.table(named: object.name) else { continue }
      var facts: Set<String> = []
      for column in table.columns {
        facts.insert("\(column.name) \(column.type) \(column.isNotNull) \(column.keyPosition) \(column.collation)")
      }
      for key in table.foreignKeys { facts.insert(key.constraint) }
      for index in table.indexes { facts.insert("\(index.name) \(index.shape)") }
      tables[object.name] = facts
    }
    self.tables = tables
  }
}
