import Foundation
import GRDB
import Testing

@testable import Sanderling

/// A query in an order that no index serves reports the index to declare, which then serves the order.
@Suite struct MissingIndexTests {
  final class IndexSink: StatementSink {
    private let kept = Lock<[MissingIndex]>([])
    private let statements = Lock<[StatementRecord]>([])
    var indexes: [MissingIndex] { kept.withLock { $0 } }
    var sql: [String] { statements.withLock { $0.map(\.sql) } }
    func receive(_ statement: StatementRecord) { statements.withLock { $0.append(statement) } }
    func receive(_ missingIndex: MissingIndex) { kept.withLock { $0.append(missingIndex) } }
  }

  @Test func missingIndexIsReportedOnceForAForm() async throws {
    let store = try await Store.todo()
    let sink = IndexSink()
    store.add(sink)
    for project in 1...3 {
      let query = TodoTask.where { $0.projectID == UUID(UInt64(project)) }.order { ($0.dueAt.descending, $0.title) }
      try await StoreOperation.run("show project") {
        for try await _ in store.pages(of: query, size: 2) {}
      }
    }
    #expect(sink.indexes.count == 1)
    let index = try #require(sink.indexes.first)
    #expect(index.operation?.name == "show project")
    #expect(index.table == "todoTask")
    #expect(index.declaration == #"@Record(indexes: [.on(\.projectID, .descending(\.dueAt), \.title, \.id)])"#)
    #expect(
      index.sql == """
        CREATE INDEX "todoTask_on_projectID_dueAt_desc_title_id" ON "todoTask" ("projectID", "dueAt" DESC, "title", "id")
        """)
    #expect(index.query.contains("WHERE (\"todoTask\".\"projectID\" = ?) ORDER BY \"todoTask\".\"dueAt\" DESC"))
    #expect(index.description.contains(index.declaration) && index.description.contains(index.sql))
    // Reading query plans isn't part of the operation.
    #expect(!sink.sql.contains { $0.contains("EXPLAIN") })
    // Another form is another event, as is the same form in another store.
    _ = try await store.pages(of: TodoTask.order { $0.title }, size: 2).first()
    #expect(sink.indexes.map(\.declaration).last == #"@Record(indexes: [.on(\.title, \.id)])"#)
    let other = try await Store.todo()
    other.add(sink, includingValues: true)
    _ = try await other.pages(of: TodoTask.order { $0.title }, size: 2).last()
    #expect(sink.indexes.count == 3)
  }

  @Test func missingIndexIsReportedOnlyIfAnIndexWouldHelp() async throws {
    let store = try await Store.todo()
    let sink = IndexSink()
    store.add(sink)
    _ = try await store.pages(of: TodoTask.query, size: 2).first()
    _ = try await store.pages(of: TodoTask.order { $0.project.name }, size: 2).first()
    _ = try await store.pages(of: Project.order { $0.tasks.count }, size: 2).first()
    #expect(sink.indexes.isEmpty)
  }

  @Test func missingIndexIsALineOfTheTrace() async throws {
    let folder = TemporaryFolder()
    let file = URL(filePath: folder.path("trace.jsonl"))
    let store = try await Store.todo()
    let sink = try JSONLinesSink(appendingTo: file)
    store.add(sink)
    _ = try await store.pages(of: TodoTask.order { $0.title }, size: 2).first()
    try sink.flush()
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 2)
    let line = try #require(lines.last)
    let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String])
    #expect(object["missingIndex"] == #"@Record(indexes: [.on(\.title, \.id)])"#)
    #expect(object["create"] == #"CREATE INDEX "todoTask_on_title_id" ON "todoTask" ("title", "id")"#)
    #expect(object["table"] == "todoTask")
    #expect(object["query"]?.contains("ORDER BY") == true)
  }

  @Test func explanationNamesTheMissingIndex() async throws {
    let store = try await Store.todo()
    func explanation<Root, Output>(_ query: Selection<Root, Output>) async throws -> PageExplanation {
      try await store.pages(of: query, size: 50).explain()
    }
    let missing = try await explanation(TodoTask.order { $0.title })
    #expect(!missing.isServed && !missing.first.isServed && missing.following.count == 2)
    #expect(missing.first.plan.contains { $0.hasPrefix("USE TEMP B-TREE") })
    #expect(
      missing.description == """
        Each page reads all rows of the query, since no index serves the order. \
        Declare @Record(indexes: [.on(\\.title, \\.id)]).
        """)
    let toOne = try await explanation(TodoTask.order { $0.project.name })
    #expect(toOne.missingIndex == nil && toOne.reason == "it is ordered by a value of an associated record")
    #expect(
      toOne.description.hasSuffix("no index can serve the order: it is ordered by a value of an associated record."))
    #expect(
      try await explanation(Project.order { $0.tasks.count }).reason?.contains("aggregate of associated rows") == true)
    let groups = TodoTask.group { $0.projectID }.order { $0.count() }.select { $0.count() }
    #expect(try await explanation(groups).reason?.contains("after all rows are aggregated") == true)
    let nulls = TodoTask.order { ($0.title, $0.dueAt.ascending.nullsLast) }
    #expect(try await explanation(nulls).reason?.contains("NULLs") == true)
    #expect(try await explanation(TodoTask.order { $0.dueAt ?? Date(at: 0) }).reason?.contains("expression") == true)
    #expect(
      try await explanation(Project.children.tree().order { $0.name }).reason?.contains("start from a table") == true)
    // Values that are read beside the rows don't change the index.
    let served = try await explanation(
      TodoTask.where { $0.projectID == UUID(1) && !$0.isCompleted }.select { ($0.id, $0.comments.count) })
    #expect(served.missingIndex == #"@Record(indexes: [.on(\.projectID, \.isCompleted, \.id)])"#)
    #expect(try await explanation(TodoTask.select { ($0.id, $0.comments.count) }).isServed)
  }

  @Test func declarations() throws {
    func declaration<Root, Output>(_ query: Selection<Root, Output>) throws -> String? {
      let form = try PageForm(query.statement)
      guard case .index(let index) = form.servingIndex else { return nil }
      return try index.declaration(in: form.table)
    }
    #expect(try declaration(Bird.order { $0.species }) == #"@Record(indexes: [.on(\.species)])"#)
    #expect(try declaration(Bird.order { $0.species.descending }) == #"@Record(indexes: [.on(\.species)])"#)
    #expect(
      try declaration(Bird.order { ($0.species, $0.sightings.descending) })
        == #"@Record(indexes: [.on(.descending(\.species), \.sightings)])"#)
    #expect(
      try declaration(Bird.where { $0.sightings == 1 && $0.ring > "a" }.order { ($0.sightings, $0.species) })
        == #"@Record(indexes: [.on(\.sightings, \.species)])"#)
    #expect(
      try declaration(BirdTag.order { $0.weight }) == #"@Record(indexes: [.on(\.weight, \.birdID, \.tag)])"#)
    #expect(
      try declaration(Bird.order { $0.species.collated(.nocase) })
        == #"static let indexes: [Index] = [.on(.ascending(\.species, collation: .nocase))]"#)
    #expect(
      try declaration(Bird.order { $0.species.lowercased().descending })
        == #"static let indexes: [Index] = [.on(.expression { /* lower("species") */ })]"#)
    #expect(
      try declaration(TodoTask.where { $0.dueAt == nil && $0.isCompleted }.order { $0.title })
        == #"@Record(indexes: [.on(\.dueAt, \.isCompleted, \.title, \.id)])"#)
  }

  /// The reported index serves the order in both directions and from every position.
  @Test func servesTheOrder() async throws {
    let seed = SeededGenerator.defaultSeed
    var served = 0
    for number in 0..<UInt64(80) {
      let comment = Testing.Comment(rawValue: "SANDERLING_SEED=\(seed), query \(number)")
      var generator = SeededGenerator(seed: seed &+ number)
      let store = try Store(inMemory: [Binder.self, Sheet.self, Mark.self])
      if Bool.random(using: &generator) {
        let orderings = Sheet.randomOrderings(using: &generator)
        var query = Sheet.query.order(orderings)
        if Bool.random(using: &generator) { query = query.where { $0.isOpen && $0.binderID == 1 } }
        if try await expectServed(query, store, comment) { served += 1 }
      } else {
        let keys =
          [Mark.fields.color, Mark.fields.color.collated(.binary)].map(\.ascending) + [Mark.fields.strength.ascending]
        let orderings = keys.shuffled(using: &generator).prefix(2).map {
          Bool.random(using: &generator) ? $0 : $0.reversed
        }
        if try await expectServed(Mark.query.order(orderings), store, comment) { served += 1 }
      }
    }
    #expect(served > 0, "SANDERLING_SEED=\(seed)")
  }

  /// Creates the index that the query lacks, and expects that it serves the query. Returns false if it lacks none.
  private func expectServed<Root, Output>(
    _ query: Selection<Root, Output>, _ store: Store, _ comment: Testing.Comment
  ) async throws -> Bool {
    let form = try PageForm(query.statement)
    let before = try await store.pages(of: query, size: 5).explain()
    guard case .index(let index) = form.servingIndex, !before.isServed else { return false }
    let sql = try DeclaredIndex(index, table: form.table).sql
    try await store.writer.write { try $0.execute(sql: sql) }
    for direction in [PageForm.Direction.forward, .backward] {
      for hasEdge in [false, true] {
        let statements = try await store.writer.read { try form.explained(direction, hasEdge: hasEdge, count: 6, $0) }
        for statement in statements {
          let plan = try await store.plan(statement)
          // Where three columns are compared by equality, SQLite expects at most one row, and may sort it whichever
          // index it uses.
          let isOfFewRows = statement.sql.matches(of: /= \?|\bIS NULL/).count >= 3
          #expect(
            isOfFewRows || !plan.contains { $0.hasPrefix("USE TEMP") }, "\(comment.rawValue): \(statement.sql), \(sql)")
          #expect(!hasEdge || plan.first?.hasPrefix("SEARCH") == true, "\(comment.rawValue): \(statement.sql), \(sql)")
        }
      }
    }
    return true
  }
}
