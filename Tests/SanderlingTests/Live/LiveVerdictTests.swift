import Foundation
import GRDB
import Testing

@testable import Sanderling

/// The query constructs that are maintained are those that the documentation's table names.
@Suite struct LiveVerdictTests {
  private struct Construct {
    let name: String
    let isMaintained: Bool
    let explain: @Sendable (Store) async throws -> LiveExplanation
  }

  private static func maintained<Root, Output>(_ name: String, _ query: Selection<Root, Output>) -> Construct {
    Construct(name: name, isMaintained: true) { try await query.explainLive($0) }
  }

  private static func runAgain<Root, Output>(_ name: String, _ query: Selection<Root, Output>) -> Construct {
    Construct(name: name, isMaintained: false) { try await query.explainLive($0) }
  }

  private static let predicates = [
    maintained(
      "`==`, `!=` with a value, a field, nil",
      Item.where { $0.size == 1 && $0.size != $0.id && $0.note == nil && $0.rank != nil }),
    maintained("`isDistinct(from:)`", Item.where { $0.note.isDistinct(from: "a") }),
    maintained(
      "`<`, `<=`, `>`, `>=`", Item.where { $0.size < 1 && $0.size <= $0.id && $0.weight > 0.5 && $0.name >= "b" }),
    maintained("`in` values, ranges", Item.where { $0.size.in([1, 2]) && $0.id.in(1...9) && $0.weight.in(0..<1.0) }),
    maintained(
      "`&&`, `||`, `!`, conditions combined at run time",
      Item.where { !($0.size == 1 || $0.size == 2) && Field.any([$0.id == 1]) }),
    maintained("`hasPrefix`, `contains`", Item.where { $0.name.hasPrefix("a") && $0.name.contains("b") }),
    maintained(
      "`lowercased`, `uppercased`, `appending`, `length`",
      Item.where { $0.name.lowercased().appending($0.name.uppercased()).length > 2 }),
    maintained("`collated`", Item.where { $0.name.collated(.binary) == "a" }),
    maintained(
      "`+ - * / %`, `-`, `magnitude`, `rounded`, `??`",
      Item.where {
        ($0.rank ?? 0) + $0.size * 2 - 1 > ($0.size / 2 ?? 0) && ($0.size % 3 ?? 0) == 0 && (-$0.size).magnitude > 1
          && $0.weight.rounded(toPlaces: 1) > 0
      }),
  ]

  private static let shapes = [
    maintained(
      "`order`: several keys, descending, NULLs first or last",
      Item.order { ($0.note.descending.nullsLast, $0.rank.ascending.nullsLast, $0.size) }),
    maintained("`order` by expressions", Item.order { $0.size * 2 }),
    maintained("`limit`, and `offset` up to 10,000", Item.order { $0.size }.limit(10, offset: 10_000)),
    runAgain("`offset` beyond 10,000", Item.order { $0.size }.limit(10, offset: 10_001)),
    maintained("`select` of fields, projections", Item.select { ($0.name, $0.size + 1) }),
    maintained("`select` of whole records, nested projections", Comment.select { ($0, $0.task, $0.text) }),
    maintained("Projections", ProjectSummary.order { $0.openTasks.descending }),
    runAgain("`distinct`", Item.select { $0.name }.distinct()),
  ]

  private static let associations = [
    maintained(
      "To-one traversal, in conditions, orderings and selected values",
      TodoTask.where { $0.project.name == "a" }.order { $0.project.name }.select { ($0.title, $0.project.name) }),
    maintained(
      "To-one traversal over several associations, optional ones",
      Comment.where { $0.task.project.parent.name == "a" && $0.task.exists }),
    maintained(
      "`count`, `isEmpty`, `contains`, `allSatisfy`",
      Project.select {
        ($0.tasks.count, $0.tasks.isEmpty, $0.tasks.contains { $0.isCompleted }, $0.tasks.allSatisfy { $0.isCompleted })
      }),
    maintained("`filter`", Project.select { $0.tasks.filter { !$0.isCompleted }.count }),
    maintained(
      "`sum`, `average`, `min`, `max`, `countDistinct`",
      Project.select {
        (
          $0.tasks.sum { $0.title.length }, $0.tasks.average { $0.title.length }, $0.tasks.min(\.dueAt),
          $0.tasks.max(\.dueAt), $0.tasks.countDistinct { $0.title }
        )
      }),
    maintained("`exists`, `joined`", Project.where { $0.comments.exists }.select { $0.tasks.joined(\.title) }),
    maintained("Aggregates in conditions", Project.where { $0.tasks.count > 1 && $0.comments.isEmpty }),
    maintained("Aggregates in orderings", Project.order { $0.tasks.count.descending }),
    maintained("Aggregates over to-one traversal", TodoTask.select { $0.project.tasks.count }),
    maintained("Aggregates in aggregates", Project.where { $0.tasks.contains { $0.comments.count > 1 } }),
    maintained("To-one traversal in aggregates", Project.select { $0.comments.filter { $0.task.title == "a" }.count }),
    maintained("Fields of outer rows in aggregates", Project.where { p in p.tasks.contains { $0.title == p.name } }),
    maintained(
      "Associations through other associations", Project.where { $0.taskComments.contains { $0.text == "a" } }),
    maintained(
      "Recursive associations",
      Project.select { [children = Project.children.recursive()] _ in Self.descendants(children) }),
  ]

  private static func descendants(_ children: HasMany<Project, Project>) -> Field<Int> {
    Project.fields._scope.toMany(children).count
  }

  private static let groups = [
    maintained(
      "`group(by:)` columns of texts, integers, blobs: `count`, `sum`, `average`, `min`, `max`, `countDistinct`",
      Item.group(by: { $0.rank }).select {
        (
          $0.rank, $0.count(), $0.size.sum(), $0.size.average(), $0.weight.min(), $0.weight.max(),
          $0.note.countDistinct()
        )
      }),
    maintained(
      "`having`, orderings of groups",
      Item.group(by: { $0.size }).select { $0.size }.having { $0.count() > 1 }.order { $0.count().descending }),
    maintained(
      "`group(by:)` columns of to-one traversal",
      TodoTask.group(by: { $0.project.name }).select { ($0.project.name, $0.count()) }),
    runAgain(
      "`group(by:)` reals, texts that are not BINARY, expressions",
      Item.group(by: { $0.name }).select { ($0.name, $0.count()) }),
    runAgain(
      "`group(by:)` with columns that are not grouped by", Item.group(by: { $0.size }).select { ($0.name, $0.count()) }),
    runAgain(
      "`group(by:)` with aggregates of associations", TodoTask.group(by: { $0.projectID }).select { $0.comments.count }),
    maintained(
      "`count(where:)`, `sum(where:)`", Item.select { ($0.count(where: $0.size > 1), $0.size.sum(where: $0.id > 2)) }),
    maintained("Aggregates of all rows: `liveValue`", Item.select { ($0.count(), $0.size.sum(), $0.weight.max()) }),
  ]

  private static let others = [
    runAgain(
      "`in` another query", TodoTask.where { $0.projectID.in(Project.where { $0.name == "a" }.select { $0.id }) }),
    runAgain("`Field.raw`", Item.where { _ in .raw("random() > 0") }),
    runAgain("`Record.raw`", Item.raw("SELECT * FROM item")),
    Construct(name: "`RawQuery`, full-text search in it", isMaintained: false) {
      try await RawQuery("SELECT name FROM item", as: String.self).explainLive($0)
    },
    Construct(name: "Requests of GRDB, closures", isMaintained: false) {
      try await SQLRequest<String>("SELECT name FROM item").explainLive($0)
    },
    runAgain("`tree`, `ancestors`", Project.children.tree().orderSiblings { $0.name }),
    Construct(name: "`with(…prefetch())` of recursive associations", isMaintained: true) {
      try await Project.query.with(Project.subtree.prefetch()).explainLive($0)
    },
    Construct(name: "Counts: `liveCount`", isMaintained: true) { store in
      try await Item.where { $0.size > 1 }.limit(10).explainLiveCount(store)
    },
    Construct(name: "Counts with aggregates in conditions", isMaintained: true) { store in
      try await Project.where { $0.tasks.count > 1 }.explainLiveCount(store)
    },
    Construct(name: "Counts of groups, of distinct values", isMaintained: false) { store in
      try await Item.select { $0.name }.distinct().explainLiveCount(store)
    },
  ]

  @Test func theTableOfTheDocumentationIsRight() async throws {
    let store = try Store(inMemory: todoSchema + [Item.self])
    let constructs = Self.predicates + Self.shapes + Self.associations + Self.groups + Self.others
    for construct in constructs {
      let explanation = try await construct.explain(store)
      #expect(
        explanation.isMaintained == construct.isMaintained, "\(construct.name): \(explanation)")
    }
    let page = URL(filePath: #filePath).appending(
      path: "../../../../Sources/Sanderling/Documentation.docc/LiveQueries.md")
    let rows = try String(contentsOf: page.standardized, encoding: .utf8).split(separator: "\n").filter {
      $0.hasPrefix("| ") && ($0.hasSuffix("| maintained |") || $0.hasSuffix("| rerun |"))
    }
    let expected = constructs.map { "| \($0.name) | \($0.isMaintained ? "maintained" : "rerun") |" }
    #expect(rows.map(String.init) == expected)
  }
}
