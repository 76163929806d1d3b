import GRDB
import Sanderling
import Testing

/// A turn to write ends with its transaction, whatever the task that awaits it does afterwards.
@Suite(.timeLimit(.minutes(10))) struct WriteTurnTests {
  struct ChangeOfMind: Error {}

  let folder = TemporaryFolder()
  /// Runs the tasks that the tests block.
  let executor = SteppingExecutor()

  private func ring(_ ring: String, in store: Store, passing gate: Gate? = nil) -> Task<Void, any Error> {
    let task = Task(executorPreference: executor) {
      _ = try await store.write(ring, priority: .background) { tx in
        gate?.pass()
        try tx.insert(Bird(ring: ring, species: "knot"))
      }
    }
    executor.settle()
    return task
  }

  /// Keeps the writer busy by a plain GRDB call until the gate is opened.
  private func hold(_ store: Store, at gate: Gate) async {
    store.writer.asyncWriteWithoutTransaction { _ in gate.pass() }
    await gate.waitUntilReached()
  }

  @Test(arguments: StoreKind.allCases, [false, true])
  func blockedTaskDoesNotDelayTheNextWrite(kind: StoreKind, fails: Bool) async throws {
    let store = try folder.store(kind)
    let (gate, blocked) = (Gate(), Gate())
    let slow = Task(executorPreference: executor) {
      _ = try await store.write("import", priority: .background) { tx in
        gate.pass()
        if fails { throw ChangeOfMind() }
        try tx.insert(Bird(ring: "import", species: "knot"))
      }
    }
    await gate.waitUntilReached()
    executor.block(at: blocked)
    gate.open()
    try await store.write("user") { try $0.insert(Bird(ring: "user", species: "knot")) }
    #expect(try await store.birds.map(\.ring) == (fails ? ["user"] : ["import", "user"]))
    blocked.open()
    if fails {
      await #expect(throws: ChangeOfMind.self) { try await slow.value }
    } else {
      try await slow.value
    }
  }

  /// A waiting write runs in its turn although its task can't continue, and so does the next write.
  @Test(arguments: StoreKind.allCases)
  func blockedWaitingTaskTakesItsTurn(kind: StoreKind) async throws {
    let store = try folder.store(kind)
    let (gate, blocked) = (Gate(), Gate())
    let holding = ring("holds", in: store, passing: gate)
    await gate.waitUntilReached()
    let waiting = ring("waits", in: store)
    executor.block(at: blocked)
    gate.open()
    try await store.write("last", priority: .background) { try $0.insert(Bird(ring: "last", species: "knot")) }
    #expect(try await store.birds.map(\.ring) == ["holds", "waits", "last"])
    blocked.open()
    _ = try await (holding.value, waiting.value)
  }

  @Test(arguments: StoreKind.allCases)
  func aTaskCancelledBeforeItsTransactionPassesTheTurnOn(kind: StoreKind) async throws {
    let store = try folder.store(kind)
    let (gate, blocked) = (Gate(), Gate())
    await hold(store, at: gate)
    let cancelled = ring("cancelled", in: store)
    executor.block(at: blocked)
    cancelled.cancel()
    gate.open()
    try await store.write("user") { try $0.insert(Bird(ring: "user", species: "knot")) }
    #expect(try await store.birds.map(\.ring) == ["user"])
    blocked.open()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
  }

  @Test(arguments: StoreKind.allCases)
  func aClosedDatabasePassesTheTurnOn(kind: StoreKind) async throws {
    let store = try folder.store(kind)
    try store.close()
    let (gate, blocked) = (Gate(), Gate())
    await hold(store, at: gate)
    let first = ring("first", in: store)
    executor.block(at: blocked)
    gate.open()
    await #expect(throws: StoreError.closed) {
      try await store.write("user") { try $0.insert(Bird(ring: "user", species: "knot")) }
    }
    blocked.open()
    await #expect(throws: StoreError.closed) { try await first.value }
  }

  /// A migration takes several accesses in one turn. None of them waits for the blocked task.
  @Test(arguments: StoreKind.allCases)
  func blockedMigrationTaskDoesNotDelayTheNextWrite(kind: StoreKind) async throws {
    let store = try folder.store(kind)
    let (gate, blocked) = (Gate(), Gate())
    var migrator = DatabaseMigrator()
    migrator.registerMigration("mark") { db in
      gate.pass()
      try db.execute(sql: "UPDATE bird SET species = 'migrated'")
    }
    try await store.write("first") { try $0.insert(Bird(ring: "first", species: "knot")) }
    let migrating = Task(executorPreference: executor) { [migrator] in try await store.migrate(migrator) }
    await gate.waitUntilReached()
    executor.block(at: blocked)
    gate.open()
    try await store.write("user") { try $0.insert(Bird(ring: "user", species: "knot")) }
    #expect(try await store.birds.map(\.species) == ["migrated", "knot"])
    blocked.open()
    try await migrating.value
  }
}
