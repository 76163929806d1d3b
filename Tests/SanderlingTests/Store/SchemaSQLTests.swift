import Foundation
import GRDB
import SanderlingSQL
import Testing

@testable import Sanderling

@Suite struct SchemaSQLTests {
  @Record
  struct Project {
    var id: UUID
    var name: String
    var parentID: UUID?
  }

  enum Priority: Int, SortableColumnValue { case low, high }

  @Record(indexes: [.on(\.projectID, \.isCompleted, .descending(\.dueAt))])
  struct TodoTask {
    var id: Int64?
    @References(Project.self, onDelete: .cascade, onUpdate: .restrict) var projectID: UUID
    @References(TodoTask.self, onDelete: .setNull) var previousID: Int64?
    @Stored(collation: .nocase) var title: String = "it's"
    var isCompleted = false
    var priority: Priority = Priority.high
    var weight = 1.0
    var dueAt: Date?
    @Stored("created", default: "unixepoch()") var createdAt: Int
  }

  @Record
  struct Tagging {
    @PrimaryKey @References(Project.self) var projectID: UUID
    @PrimaryKey var tag: String
  }

  @Record
  struct Setting {
    var id: Int = 0
  }

  @Record
  struct Numbered {
    @Stored(default: "abs(random())") var id: Int
  }

  @Record
  struct Indexed {
    var id: Int64?
    var slug: String
    var title: String
    var size = 0
    var isHidden = false
    static let indexes: [Sanderling.Index<Indexed>] = [
      .unique(on: .ascending(\.slug, collation: .nocase)),
      .on(.ascending(\.title), .descending(\.slug)),
      .on(.ascending(\.title)).where { !$0.isHidden },
      .on(.expression(isDescending: true) { $0.title.lowercased() }),
      .on(.expression(collation: .rtrim) { $0.size * 2 }, name: "twice"),
    ]
  }

  @Test func tablesAndReferences() throws {
    let schema = try StoreSchema([Project.self, TodoTask.self])
    #expect(
      schema.sql == """
        CREATE TABLE "project" (
          "id" BLOB NOT NULL,
          "name" TEXT NOT NULL,
          "parentID" BLOB,
          PRIMARY KEY ("id")
        );
        CREATE TABLE "todoTask" (
          "id" INTEGER PRIMARY KEY,
          "projectID" BLOB NOT NULL,
          "previousID" INTEGER,
          "title" TEXT NOT NULL DEFAULT 'it''s' COLLATE NOCASE,
          "isCompleted" INTEGER NOT NULL DEFAULT 0,
          "priority" INTEGER NOT NULL DEFAULT 1,
          "weight" NOT NULL DEFAULT 1.0,
          "dueAt",
          "created" INTEGER NOT NULL DEFAULT (unixepoch()),
          FOREIGN KEY ("projectID") REFERENCES "project" ("id") ON DELETE CASCADE ON UPDATE RESTRICT,
          FOREIGN KEY ("previousID") REFERENCES "todoTask" ("id") ON DELETE SET NULL
        );
        CREATE INDEX "todoTask_on_projectID_isCompleted_dueAt_desc" ON "todoTask" \
        ("projectID", "isCompleted", "dueAt" DESC);
        CREATE INDEX "todoTask_on_previousID" ON "todoTask" ("previousID");

        """)
    try expectCreated(schema)
  }

  @Test func keys() throws {
    // The key of `Tagging` begins with the reference, which therefore needs no index. A constant default of a key is
    // left out. A key with an expression as default must not be a rowid, which SQLite would assign.
    let schema = try StoreSchema([Project.self, Tagging.self, Setting.self, Numbered.self])
    #expect(
      schema.sql.hasSuffix(
        """
        CREATE TABLE "tagging" (
          "projectID" BLOB NOT NULL,
          "tag" TEXT NOT NULL,
          PRIMARY KEY ("projectID", "tag"),
          FOREIGN KEY ("projectID") REFERENCES "project" ("id")
        );
        CREATE TABLE "setting" (
          "id" INTEGER PRIMARY KEY NOT NULL
        );
        CREATE TABLE "numbered" (
          "id" INT NOT NULL DEFAULT (abs(random())),
          PRIMARY KEY ("id")
        );

        """))
    try expectCreated(schema)
  }

  @Test func indexes() throws {
    let schema = try StoreSchema([Indexed.self])
    #expect(
      schema.sql.hasSuffix(
        """
        CREATE UNIQUE INDEX "indexed_on_slug_nocase" ON "indexed" ("slug" COLLATE NOCASE);
        CREATE INDEX "indexed_on_title_slug_desc" ON "indexed" ("title", "slug" DESC);
        CREATE INDEX "indexed_on_title_where_c6896e52" ON "indexed" ("title") WHERE "isHidden" = 0;
        CREATE INDEX "indexed_on_expression_977712aa" ON "indexed" (lower("title") DESC);
        CREATE INDEX "twice" ON "indexed" (("size" * 2) COLLATE RTRIM);

        """))
    try expectCreated(schema)
  }

  /// Expects that SQLite stores the printed definitions, and that the check finds no difference from them.
  private func expectCreated(_ schema: StoreSchema) throws {
    let queue = try DatabaseQueue()
    try SchemaMigration.open(queue, schema: schema, migrator: nil)
    try queue.read { db in
      for table in schema.tables {
        let stored = try String.fetchAll(
          db, sql: "SELECT sql FROM sqlite_schema WHERE tbl_name = ? AND sql NOT NULL ORDER BY rowid",
          arguments: [table.name])
        #expect(Set(stored) == Set(table.statements))
      }
      let record = try SchemaRecord(db, SchemaReader(db))
      #expect(try SchemaComparison.plan(db, schema: schema, ownership: .store(record)).differences == [])
      #expect(try SchemaMigration.check(db, schema: schema).differences == [])
    }
  }
}

@Suite struct SchemaErrorTests {
  typealias Project = SchemaSQLTests.Project
  typealias Tagging = SchemaSQLTests.Tagging

  @Record("project")
  struct OtherProject {
    var id: UUID
  }

  @Record
  struct Orphan {
    var id: UUID
    @References(Project.self) var projectID: UUID
  }

  @Record
  struct Mismatched {
    var id: UUID
    @References(Project.self, onDelete: .setNull) var projectID: String
    @References(Tagging.self) var taggingID: UUID?
    var ratio = 0.5
    var size: Double = .nan
  }

  @Record(indexes: [.on(\.title), .unique(on: \.title)])
  struct Doubled {
    var id: UUID
    var title: String
  }

  @Test(
    arguments: [
      (
        [Project.self, OtherProject.self],
        "Project and OtherProject have the same table, \"project\": give one of them another name with @Record(\"…\"), or let one only read the table with @Record(view: \"…\")"
      ),
      ([Project.self, Project.self], "Project is listed twice"),
      ([Orphan.self], "Orphan.projectID references Project, which is not in the schema: add Project.self"),
    ] as [([any StoredRecord.Type], String)])
  func singleProblem(records: [any StoredRecord.Type], problem: String) {
    #expect(throws: SchemaError(problems: [problem])) { try StoreSchema(records) }
  }

  @Test func references() {
    let error = #expect(throws: SchemaError.self) { try StoreSchema([Project.self, Tagging.self, Mismatched.self]) }
    #expect(
      error?.problems == [
        "the default of Mismatched.size can't be stored: \(ValueError.notANumber.message)",
        "Mismatched.projectID is stored as TEXT, and the key of Project, which it references, as BLOB: "
          + "give both the same type",
        "Mismatched.projectID is not optional, so onDelete can't be setNull",
        "Mismatched.taggingID references Tagging, whose key has 2 columns: a reference needs a key of one column",
      ])
  }

  @Test func names() {
    let error = #expect(throws: SchemaError.self) { try StoreSchema([Doubled.self]) }
    #expect(
      error?.description == """
        The records can't be stored as they are declared:
        - the name "doubled_on_title" of an index of doubled is also the name of an index of doubled: declare \
        the index once, or give it another name

        """)
  }
}
