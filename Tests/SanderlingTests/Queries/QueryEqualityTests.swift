import Foundation
import Sanderling
import Testing

/// Queries are values: they are equal when they would run the same SQL with the same arguments.
@Suite struct QueryEqualityTests {
  static func task(after date: Date, in projects: [UUID]) -> Selection<TodoTask, TodoTask> {
    TodoTask.where { $0.dueAt > date && $0.projectID.in(projects) && $0.project.parent.tasks.count > 1 }
      .order { ($0.dueAt.descending.nullsLast, $0.id) }.limit(5, offset: 2)
  }

  @Test func equal() {
    let first = Self.task(after: Date(at: 1), in: [UUID(1), UUID(2), UUID(1)])
    let second = Self.task(after: Date(at: 1), in: [UUID(2), UUID(1)])
    #expect(first == second)
    #expect(first.hashValue == second.hashValue)
    #expect(Set([first, second]).count == 1)
  }

  @Test func different() {
    let query = Self.task(after: Date(at: 1), in: [UUID(1)])
    let others = [
      Self.task(after: Date(at: 2), in: [UUID(1)]), Self.task(after: Date(at: 1), in: [UUID(2)]),
      query.limit(6, offset: 2),
      query.limit(5), query.reversed(), query.distinct(), query.filter { !$0.isCompleted }, query.order { $0.id },
      query.order { ($0.dueAt.descending, $0.id) }, query.group(by: { $0.id }), TodoTask.query,
      TodoTask.raw("SELECT * FROM todoTask"),
    ]
    #expect(Set(others + [query]).count == others.count + 1)
  }

  /// Texts in queries are compared as SQL compares them: canonically equivalent texts are different queries.
  @Test func texts() {
    #expect(Project.where { $0.name == "é" } != Project.where { $0.name == "e\u{301}" })
    #expect(Project.where { $0.name.contains("é") } != Project.where { $0.name.contains("e\u{301}") })
    #expect(Project.where { $0.name.hasPrefix("é") } != Project.where { $0.name.hasPrefix("e\u{301}") })
    #expect(Project.raw("SELECT 'é'") != Project.raw("SELECT 'e\u{301}'"))
  }

  @Test func realsDifferByTheirBits() {
    #expect(Item.where { $0.weight == 0.0 } != Item.where { $0.weight == -0.0 })
    #expect(Item.where { $0.weight == 1 } == Item.where { $0.weight == 1.0 })
  }

  @Test func associations() {
    #expect(Project.tasks == Project.tasks)
    #expect(Project.tasks.filter { $0.isCompleted } != Project.tasks)
    #expect(Project.children.recursive() != Project.children)
    #expect(Project.children.recursive() != Project.children.recursive(includingSelf: true))
    #expect(Project.fields.tasks.count == Project.fields.tasks.count as Field<Int>)
    #expect(Set([Project.fields.tasks.count, Project.fields.comments.count, Project.fields.tasks.count]).count == 2)
  }

  @Test func conditions() {
    let open = Condition<TodoTask> { !$0.isCompleted }
    #expect(open == Condition { !$0.isCompleted })
    #expect(open != Condition { $0.isCompleted })
    #expect(TodoTask.where(open) == TodoTask.where { !$0.isCompleted })
    #expect(TodoTask.where(.all([])) == TodoTask.query)
  }

  /// A query that is built inside another query's closure doesn't depend on that query.
  @Test func independentOfWhereTheyAreBuilt() {
    var inner: Selection<TodoTask, TodoTask>?
    _ = Project.where { project in
      project.tasks.contains {
        inner = TodoTask.where { $0.comments.contains { $0.text == "x" } }
        return !$0.isCompleted
      }
    }
    #expect(inner == TodoTask.where { $0.comments.contains { $0.text == "x" } })
  }
}
