import Foundation
import Testing

@testable import Sanderling

/// Projections with fields that each query gives.
@Suite struct GivenFieldTests {
  @Projection(of: Project.self)
  struct DueTasks: Hashable {
    var id: UUID
    var name: String
    var due: Int
    var share: Int
    static let due = given(Int.self)
    static let share = aggregate { $0.tasks.count - due }
  }

  private static func query(before date: Date) -> Selection<DueTasks, DueTasks> {
    DueTasks.given(\.due) { $0.tasks.filter { $0.dueAt < date }.count }
  }

  private let store: Store

  init() async throws {
    store = try await Store.todo()
  }

  @Test func theGivenFieldIsAFieldOfTheQuery() async throws {
    let tasks = try await store.fetch(TodoTask.query)
    for limit in [5.0, 20, 25, 1000] {
      let query = Self.query(before: Date(at: limit)).where { $0.due > 0 }.order { ($0.due.descending, $0.name) }
      let rows = try await store.fetch(query)
      let expected = Dictionary(grouping: tasks, by: \.projectID).mapValues { tasks in
        (due: tasks.count { $0.dueAt.map { $0 < Date(at: limit) } ?? false }, all: tasks.count)
      }.filter { $0.value.due > 0 }
      #expect(rows.count == expected.count)
      for row in rows {
        #expect(row.due == expected[row.id]?.due)
        #expect(row.share == expected[row.id].map { $0.all - $0.due })
      }
      #expect(rows.map(\.due) == rows.map(\.due).sorted(by: >))
      #expect(try await store.count(query) == rows.count)
    }
  }

  /// The place of `given` among the other parts of the query does not matter.
  @Test func theOrderOfTheCallsDoesNotMatter() {
    let first = Self.query(before: Date(at: 20)).where { $0.due > 0 }.order { $0.due }.limit(3)
    let last = DueTasks.where { $0.due > 0 }.order { $0.due }.limit(3).given(\.due) {
      $0.tasks.filter { $0.dueAt < Date(at: 20) }.count
    }
    #expect(first == last)
    #expect(first != Self.query(before: Date(at: 21)).where { $0.due > 0 }.order { $0.due }.limit(3))
    let ofARecord = Project.where { $0.name > "c" }.select(DueTasks.self).given(\.due) { $0.tasks.count }
    #expect(ofARecord.statement == DueTasks.where { $0.name > "c" }.given(\.due) { $0.tasks.count }.statement)
  }

  @Test func aQueryWithoutTheFieldIsRefused() async throws {
    for query in [DueTasks.query, DueTasks.order { $0.due }] {
      let error = await #expect(throws: StoreError.self) { try await store.fetch(query) }
      #expect(error?.description.contains("property of DueTasks declared at") == true)
      #expect(error?.description.contains(#".given(\.property) { … }"#) == true)
    }
    let other = DueTasks.query.given(\.name) { $0.name }.given(\.due) { $0.tasks.count }
    let error = await #expect(throws: StoreError.self) { try await store.fetch(other) }
    #expect(error?.description.contains("declares with 'given'") == true)
  }

  enum Halves: ColumnCoding {
    static let columnType = ColumnType.integer
    static func encode(_ value: Int) -> StorageValue { .integer(Int64(value * 2)) }
    static func decode(_ stored: StorageValue) throws -> Int {
      guard case .integer(let number) = stored else { throw ValueError("no integer") }
      return Int(number / 2)
    }
  }

  @Projection(of: Project.self)
  struct Halved: Hashable {
    var id: UUID
    var half: Int
    static let half = given(as: Halves.self)
  }

  /// A field with another stored form than the declared form would be read wrongly.
  @Test func aFieldInAnotherFormIsRefused() async throws {
    let query = Halved.given(\.half) { $0.tasks.count }
    let error = await #expect(throws: StoreError.self) { try await store.fetch(query) }
    #expect(error?.description.contains("coding") == true)
  }

  @Test @MainActor func liveListsFollowTheGivenField() async throws {
    let query = Self.query(before: Date(at: 22)).order { ($0.due.descending, $0.name) }
    #expect(try await query.explainLive(store).isMaintained)
    let list = store.liveList(query)
    let sections = store.liveSections(query.sectioned { $0.due })
    _ = (list.rows, sections.sections)
    var random = SeededGenerator(seed: 17)
    for step in 0..<40 {
      let id = UUID(UInt64(100 + Int.random(in: 0..<9, using: &random)))
      let task = TodoTask(
        id: id, projectID: UUID(UInt64.random(in: 1...5, using: &random)), title: "t",
        dueAt: step % 4 == 0 ? nil : Date(at: Double.random(in: 0..<40, using: &random)))
      try await store.write { tx in
        if step % 5 == 4 { try tx.delete(TodoTask.where { $0.id == id }) } else { try tx.upsert(task) }
      }
      await store.settled()
      let fresh = try await store.fetch(query)
      #expect(list.elements == fresh)
      #expect(sections.sections.map(\.key) == Set(fresh.map(\.due)).sorted())
    }
  }
}

/// A query of groups is ordered and restricted by the fields of its projection.
@Suite struct GroupProjectionTests {
  @Test func groupsAreOrderedByTheirProjection() async throws {
    let store = try await Store.todo()
    let query = TodoTask.group { $0.projectID }.select(ProjectLoad.self)
      .having { $0.tasks > 1 }.order { ($0.open.descending, $0.projectID) }
    let loads = try await store.fetch(query)
    #expect(loads.count > 1)
    #expect(loads.map(\.open) == loads.map(\.open).sorted(by: >))
    #expect(loads.allSatisfy { $0.tasks > 1 })
    let same = ProjectLoad.group { $0.projectID }.having { $0.tasks > 1 }
      .order { ($0.open.descending, $0.projectID) }
    #expect(query.statement == same.statement)
    let restricted = Project.select(ProjectSummary.self).where { $0.openTasks > 0 }.order { $0.openTasks }
    #expect(restricted.statement == ProjectSummary.where { $0.openTasks > 0 }.order { $0.openTasks }.statement)
  }
}
