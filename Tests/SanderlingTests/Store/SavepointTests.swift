import Foundation
import Sanderling
import Testing

@Suite struct SavepointTests {
  struct ChangeOfMind: Error {}

  let folder = TemporaryFolder()

  @Test(arguments: StoreKind.allCases)
  func rollBackAlone(kind: StoreKind) async throws {
    let store = try folder.store(kind)
    try await store.write("ring birds") { tx in
      try tx.insert(Bird(ring: "outer", species: "knot"))
      #expect(throws: ChangeOfMind.self) {
        try tx.savepoint {
          try tx.insert(Bird(ring: "undone", species: "knot"))
          throw ChangeOfMind()
        }
      }
      let key = try tx.savepoint { try tx.insert(Bird(ring: "kept", species: "knot")) }
      #expect(key == 2)
    }
    #expect(try await store.birds.map(\.ring) == ["outer", "kept"])
  }

  @Test(arguments: StoreKind.allCases)
  func nest(kind: StoreKind) async throws {
    let store = try folder.store(kind)
    try await store.write("ring birds") { tx in
      try tx.savepoint {
        try tx.insert(Bird(ring: "1", species: "knot"))
        try? tx.savepoint {
          try tx.insert(Bird(ring: "2", species: "knot"))
          try tx.savepoint { _ = try tx.insert(Bird(ring: "3", species: "knot")) }
          throw ChangeOfMind()
        }
        try tx.insert(Bird(ring: "4", species: "knot"))
      }
    }
    #expect(try await store.birds.map(\.ring) == ["1", "4"])
  }

  @Test(arguments: StoreKind.allCases)
  func goWithTheirTransaction(kind: StoreKind) async throws {
    let store = try folder.store(kind)
    await #expect(throws: ChangeOfMind.self) {
      try await store.write("ring birds") { tx in
        try tx.savepoint { _ = try tx.insert(Bird(ring: "1", species: "knot")) }
        throw ChangeOfMind()
      }
    }
    #expect(try await store.birds == [])
  }

  /// A failed statement undoes itself alone. The savepoint and the earlier changes stay usable.
  @Test(arguments: StoreKind.allCases)
  func goOnAfterAFailedStatement(kind: StoreKind) async throws {
    let store = try folder.store(kind)
    try await store.write("ring birds") { tx in
      try tx.savepoint {
        try tx.insert(Bird(ring: "1", species: "knot"))
        #expect(throws: StoreError.self) { try tx.insert(Bird(ring: "1", species: "knot")) }
        try tx.insert(Bird(ring: "2", species: "knot"))
      }
    }
    #expect(try await store.birds.map(\.ring) == ["1", "2"])
  }

  /// `ROLLBACK` in a trigger ends the whole transaction: later statements of the closure fail, and nothing is
  /// committed.
  @Test(arguments: StoreKind.allCases)
  func endWithATransactionThatATriggerRollsBack(kind: StoreKind) async throws {
    let store = try folder.store(kind)
    try store.writer.run(
      """
      CREATE TRIGGER refusing BEFORE INSERT ON bird WHEN new.ring = 'no'
      BEGIN SELECT RAISE(ROLLBACK, 'no such ring'); END
      """)
    let before = store.lastCommit
    await #expect(throws: StoreError.self) {
      try await store.write("ring birds") { tx in
        try tx.insert(Bird(ring: "1", species: "knot"))
        try? tx.savepoint { _ = try tx.insert(Bird(ring: "no", species: "knot")) }
        try tx.insert(Bird(ring: "2", species: "knot"))
      }
    }
    #expect(try await store.birds == [])
    #expect(store.lastCommit == before)
    try await store.write("ring birds") { try $0.insert(Bird(ring: "3", species: "knot")) }
    #expect(try await store.birds.map(\.ring) == ["3"])
  }
}
