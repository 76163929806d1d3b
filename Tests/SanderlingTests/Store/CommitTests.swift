import Foundation
import GRDB
import Sanderling
import Testing

@Suite struct CommitTests {
  struct ChangeOfMind: Error {}

  let folder = TemporaryFolder()

  @Test(arguments: StoreKind.allCases)
  func numbersGrowByOne(kind: StoreKind) async throws {
    let store = try folder.store(kind)
    let start = store.lastCommit.number
    var numbers: [UInt64] = []
    for number in 1...3 {
      let commit = try await store.writeWithCommit("ring a bird") {
        try $0.insert(Bird(ring: "\(number)", species: "knot"))
      }
      .commit
      #expect(commit == store.lastCommit)
      numbers.append(commit.number)
    }
    #expect(numbers == [start + 1, start + 2, start + 3])
  }

  /// Each write by the store or by GRDB counts as one commit. This holds for blocking and for empty writes, and for
  /// each kind of transaction.
  @Test(arguments: StoreKind.allCases)
  func countEveryCommitOfTheWriter(kind: StoreKind) async throws {
    let store = try folder.store(kind)
    let start = store.lastCommit.number
    try store.writeBlocking("ring a bird") { _ = try $0.insert(Bird(ring: "1", species: "knot")) }
    #expect(store.lastCommit.number == start + 1)
    try await store.write("nothing") { _ in }
    #expect(store.lastCommit.number == start + 2)
    try await store.writer.write { try $0.execute(sql: "INSERT INTO bird (ring, species) VALUES ('2', 'knot')") }
    #expect(store.lastCommit.number == start + 3)
    try store.writer.run("UPDATE bird SET sightings = 1")
    #expect(store.lastCommit.number == start + 4)
    try store.writer.run("BEGIN; UPDATE bird SET sightings = 2; DELETE FROM bird WHERE id = 2; COMMIT")
    #expect(store.lastCommit.number == start + 5)
    try await store.writer.barrierWriteWithoutTransaction { db in
      try db.inTransaction {
        try db.execute(sql: "UPDATE bird SET sightings = 3")
        return .commit
      }
    }
    #expect(store.lastCommit.number == start + 6)
  }

  @Test(arguments: StoreKind.allCases)
  func rolledBackWritesMakeNone(kind: StoreKind) async throws {
    let store = try folder.store(kind)
    let start = store.lastCommit
    await #expect(throws: ChangeOfMind.self) {
      try await store.write("ring a bird") { tx in
        try tx.savepoint { _ = try tx.insert(Bird(ring: "1", species: "knot")) }
        throw ChangeOfMind()
      }
    }
    #expect(store.lastCommit == start)
    await #expect(throws: StoreError.self) {
      try await store.write("ring a bird") { try $0.execute("INSERT INTO bird (ring) VALUES ('1')") }
    }
    #expect(store.lastCommit == start)
    try store.writer.run("BEGIN; UPDATE bird SET sightings = 2; ROLLBACK")
    #expect(store.lastCommit == start)
  }

  @Test(arguments: StoreKind.allCases)
  func readsMakeNone(kind: StoreKind) async throws {
    let store = try folder.store(kind)
    let start = store.lastCommit
    _ = try await store.birds
    try store.readBlocking { _ = try $0.count(Bird.order { $0.id }) }
    _ = try await store.writer.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM bird") }
    #expect(store.lastCommit == start)
  }

  /// A constraint that is checked at the end of the transaction fails the commit. Such a commit gets no number.
  @Test(arguments: StoreKind.allCases)
  func failedCommitsMakeNone(kind: StoreKind) async throws {
    let store = try folder.store(kind)
    try store.writer.run("CREATE TABLE egg (birdID INTEGER REFERENCES bird DEFERRABLE INITIALLY DEFERRED)")
    let start = store.lastCommit
    let error = await #expect(throws: StoreError.self) {
      try await store.write("lay an egg") { try $0.execute("INSERT INTO egg VALUES (9)") }
    }
    guard case .constraint(let violation) = error else { throw try #require(error) }
    #expect(violation.kind == .foreignKey)
    #expect(store.lastCommit == start)
    #expect(try await store.numbers("SELECT count(*) FROM egg") == [0])
  }

  /// Concurrent writes get different commit numbers, without gaps.
  @Test(arguments: StoreKind.allCases)
  func numbersAreUnique(kind: StoreKind) async throws {
    let store = try folder.store(kind)
    let start = store.lastCommit.number
    let numbers = try await withThrowingTaskGroup(of: UInt64.self) { group in
      for number in 1...100 {
        group.addTask(priority: number.isMultiple(of: 2) ? .low : .high) {
          try await store.writeWithCommit(
            "ring a bird", priority: number.isMultiple(of: 3) ? .background : .userInitiated
          ) {
            try $0.insert(Bird(ring: "\(number)", species: "knot"))
          }.commit.number
        }
      }
      return try await group.reduce(into: Set<UInt64>()) { $0.insert($1) }
    }
    #expect(numbers == Set(start + 1...start + 100))
  }
}
