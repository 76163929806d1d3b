import Foundation
import Sanderling
import Testing

/// Names of other libraries: the compiler names the counterpart here.
@Suite(.enabled(if: TypeChecker.shared != nil))
struct FamiliarNameTests {
  private static let names: [(line: String, message: String)] = [
    ("_ = try await store.fetchAll(TodoTask.all)", "'fetchAll' has been renamed to 'fetch(_:)'"),
    ("_ = try await store.fetchOne(TodoTask.all)", "'fetchOne' has been renamed to 'fetchFirst(_:)'"),
    ("_ = try await store.fetchCount(TodoTask.all)", "'fetchCount' has been renamed to 'count(_:)'"),
    ("_ = try await store.find(TodoTask.self, UUID())", "'find' has been renamed to 'fetch(_:key:)'"),
    (
      "_ = TodoTask.all.count()",
      "'count()' is unavailable: a query has no store: write 'try await store.count(query)'"
    ),
    (
      "_ = TodoTask.fetchAll()",
      "'fetchAll()' is unavailable: a record has no store: write 'try await store.fetch(Record.query)'"
    ),
    ("_ = TodoTask.all.order(by: { $0.title })", "'order(by:)' has been renamed to 'order(_:)'"),
    ("_ = TodoTask.order(by: { $0.title })", "'order(by:)' has been renamed to 'order(_:)'"),
    ("_ = TodoTask.order { $0.title.desc }", "'desc' has been renamed to 'descending'"),
    ("_ = TodoTask.select { $0.effort.avg() }", "'avg()' has been renamed to 'average()'"),
    ("_ = TodoTask.where { $0.comments.isNotEmpty }", "'isNotEmpty' has been renamed to 'exists'"),
    ("_ = TodoTask.where { $0.title.isNotEmpty }", "'isNotEmpty' is unavailable: write '!field.isEmpty'"),
    (
      "_ = TodoTask.where { $0.title.like(\"a%\") }",
      "'like' is unavailable: write 'hasPrefix' or 'contains', or 'matches' with an index; LIKE ignores the case of ASCII "
        + "letters only"
    ),
    (
      "try await store.write(\"a\") { tx in try tx.save(task) }",
      "'save' is unavailable: write 'upsert' to insert or update, or 'update' if the row exists"
    ),
    (
      "try await store.write(\"b\") { tx in _ = try tx.update(TodoTask.all) { $0.title = \"x\" } }",
      "'update' is unavailable: name the columns: 'tx.update(query, .set(\\.cents) { $0.cents + 1 })'. One UPDATE changes "
        + "all rows"
    ),
  ]

  @Test func theCompilerNamesTheCounterpart() async throws {
    let lines = Self.names.map { "  " + $0.line }.joined(separator: "\n")
    let source = """
      import Foundation
      import Sanderling
      func use(_ store: Store, _ task: TodoTask) async throws {
      \(lines)
      }
      """
    let found = try await #require(TypeChecker.shared).diagnostics(
      ["Records.swift": snippetRecords, "Names.swift": source])
    for (index, name) in Self.names.enumerated() {
      let messages = found.filter { $0.line == index + 4 }.map(\.message)
      #expect(messages == [name.message], "\(name.line)")
    }
  }

  @Test func acceptedNames() async throws {
    let store = try Store(inMemory: todoSchema)
    let unnamed = Project(id: UUID(1), name: "", parentID: nil)
    try await store.write("insert") { tx in
      try tx.insert(contentsOf: [unnamed, Project(id: UUID(2), name: "a", parentID: nil)])
    }
    #expect(try await store.count(Project.all) == 2)
    #expect(try await store.fetch(Project.find(UUID(1))) == [unnamed])
    #expect(try await store.fetch(Project.find(UUID(3))) == [])
    #expect(try await store.fetch(Project.where { $0.name.isEmpty }) == [unnamed])
    #expect(try await store.count(Project.where { !$0.name.isEmpty }) == 1)
  }
}
