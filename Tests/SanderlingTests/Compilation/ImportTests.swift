import Foundation
import Testing

/// Public names don't collide with names of other modules that an app imports.
@Suite(.enabled(if: TypeChecker.shared != nil))
struct ImportTests {
  func diagnostics(_ files: [String: String], flags: [String] = []) async throws -> [TypeChecker.Diagnostic] {
    try await #require(TypeChecker.shared).diagnostics(files, flags: flags)
  }

  @Test func allImports() async throws {
    let source = #"""
      import Dispatch
      import Foundation
      import GRDB
      import Observation
      import Sanderling
      import Synchronization
      #if canImport(ArgumentParser)  // A build without the tools has none.
        import ArgumentParser
      #else
        protocol ParsableCommand {}
        @propertyWrapper struct Option { var wrappedValue: String }
      #endif

      @Record(indexes: [.on(\.projectID), .unique(on: \.title, .descending(\.dueAt))])
      struct Job {
        var id: Int64?
        @References(Project.self) var projectID: UUID
        @Stored("name", collation: .nocase) var title: String
        var dueAt: Date?
        static let project: BelongsTo<Job, Project> = belongsTo(Project.self, by: \.projectID)
      }

      @Record
      struct Tag {
        @PrimaryKey var name: String
        static let indexes: [Sanderling.Index<Tag>] = [.on(.descending(\.name))]
      }

      struct Sink: StatementSink {
        func receive(_ statement: StatementRecord) { print(statement.sql, statement.counters.sorts) }
      }

      @Observable final class Model {
        var condition: Condition<Job>?
        var ordering: Ordering?
        var field: Field<Int>?
        var query: Selection<Job, Job> = Job.query
        var value: StorageValue = .null
        var collation: Collation = .nocase
      }

      struct Command: ParsableCommand {
        @Option var path: String
        func run() throws {
          let store = try Store(path: path, schema: [Project.self, TodoTask.self, Comment.self, Job.self, Tag.self])
          let count = Mutex(0)
          DispatchQueue.main.async { count.withLock { $0 += 1 } }
          try store.writeBlocking("add") { (tx: WriteTransaction) in
            let key: Job.Key = try tx.insert(Job(id: nil, projectID: UUID(), title: "x"))
            let insertion: Insertion = try tx.insert(contentsOf: [Tag(name: "x")])
            print(key, insertion.assignedKeys, try Job.fetchAll(tx.database, sql: "SELECT * FROM job"))
            try tx.update(Job.where { $0.title == "x" }, .set(\.dueAt, to: Date()))
          }
        }
      }

      func read(_ store: Store) async throws {
        store.add(Sink())
        let written: Written<RowOutcome> = try await store.writeWithCommit("change", priority: .background) { tx in
          try tx.upsert(Job(id: 1, projectID: UUID(), title: "y"))
        }
        print(written.commit)
        let rows = try await store.read { (tx: ReadTransaction) in
          try tx.fetch(Job.where { $0.project.name == "x" }.with(Job.project.prefetch()))
        }
        let raw: RawSQL = "SELECT \(1)"
        print(rows.count, try await store.fetch(RawQuery(raw, as: Int.self)))
        let grdb = try await store.writer.read { db in
          try GRDBRecord<Job>.filter(Column("title") == "x").fetchAll(db).map(\.record)
            + Table<Job>("job").filter(Column("title") == "y").order(Column("dueAt").desc).fetchAll(db)
        }
        let names = try await store.writer.read { db in try String.fetchAll(db, sql: "SELECT title FROM job") }
        do { try store.close() } catch let error as StoreError { print(error) }
        Task { print(grdb.count, names.count) }
      }
      """#
    let found = try await diagnostics(["Records.swift": snippetRecords, "Imports.swift": source])
    #expect(found == [])
  }

  /// An expression compiles even when it is the first use of a record that another file declares.
  @Test(
    arguments: [
      "let all = Project.query; print(all)", #"print(Project.where { $0.name == "x" })"#,
      "print(ProjectSummary.order { $0.name })", #"print(Project.raw("SELECT 1"))"#,
    ])
  func firstUse(_ statement: String) async throws {
    let source = "import Sanderling\nfunc f() { \(statement) }"
    let found = try await diagnostics(["A.swift": source, "Records.swift": snippetRecords])
    #expect(found == [])
  }

  @Test func firstUseByGRDB() async throws {
    let source = """
      import GRDB
      import Sanderling
      func f(_ db: Database) throws { print(try Project.fetchAll(db, sql: "SELECT 1")) }
      """
    let found = try await diagnostics(["A.swift": source, "Records.swift": snippetRecords])
    #expect(found == [])
  }
}
