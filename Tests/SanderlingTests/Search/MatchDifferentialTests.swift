import Foundation
import GRDB
import Testing

@testable import Sanderling

/// After random writes by the store and other connections, searches return the rows that a scan of all rows finds.
@Suite struct MatchDifferentialTests {
  /// Compares the results of queries with the rows that a scan of the same snapshot finds, while another connection may
  /// write.
  private func check(_ world: inout MatchWorld, _ comment: String) async throws {
    let (sql, writes, other) = (world.plainSQL(), Bool.random(using: &world.generator), world.other)
    let conditions = (0..<6).map { _ in world.condition() }
    try await world.store.read { tx in
      let notes = try tx.fetch(MatchedNote.query).sorted { $0.id < $1.id }
      let names = Dictionary(uniqueKeysWithValues: try tx.fetch(MatchedAuthor.query).map { ($0.id, $0.name) })
      if writes { try other.run(sql) }
      for (name, condition, isTrue) in conditions {
        let query = MatchedNote.where(condition)
        let found = try tx.fetch(query.order { $0.id }).map(\.id)
        let wanted = notes.filter { isTrue($0, names) }.map(\.id)
        if found != wanted { Issue.record("\(comment), \(name): \(found), not \(wanted): \(query)") }
        #expect(try tx.count(query) == wanted.count)
      }
    }
  }

  @Test func randomWritesAreFound() async throws {
    let seed = SeededGenerator.defaultSeed
    for number in 0..<10 as Range<UInt64> {
      let folder = TemporaryFolder()
      let store = try folder.store(schema: matchSchema)
      try await store.write("authors") { try $0.insert(contentsOf: MatchedAuthor.all) }
      var world = MatchWorld(store, try folder.patientConnection(), seed: seed &+ number)
      for step in 0..<40 {
        try await world.write()
        try await check(&world, "SANDERLING_SEED=\(seed), store \(number), step \(step)")
      }
    }
  }

  /// The store is closed and reopened between another connection's writes and their indexing.
  @Test func reopenedStoresIndexOutsideWrites() async throws {
    let seed = SeededGenerator.defaultSeed
    let folder = TemporaryFolder()
    let other = try folder.patientConnection()
    var generator = SeededGenerator(seed: seed)
    for round in 0..<12 {
      let store = try folder.store(schema: matchSchema)
      if round == 0 { try await store.write("authors") { try $0.insert(contentsOf: MatchedAuthor.all) } }
      var world = MatchWorld(store, other, firstID: round * 100 + 1, seed: generator.next())
      for _ in 0..<6 { try await world.write() }
      try await check(&world, "SANDERLING_SEED=\(seed), round \(round)")
      try store.close()
      try other.run(world.plainSQL())
    }
  }
}
