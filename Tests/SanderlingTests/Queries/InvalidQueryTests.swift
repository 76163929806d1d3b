import Foundation
import Sanderling
import Testing

/// A query that is invalid in SQL throws an error with the reason before SQLite compiles it.
@Suite struct InvalidQueryTests {
  let store: Store

  init() async throws {
    store = try Store(inMemory: [Project.self, TodoTask.self, Comment.self, Item.self])
  }

  func expectInvalid<Root, Output>(
    _ query: Selection<Root, Output>, _ reason: String, sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    await #expect(throws: StoreError.invalidQuery(reason), sourceLocation: sourceLocation) {
      try await store.fetch(query)
    }
  }

  @Test func valuesThatCannotBeStored() async {
    let message = "NaN can't be stored: SQLite would store NULL"
    await expectInvalid(Item.where { $0.weight > .nan }, message)
    await expectInvalid(Item.where { $0.weight.in([1, .nan]) }, message)
    await expectInvalid(Item.where { .raw("\($0.weight) > \(Double.nan)") }, message)
    await expectInvalid(TodoTask.where { $0.dueAt == Date(at: .nan) }, message)
  }

  @Test func havingWithoutGroups() async {
    await expectInvalid(
      Item.query.having { $0.count() > 1 },
      "having { } needs a group(by:): there are no groups to choose from")
  }

  @Test func aggregatesOfRowsAmongConditions() async {
    await expectInvalid(
      Item.where { $0.size > 1 && $0.count() > 1 },
      "an aggregate over the query's own rows stands in where { }: use having { } after group(by:)")
  }

  /// An aggregate of the query's rows beside a field is an error: SQLite would return the field of an arbitrary row.
  @Test func aggregatesOfRowsBesideFields() async throws {
    let message =
      "an aggregate over the query's own rows stands beside a field of single rows: use group(by:), or "
      + "order and limit(1) for the values of one row"
    await expectInvalid(Item.select { ($0.name, $0.count()) }, message)
    await expectInvalid(Item.select { $0.size.sum() + $0.size }, message)
    await expectInvalid(Project.select { ($0.count(), $0.tasks.count) }, message)
    #expect(try await store.fetch(Item.select { ($0.count(), $0.size.max()) }).count == 1)
    #expect(try await store.fetch(Item.group { $0.name }.select { ($0.name, $0.count()) }).isEmpty)
  }

  @Test func aggregatesOfRowsInOtherPlaces() async {
    await expectInvalid(
      Item.order { $0.count() },
      "an aggregate over the query's own rows orders rows that are not grouped: use group(by:)")
    await expectInvalid(
      Item.group(by: { $0.count() }).select { $0.count() },
      "an aggregate over the query's own rows can't be a grouping value: group by values of single rows")
    await expectInvalid(
      Project.where { $0.tasks.contains { $0.title.count() > 1 } },
      "an aggregate over the query's own rows stands in the closure of an association: use the association's own count, sum, min, max or average"
    )
  }

  @Test func fieldsOutsideOfTheirQuery() async throws {
    var stolen: Field<String>?
    _ = Project.where {
      $0.tasks.contains { task in
        stolen = task.title; return !task.isCompleted
      }
    }
    let title = try #require(stolen)
    await expectInvalid(
      Project.where { $0.name == title },
      "column \"title\" of TodoTask is used outside of its query: use a field only inside the closure that receives it")
  }

  /// A query inside another query's closure is independent: a field of the outer row would silently mean another row.
  @Test func outerFieldsInAQueryOfAnotherTable() async {
    await expectInvalid(
      Project.where { project in
        project.id.in(TodoTask.where { $0.title == project.name }.select { $0.projectID })
      },
      "column \"name\" of Project is used in a query of TodoTask: a query inside another query can't read the rows of that query, "
        + "use an association"
    )
  }
}
