import Foundation
import Sanderling
import Synchronization
import Testing

/// The order of writes that arrive in a known order while another write holds the store.
@Suite(.timeLimit(.minutes(10))) struct WriteOrderTests {
  let folder = TemporaryFolder()
  let executor = SteppingExecutor()

  private func ring(
    _ ring: String, in store: Store, priority: WritePriority = .userInitiated, passing gate: Gate? = nil
  ) -> Task<Void, any Error> {
    let task = Task(executorPreference: executor) {
      _ = try await store.write(ring, priority: priority) { tx in
        gate?.pass()
        try tx.insert(Bird(ring: ring, species: "knot"))
      }
    }
    executor.settle()
    return task
  }

  @Test(arguments: StoreKind.allCases)
  func userInitiatedWritesGoFirst(kind: StoreKind) async throws {
    let store = try folder.store(kind)
    let gate = Gate()
    var tasks = [ring("holds", in: store, priority: .background, passing: gate)]
    await gate.waitUntilReached()
    tasks += [
      ring("background 1", in: store, priority: .background), ring("user 1", in: store),
      ring("background 2", in: store, priority: .background), ring("user 2", in: store),
      ring("user 3", in: store), ring("background 3", in: store, priority: .background),
    ]
    gate.open()
    for task in tasks { try await task.value }
    #expect(
      try await store.birds.map(\.ring) == [
        "holds", "user 1", "user 2", "user 3", "background 1", "background 2", "background 3",
      ])
  }

  /// A write that arrives during a background write runs before the background writes that already wait.
  @Test func theOrderIsDecidedAtEachEnd() async throws {
    let store = try folder.store()
    let (first, second) = (Gate(), Gate())
    var tasks = [ring("holds", in: store, passing: first)]
    await first.waitUntilReached()
    tasks.append(ring("background 1", in: store, priority: .background, passing: second))
    tasks.append(ring("background 2", in: store, priority: .background))
    first.open()
    await second.waitUntilReached()
    tasks.append(ring("user", in: store))
    second.open()
    for task in tasks { try await task.value }
    #expect(try await store.birds.map(\.ring) == ["holds", "background 1", "user", "background 2"])
  }

  @Test func writesThatFailPassTheTurnOn() async throws {
    struct ChangeOfMind: Error {}
    let store = try folder.store()
    let gate = Gate()
    let failing = Task(executorPreference: executor) {
      try await store.write("fails") { _ in
        gate.pass()
        throw ChangeOfMind()
      }
    }
    executor.settle()
    await gate.waitUntilReached()
    let next = ring("next", in: store)
    gate.open()
    await #expect(throws: ChangeOfMind.self) { try await failing.value }
    try await next.value
    #expect(try await store.birds.map(\.ring) == ["next"])
  }

  @Test func blockingWriteWaitsForTheRunningWrite() async throws {
    let store = try folder.store()
    let gate = Gate()
    let holding = ring("holds", in: store, passing: gate)
    await gate.waitUntilReached()
    let waiting = ring("waits", in: store)
    async let blocking: Void = withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(
          with: Result {
            try store.writeBlocking("blocking") { _ = try $0.insert(Bird(ring: "blocking", species: "knot")) }
          })
      }
    }
    gate.open()
    _ = try await (holding.value, waiting.value, blocking)
    let rings = try await store.birds.map(\.ring)
    #expect(rings.first == "holds")
    #expect(Set(rings) == ["holds", "waits", "blocking"])
  }

  /// A waiting write blocks no thread: more writes wait than there are threads, and other tasks still run.
  @Test func waitingHoldsNoThread() async throws {
    let store = try folder.store()
    let gate = Gate()
    let holding = ring("holds", in: store, passing: gate)
    await gate.waitUntilReached()
    let tasks = (1...200).map { number in
      Task { try await store.write("waits") { try $0.insert(Bird(ring: "\(number)", species: "knot")) } }
    }
    #expect(try await store.birds == [])
    gate.open()
    try await holding.value
    for task in tasks { _ = try await task.value }
    #expect(try await store.birds.count == 201)
  }
}
