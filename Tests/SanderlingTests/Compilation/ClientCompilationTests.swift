import Foundation
import Testing

/// Compilation of code as apps write it.
@Suite(.enabled(if: BuildFolder.compiler != nil))
struct ClientCompilationTests {
  /// The folder of the package.
  private static let package = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Every program of the tutorial compiles. ``SwiftUITests`` compiles the program with views; package manifests are
  /// left out.
  @Test func theTutorialCompiles() throws {
    let folder = Self.package.appending(path: "Sources/Sanderling/Documentation.docc/Resources")
    let programs = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil).filter {
      $0.pathExtension == "swift" && !$0.lastPathComponent.contains(#/^Package|^LiveList-3/#)
    }
    #expect(programs.count == 14)
    for program in programs {
      let messages = try SwiftCompiler().check([program], limit: .correct, flags: ["-parse-as-library"]).messages
      #expect(messages == [], "\(program.lastPathComponent)")
    }
  }

  @Test func expressionsTypeCheckQuicklyBesideGRDB() throws {
    #expect(try SwiftCompiler().check(Self.client, limit: .correct).messages == [])
  }

  /// Queries compile for a record that also conforms to GRDB's `PersistableRecord`, whose static `filter`, `order` and
  /// `select` an app may use beside Sanderling's.
  @Test func aRecordMayBeAPersistableRecordOfGRDB() throws {
    let source =
      Self.client + """

        extension TodoTask: PersistableRecord {
          static var databaseTableName: String { table.name }
        }

        func plain(_ db: Database, _ task: TodoTask) throws -> [TodoTask] {
          try task.upsert(db)
          return try TodoTask.filter(Column("isCompleted") == false).order(Column("dueAt")).fetchAll(db)
        }
        """
    #expect(try SwiftCompiler().check(source, limit: .correct).messages == [])
  }

  /// A client that imports every module available here: no public name may be ambiguous.
  private static let client = #"""
    import Dispatch
    import Foundation
    import GRDB
    import Observation
    import Sanderling
    import Synchronization

    @Record
    struct Project {
      var id: UUID
      var name: String
      var budget: Double
      var parentID: Project.ID?
      static let tasks = hasMany(TodoTask.self, by: \.projectID)
      static let children = hasMany(Project.self, by: \.parentID)
      static let descendants = hasMany(Project.self, by: \.parentID).recursive(includingSelf: true)
      static let parent = belongsTo(Project.self, by: \.parentID)
    }

    @Record(indexes: [.on(\.projectID, \.isCompleted, .descending(\.dueAt)), .unique(on: \.projectID, \.title)])
    struct TodoTask {
      var id: UUID
      @References(Project.self, onDelete: .cascade) var projectID: UUID
      var title: String
      var isCompleted = false
      var rank: Int
      var dueAt: Date?
      static let project = belongsTo(Project.self, by: \.projectID)
    }

    @Projection(of: Project.self)
    struct ProjectSummary {
      var id: UUID
      var name: String
      var openTasks: Int
      var lastDueAt: Date?
      static let openTasks = aggregate { $0.tasks.filter { !$0.isCompleted }.count }
      static let lastDueAt = aggregate { $0.tasks.max(\.dueAt) }
    }

    func queries(id: UUID, ids: [UUID], now: Date, text: String) {
      _ = TodoTask.where { $0.projectID == id && !$0.isCompleted }.order { ($0.dueAt.ascending, $0.id) }.limit(50)
      _ = Project.select { ($0.name, $0.tasks.count, $0.tasks.max(\.dueAt)) }
      _ = Project.where { $0.tasks.filter { !$0.isCompleted }.count > 100 && $0.name.contains("café") }
      _ = TodoTask.where { $0.rank + 1 > 3 && $0.rank * 2 - 1 < 9 || $0.title.hasPrefix(text) && $0.dueAt == nil }
      _ = TodoTask.where { $0.id.in(ids) && $0.rank.in(1...9) && $0.dueAt.in(now..<now + 60) && $0.title != "x" }
      _ = TodoTask.where { $0.project.name == "a" && $0.project.parent.name != nil && ($0.rank > 1 || $0.rank < -1) }
      _ = Project.where { p in p.children.contains { $0.name == p.name } }.order { $0.tasks.count.descending }
      _ = Project.where { $0.descendants.sum { $0.tasks.count } > 10 && !$0.tasks.isEmpty }
      _ = Project.select { ($0.name, $0.tasks.average(\.rank), $0.budget / 3, $0.children.sum(\.budget), $0.parent.name) }
      _ = TodoTask.group { $0.projectID }.select { ($0.projectID, $0.count(), $0.rank.sum(), $0.dueAt.max()) }
        .having { $0.count() > 3 && $0.rank.sum() > 10 }
      _ = ProjectSummary.where { $0.openTasks > 3 && $0.name > "m" && $0.budget < 3 }
        .order { ($0.openTasks.descending, $0.lastDueAt.descending.nullsLast, $0.name) }
      let conditions = [Condition<TodoTask> { $0.dueAt < now }, text.isEmpty ? nil : Condition { $0.title.contains(text) }]
      _ = TodoTask.where(.all(conditions.compactMap { $0 }))
    }

    func writes(_ store: Store, _ task: TodoTask) async throws {
      try await store.write("change", priority: .background) { tx in
        try tx.insert(task)
        try tx.upsert(task, onConflict: \.projectID, \.title)
        try tx.update(TodoTask.where { $0.rank > 3 }, .set(\.isCompleted, to: true), .set(\.rank) { $0.rank + 1 })
        try tx.delete(TodoTask.where { $0.isCompleted })
      }
      let rows = try await store.fetch(Project.order { $0.name }.with(Project.tasks.prefetch { $0.limit(3) }))
      for (project, tasks) in rows { print(project.name, tasks.count) }
    }

    func plain(_ db: Database) throws -> [TodoTask] {
      try TodoTask.fetchAll(db, sql: "SELECT * FROM todoTask")
        + GRDBRecord<TodoTask>.filter(Column("isCompleted") == false).order(Column("dueAt")).fetchAll(db).map(\.record)
    }
    """#
}
