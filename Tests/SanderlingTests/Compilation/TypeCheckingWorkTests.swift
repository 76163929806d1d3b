import Foundation
import Testing

/// Queries as apps write them need little work of the type checker. Each takes less than a tenth of a second on an idle
/// machine.
@Suite(.enabled(if: TypeChecker.shared != nil))
struct TypeCheckingWorkTests {
  static let queries = #"""
    TodoTask.where { $0.projectID == id && !$0.isCompleted }.order { ($0.dueAt.ascending, $0.id) }.limit(50)
    Project.select { ($0.name, $0.tasks.count, $0.tasks.max(\.dueAt)) }
    Project.where { $0.tasks.filter { !$0.isCompleted }.count > 100 && $0.name.contains("café") }
    TodoTask.where(.all([day, search].compactMap { $0 }))
    ProjectSummary.where { $0.openTasks > 0 && $0.name.hasPrefix("A") }.order { ($0.openTasks.descending, $0.name) }.limit(9)
    TodoTask.where { !$0.isCompleted && $0.priority == .high && $0.dueAt != nil && $0.dueAt < day1 && $0.projectID.in(ids) && $0.title.hasPrefix("a") }
    TodoTask.where { $0.project.name == "Home" && ($0.dueAt == nil || $0.dueAt.in(day1..<day2)) }.order { ($0.project.name, $0.dueAt.ascending.nullsLast, $0.title) }
    Project.where { p in p.tasks.contains { $0.dueAt < day1 && !$0.isCompleted } || p.children.contains { $0.name == p.name } }
    TodoTask.where { ($0.estimate ?? 0) * 2 + 10 > 30 && $0.effort / 2 < 1.5 }
    TodoTask.group(by: { $0.projectID }).having { $0.count() > 10 }.select { ($0.projectID, $0.count(), $0.estimate.sum(), $0.effort.average()) }
    TodoTask.select { ($0.count(), $0.dueAt.min(), $0.dueAt.max()) }
    Project.where { $0.id.in(TodoTask.where { !$0.isCompleted && $0.dueAt < day1 }.select { $0.projectID }) }
    Project.where { $0.tasks.count > $0.comments.count && $0.tasks.allSatisfy { $0.isCompleted } && !$0.children.isEmpty }
    Project.order { ($0.tasks.filter { !$0.isCompleted }.count.descending, $0.name) }.select { ($0.name, $0.tasks.sum(\.estimate), $0.tasks.average(\.effort), $0.comments.countDistinct(\.taskID)) }
    TodoTask.where { .any([$0.title == text, $0.title.hasPrefix(text), $0.title.contains(text)]) && !$0.isCompleted }
    Project.order { $0.name }.limit(20).with(Project.tasks.prefetch { $0.order { $0.dueAt }.limit(3) }, Project.parent.prefetch())
    TodoTask.where { $0.comments.filter { $0.text.hasPrefix("!") }.count == 0 && $0.project.tasks.count > 5 && $0.estimate.in(1...8) }
    TodoTask.where { .raw("\($0.title) GLOB \(text)") && $0.isCompleted == false }.select { $0.title }.distinct()
    TodoTask.where { $0.priority.in(priorities) && ($0.estimate > 3 || $0.effort >= 2.5 || $0.dueAt == nil) && $0.id != id }
    """#.split(separator: "\n")

  /// Tuples of several computed columns take the most work: the type checker tries all combinations of the operators'
  /// overloads.
  static let queriesWithComputedColumns = #"""
    TodoTask.select { ($0.estimate ?? 1, $0.effort * 2 + 0.5, $0.title.lowercased(), $0.project.parent.name) }
    TodoTask.select { ($0.effort + 1, $0.effort - 2, 10 - $0.effort, $0.effort * 3, -$0.effort) }
    """#.split(separator: "\n")

  /// Returns the errors and warnings for all queries. An expression that takes more work than its limit is an error.
  func diagnostics(
    _ furtherFiles: [String: String] = [:], flags: [String] = []
  ) async throws -> [TypeChecker.Diagnostic] {
    try await diagnostics(Self.queries, limit: .correct, furtherFiles, flags)
      + diagnostics(Self.queriesWithComputedColumns, limit: .computed, furtherFiles, flags)
  }

  private func diagnostics(
    _ queries: [Substring], limit: SolverLimit, _ furtherFiles: [String: String], _ flags: [String]
  ) async throws -> [TypeChecker.Diagnostic] {
    let checker = try #require(TypeChecker.shared)
    let lines = queries.map { "  _ = try await store.fetch(\($0))" }.joined(separator: "\n")
    let source = """
      import Foundation; import Sanderling
      func run(
        _ store: Store, id: UUID, ids: [UUID], text: String, day1: Date, day2: Date, day: Condition<TodoTask>?,
        search: Condition<TodoTask>?, priorities: [TodoTask.Priority]
      ) async throws {
      \(lines)
        try await store.write("update") { tx in
          try tx.update(TodoTask.where { $0.projectID == id }, .set(\\.isCompleted, to: true), .set(\\.effort) { $0.effort + 1 })
        }
      }
      """
    let files = ["Records.swift": snippetRecords, "Queries.swift": source].merging(furtherFiles) { $1 }
    return try await checker.diagnostics(files, flags: limit.flags + flags)
  }

  @Test func queriesOfAnApp() async throws {
    let found = try await diagnostics()
    #expect(found == [])
  }

  /// Records may also conform to GRDB's `PersistableRecord`, which has static methods of the same names.
  @Test func recordsMayConformToPersistableRecord() async throws {
    let conformances = """
      import GRDB
      extension Project: PersistableRecord {}
      extension TodoTask: PersistableRecord {}
      """
    let found = try await diagnostics(["Conformances.swift": conformances])
    #expect(found == [])
  }

  /// Queries compile for a client that sees only members of its own imports, and doesn't import GRDB.
  @Test func memberImportVisibility() async throws {
    let found = try await diagnostics(flags: ["-enable-upcoming-feature", "MemberImportVisibility"])
    #expect(found == [])
  }
}
