import Foundation
import GRDB
import Testing

@testable import Sanderling

/// Groups whose rows have equal numbers of both forms: SQLite puts 3 and 3.0 into one group.
@MainActor
@Suite struct LiveGroupOfRealsTests {
  @Record
  struct Item {
    var id: Int
    var number: Int
  }

  private let folder = TemporaryFolder()

  /// The column without a type keeps each number as it is written. A column of integers keeps only one real number that
  /// equals an integer: the least integer.
  @Test(arguments: ["", "INTEGER"], [1, 100]) func groupsEqualAFreshSelect(_ type: String, window: Int) async throws {
    let queue = try DatabaseQueue(beside: folder.path())
    try await queue.write {
      try $0.execute(sql: "CREATE TABLE item (id INTEGER PRIMARY KEY NOT NULL, number \(type) NOT NULL)")
    }
    let store = try Store(queue, schema: [Item.self], liveInterval: .zero)
    let query = Item.group { $0.number }.order { $0.number }.select { $0.count() }
    let list = store.liveList(query, window: window)
    let byCount = Item.group { $0.number }.order { ($0.count().descending, $0.number) }.select { $0.count() }
    let counts = store.liveList(byCount, window: window)
    var random = SeededGenerator()
    let numbers = ["3", "3.0", "4", "2.5", "(-9223372036854775807 - 1)", "-9223372036854775808.0", "0", "-0.0", "1e18"]
    for step in 0..<120 {
      let (id, number) = (Int.random(in: 0..<8, using: &random), numbers.randomElement(using: &random) ?? "3")
      let sql =
        switch Int.random(in: 0..<4, using: &random) {
        case 0: "DELETE FROM item WHERE id = \(id)"
        case 1: "UPDATE item SET number = \(number) WHERE id = \(id)"
        default: "INSERT OR REPLACE INTO item VALUES (\(id), \(number))"
        }
      try await store.write { try $0.database.execute(sql: sql) }
      _ = (list.rows, counts.rows)
      await store.settled()
      #expect(
        list.elements == (try await store.fetch(query.limit(window))),
        "step \(step), SANDERLING_SEED=\(random.seed): \(sql)")
      #expect(
        counts.elements == (try await store.fetch(byCount.limit(window))),
        "step \(step), SANDERLING_SEED=\(random.seed): \(sql)")
    }
  }
}
