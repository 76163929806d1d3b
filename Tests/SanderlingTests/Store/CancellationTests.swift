import Foundation
import GRDB
import Sanderling
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(10))) struct CancellationTests {
  let folder = TemporaryFolder()
  let executor = SteppingExecutor()

  /// A query that counts endlessly, and calls `reached()` while it runs.
  private let endless = RawQuery(
    """
    WITH RECURSIVE number(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM number)
    SELECT count(*) FROM number WHERE value <> 1000 OR reached()
    """, as: Int.self)

  /// Makes a store with the SQL function `reached()`, and a stream of its calls. A statement that called it is certain
  /// to be under way.
  private func endlessStore(_ kind: StoreKind) throws -> (Store, AsyncStream<Void>) {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      db.add(
        function: DatabaseFunction("reached", argumentCount: 0) { _ in
          continuation.yield()
          return true
        })
    }
    return (try folder.store(kind, configuration: configuration), stream)
  }

  @Test(arguments: StoreKind.allCases)
  func interruptsALongStatementOfAWrite(kind: StoreKind) async throws {
    let (store, reached) = try endlessStore(kind)
    let before = store.lastCommit
    let endless = endless
    let task = Task {
      try await store.write("count") { tx in
        try tx.insert(Bird(ring: "A1", species: "knot"))
        return try tx.fetch(endless)
      }
    }
    for await _ in reached { break }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await store.birds == [])
    #expect(store.lastCommit == before)
    try await store.write("ring") { try $0.insert(Bird(ring: "A2", species: "knot")) }
    #expect(try await store.birds.map(\.ring) == ["A2"])
  }

  @Test(arguments: StoreKind.allCases)
  func interruptsALongStatementOfARead(kind: StoreKind) async throws {
    let (store, reached) = try endlessStore(kind)
    let endless = endless
    let task = Task { try await store.fetch(endless) }
    for await _ in reached { break }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await store.birds == [])
  }

  /// A cancelled transaction is rolled back even if its closure catches every error, so that no half of its work is
  /// committed.
  @Test(arguments: StoreKind.allCases)
  func rollsBackATransactionThatIgnoresCancellation(kind: StoreKind) async throws {
    let (store, reached) = try endlessStore(kind)
    let endless = endless
    let task = Task {
      try await store.write("count") { tx in
        try tx.insert(Bird(ring: "A1", species: "knot"))
        _ = try? tx.savepoint { try tx.fetch(endless) }
        _ = try? tx.insert(Bird(ring: "A2", species: "knot"))
      }
    }
    for await _ in reached { break }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await store.birds == [])
    try await store.write("ring") { try $0.insert(Bird(ring: "A3", species: "knot")) }
    #expect(try await store.birds.map(\.ring) == ["A3"])
  }

  /// A cancelled write leaves the queue while the write before it still holds the store.
  @Test(arguments: StoreKind.allCases, WritePriority.allCases)
  func endsTheWaitForTheTurn(kind: StoreKind, priority: WritePriority) async throws {
    let store = try folder.store(kind)
    let gate = Gate()
    let holding = Task(executorPreference: executor) {
      try await store.write("holds") { tx in
        gate.pass()
        try tx.insert(Bird(ring: "holds", species: "knot"))
      }
    }
    await gate.waitUntilReached()
    let waiting = ["first", "second", "third"].map { ring in
      Task(executorPreference: executor) {
        try await store.write(ring, priority: priority) { try $0.insert(Bird(ring: ring, species: "knot")) }
      }
    }
    executor.settle()
    waiting[1].cancel()
    await #expect(throws: CancellationError.self) { try await waiting[1].value }
    gate.open()
    _ = try await (holding.value, waiting[0].value, waiting[2].value)
    #expect(try await store.birds.map(\.ring) == ["holds", "first", "third"])
  }

  @Test(arguments: StoreKind.allCases)
  func alreadyCancelledTaskNeitherReadsNorWrites(kind: StoreKind) async throws {
    let store = try folder.store(kind)
    let before = store.lastCommit
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      await #expect(throws: CancellationError.self) {
        try await store.write("ring") { try $0.insert(Bird(ring: "A1", species: "knot")) }
      }
      await #expect(throws: CancellationError.self) { try await store.fetch(Bird.order { $0.id }) }
    }
    await task.value
    #expect(try await store.birds == [])
    #expect(store.lastCommit == before)
  }

  /// Each of thousands of writes, cancelled at random, either returned and stored its row, or threw and stored nothing.
  /// Later writes still run.
  @Test(arguments: StoreKind.allCases)
  func thousandsAtRandom(kind: StoreKind) async throws {
    var random = SeededGenerator()
    let store = try folder.store(kind)
    var tasks: [Task<Void, any Error>] = []
    var cancelled: [Int] = []
    for number in 0..<4000 {
      let priority = WritePriority.allCases.randomElement(using: &random)!
      tasks.append(
        Task {
          try await store.write("ring", priority: priority) { tx in
            try tx.insert(Bird(ring: "\(number)", species: "knot"))
            try tx.update(Bird.where { $0.ring == "\(number)" }, .set(\.sightings, to: number))
          }
        })
      if Bool.random(using: &random) {
        cancelled.append(number)
        tasks[number].cancel()
      }
      if Int.random(in: 0..<4, using: &random) == 0 {
        let victim = Int.random(in: 0...number, using: &random)
        cancelled.append(victim)
        tasks[victim].cancel()
      }
      if Int.random(in: 0..<20, using: &random) == 0 { await Task.yield() }
      if Int.random(in: 0..<200, using: &random) == 0 { _ = await tasks[number].result }
    }
    var written: Set<String> = []
    for (number, task) in tasks.enumerated() {
      switch await task.result {
      case .success: written.insert("\(number)")
      case .failure(let error):
        #expect(error is CancellationError, "seed \(random.seed)")
      }
    }
    let rows = try await store.birds
    #expect(Set(rows.map(\.ring)) == written, "seed \(random.seed)")
    #expect(rows.allSatisfy { $0.ring == "\($0.sightings)" }, "seed \(random.seed)")
    #expect(written.isSuperset(of: Set(tasks.indices).subtracting(cancelled).map(String.init)), "seed \(random.seed)")
    // Both outcomes must be frequent enough for the test to prove something.
    #expect(written.count > 1000 && tasks.count - written.count > 500, "seed \(random.seed)")
    try await store.write("ring") { try $0.insert(Bird(ring: "last", species: "knot")) }
    #expect(try await store.birds.count == written.count + 1)
  }
}
