import Foundation
import Testing

@testable import Sanderling

/// Cursors that an earlier version stored are still valid. That version fixed the order of equal rows for pages only;
/// now all reads have this order.
@Suite struct StoredCursorTests {
  @Record
  struct Step: Hashable {
    var id: Int
    var rank: Int?
    var name: String
    var parentID: Int?
    static let steps = hasMany(Step.self, by: \.parentID)
  }

  @Record
  struct Leaf: Hashable {
    var id: UUID
    var rank: Int?
  }

  private func store() async throws -> Store {
    let store = try Store(inMemory: [Step.self, Leaf.self])
    try await store.write { tx in
      for id in 1...6 {
        try tx.insert(Step(id: id, rank: id / 3, name: "n\(id % 2)", parentID: id < 3 ? nil : id % 2 + 1))
      }
      for id in 1...6 as ClosedRange<UInt64> { try tx.insert(Leaf(id: UUID(id), rank: Int(id / 3))) }
    }
    return store
  }

  /// The earlier version wrote these texts, each for the second row of a query.
  @Test func cursorsOfAnEarlierVersionAreRead() async throws {
    let store = try await store()
    try await check(Step.query, "AQAjcK-q0hFEiwEEQ0UZwQ", store)
    try await check(Step.order { $0.rank.descending }, "AQB56iJIG6sdnQECAQpcmXqu", store)
    try await check(Step.order { ($0.rank.descending, $0.name) }, "AQCd5nDoFeZfGgECAwJuMAEI3ByWbg", store)
    try await check(Step.order { ($0.rank.descending, $0.rank, $0.id, $0.name) }, "AQC6HzK-h_KrsgECAQYmakD7", store)
    try await check(
      Step.order { $0.name.descending.nullsLast }.select { $0.name }, "AQBoausMTxx3uwMCbjEBBjQWOKk", store)
    try await check(Leaf.order { $0.rank.descending }, "AQCd-3O8aykxDAECBBAAAAAAAAAAAAAAAAAAAAAFBHyEbg", store)
    try await check(
      Step.group { ($0.rank, $0.name) }.select { $0.count() }.order { $0.count().descending },
      "AQAo0rX42PW5TgECAQQDAm4wzu6OBw", store)
    try await check(
      Step.select { ($0.rank, $0.name) }.distinct().order { $0.name.descending }, "AQCvov09-fMHugMCbjEBAKOVOcY", store)
    try await check(Step.steps.tree().order { $0.rank.descending }, "AQD8WtKxbnKaqQECAQoz5XOu", store)
  }

  private func check<Root, Output>(
    _ query: Selection<Root, Output>, _ cursor: String, _ store: Store,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let pages = store.pages(of: query, size: 2)
    let first = try await pages.first()
    #expect(first.next?.string == cursor, sourceLocation: sourceLocation)
    let (behind, before) = try await (
      pages.page(after: PageCursor(cursor)), pages.page(before: PageCursor(cursor))
    )
    let all = try await store.pages(of: query, size: 100).first().rows.map { "\($0)" }
    #expect(behind.rows.map { "\($0)" } == Array(all[2..<min(4, all.count)]), sourceLocation: sourceLocation)
    #expect(before.rows.map { "\($0)" } == [all[0]], sourceLocation: sourceLocation)
  }
}
