import Foundation
import Sanderling
import Testing

/// The recorded data of a statement: its SQL, its number of rows, its values on request, and its cost.
@Suite struct StatementRecordTests {
  let folder = TemporaryFolder()

  @Test(arguments: StoreKind.allCases, StatementTracing.allCases)
  func rowsAreThoseReturnedOrChanged(kind: StoreKind, tracing: StatementTracing) async throws {
    let store = try folder.store(kind, birds: 10, tracing: tracing)
    let (_, statements) = try await store.record {
      _ = try await store.fetch(Bird.where { $0.sightings > 7 })
      _ = try await store.fetch(Bird.self, key: 77)
      try await store.write("change") { tx in
        try tx.update(Bird.where { $0.sightings > 6 }, .set(\.species, to: "dunlin"))
        try tx.update(Bird.where { $0.sightings > 99 }, .set(\.species, to: "dunlin"))
        try tx.insert(Bird(ring: "B1", species: "knot"))
        try tx.insert(contentsOf: [BirdTag(birdID: 1, tag: "male"), BirdTag(birdID: 1, tag: "young")])
        // The tags are deleted by cascade, which is not counted.
        try tx.delete(Bird.self, key: 1)
      }
    }
    let counts = statements.filter { statement in
      ["SELECT", "INSERT", "UPDATE", "DELETE"].contains { statement.sql.hasPrefix($0) }
    }.map(\.rowCount)
    #expect(counts.prefix(5) == [3, 0, 4, 0, 1])
    #expect(counts.dropFirst(5).dropLast().reduce(0, +) == 2)
    #expect(counts.last == 1)
  }

  @Test(arguments: StatementTracing.allCases)
  func valuesAreRecordedOnlyOnRequest(tracing: StatementTracing) async throws {
    let store = try folder.store(birds: 1, tracing: tracing)
    let query = RawQuery("SELECT ring FROM bird WHERE ring = \("it's secret")", as: String.self)
    let (_, plain) = try await store.record { try await store.fetch(query) }
    #expect(plain.map(\.sql) == plain.sql && plain.count == 1)
    #expect(plain[0].sql == "SELECT ring FROM bird WHERE ring = ?")
    #expect(plain[0].expandedSQL == nil)
    #expect(!String(reflecting: plain).contains("secret"))
    let (_, detailed) = try await store.record(includingValues: true) { try await store.fetch(query) }
    #expect(detailed[0].sql == plain[0].sql)
    #expect(detailed[0].expandedSQL == "SELECT ring FROM bird WHERE ring = 'it''s secret'")
  }

  /// Ten more rows cost ten more steps. Each run of a prepared statement is counted separately, even after a run that
  /// was not recorded.
  @Test(arguments: StoreKind.allCases, StatementTracing.allCases)
  func scansAreCounted(kind: StoreKind, tracing: StatementTracing) async throws {
    var steps: [Int] = []
    for count in [10, 20] {
      let store = try folder.store(kind, birds: count, tracing: tracing)
      let scan = Bird.where { $0.sightings < 0 }
      for _ in 1...2 {
        let (_, statements) = try await store.record { try await store.fetch(scan) }
        let counters = try #require(statements.last?.counters)
        steps.append(counters.fullScanSteps)
        #expect(counters.sorts == 0)
        #expect(counters.automaticIndexRows == 0)
        #expect(counters.virtualMachineSteps > count)
        _ = try await store.fetch(scan)
      }
      try await store.erase()
      try store.close()
    }
    #expect(steps[0] == steps[1] && steps[2] == steps[3])
    #expect(steps[2] - steps[0] == 10)
  }

  @Test(arguments: StatementTracing.allCases)
  func sortsAndAutomaticIndexesAreCounted(tracing: StatementTracing) async throws {
    let store = try folder.store(birds: 10, tracing: tracing)
    let (_, statements) = try await store.record {
      _ = try await store.fetch(Bird.order { $0.sightings })
      _ = try await store.fetch(Bird.order { $0.ring })
      _ = try await store.fetch(Bird.self, key: 1)
      _ = try await store.numbers("SELECT count(*) FROM bird AS a JOIN bird AS b ON a.species = b.species")
    }
    let counters = statements.map(\.counters)
    #expect(counters.map(\.sorts) == [1, 0, 0, 0])
    #expect(counters.map { $0.automaticIndexRows > 0 } == [false, false, false, true])
    #expect(counters[2].fullScanSteps == 0)
    #expect(counters[3].virtualMachineSteps > counters[2].virtualMachineSteps)
  }

  @Test(arguments: StatementTracing.allCases)
  func theDurationIncludesTheReader(tracing: StatementTracing) async throws {
    let store = try folder.store(birds: 2, tracing: tracing)
    let (inside, statements) = try await store.record {
      try await store.read { tx in
        var elapsed: Duration = .zero
        try tx.forEach(Bird.order { $0.id }) { _ in
          elapsed += ContinuousClock().measure { _ = (1...10_000).reduce(0) { ($0 &* 31) &+ $1 } }
        }
        return elapsed
      }
    }
    let duration = try #require(statements.last?.duration)
    #expect(duration >= inside && inside > .zero)
  }

  /// An iteration over a statement's rows runs the same statement inside. Each run has its own number of rows, and the
  /// outer run ends last.
  @Test(arguments: StoreKind.allCases, StatementTracing.allCases)
  func walksInsideWalks(kind: StoreKind, tracing: StatementTracing) async throws {
    let store = try folder.store(kind, birds: 3, tracing: tracing)
    let query = Bird.order { $0.id }
    let (_, statements) = try await store.record {
      try await store.read { tx in
        try tx.forEach(query) { bird in
          _ = try tx.fetch(query.limit(bird.sightings))
          _ = try tx.fetch(query)
        }
      }
    }
    let walks = statements.filter { $0.sql.hasPrefix("SELECT") }
    #expect(walks.map(\.rowCount) == [1, 3, 2, 3, 3, 3, 3])
  }

  @Test(arguments: StatementTracing.allCases)
  func walkThatEndsEarlyCountsItsRows(tracing: StatementTracing) async throws {
    struct Enough: Error {}
    let store = try folder.store(birds: 5, tracing: tracing)
    let (_, statements) = await store.record {
      await #expect(throws: Enough.self) {
        try await store.read { tx in
          try tx.forEach(Bird.order { $0.id }) { if $0.sightings == 2 { throw Enough() } }
        }
      }
    }
    #expect(statements.filter { $0.sql.hasPrefix("SELECT") }.map(\.rowCount) == [2])
  }

  @Test(arguments: StatementTracing.allCases)
  func aStatementThatFailsIsRecordedToo(tracing: StatementTracing) async throws {
    let store = try folder.store(birds: 1, tracing: tracing)
    let (_, statements) = await store.record {
      await #expect(throws: StoreError.self) {
        try await store.write("ring") { try $0.insert(Bird(ring: "A1", species: "knot")) }
      }
    }
    #expect(
      statements.sql == [#"INSERT INTO "bird" ("id", "ring", "species", "sightings") VALUES (?, ?, ?, ?)"#])
    #expect(statements.first { $0.sql.hasPrefix("INSERT") }?.rowCount == 0)
  }
}
