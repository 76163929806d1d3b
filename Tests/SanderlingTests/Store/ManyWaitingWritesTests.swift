import GRDB
import Synchronization
import Testing

@testable import Sanderling

/// A hundred thousand waiting writes end one after the other, and never one inside the other.
@Suite(.timeLimit(.minutes(10))) struct ManyWaitingWritesTests {
  struct Refusal: Error {}

  private static let count = 100_000

  /// Guards a value that tasks share.
  private final class Shared<Value: Sendable>: Sendable {
    private let value: Lock<Value>

    init(_ value: Value) {
      self.value = Lock(value)
    }

    var current: Value { value.withLock { $0 } }

    func update(_ change: (inout Value) -> Void) {
      value.withLock { change(&$0) }
    }
  }

  /// Holds the turn of a queue until its end is requested.
  private struct Holder: Sendable {
    private let turn: Shared<WriteTurn?>
    private let gate: Gate
    private let task: Task<Void, any Error>

    init(_ queue: WriteQueue) async {
      let (turn, gate) = (Shared<WriteTurn?>(nil), Gate())
      (self.turn, self.gate) = (turn, gate)
      task = Task.detached {
        try await queue.run(.userInitiated) { held in
          turn.update { $0 = held }
          await gate.wait()
        }
      }
      await gate.waitUntilReached()
    }

    /// Ends the turn, which passes it on, on this thread.
    func end() { turn.current?.end() }

    func finish() async throws {
      gate.open()
      try await task.value
    }
  }

  /// Makes tasks that wait for the queue. All of them wait when this returns, because tasks that prefer the executor
  /// begin at once.
  private func waitingTasks(
    _ queue: WriteQueue, _ body: @escaping @Sendable () throws -> Void
  ) -> [Task<Void, any Error>] {
    (0..<Self.count).map { number in
      Task.detached(executorPreference: ImmediateExecutor.shared) {
        try await queue.run(number.isMultiple(of: 3) ? .userInitiated : .background) { _ in try body() }
      }
    }
  }

  private func outcomes(_ tasks: [Task<Void, any Error>]) async -> (succeeded: Int, refused: Int, cancelled: Int) {
    var (succeeded, refused, cancelled) = (0, 0, 0)
    for task in tasks {
      do {
        try await task.value
        succeeded += 1
      } catch is Refusal {
        refused += 1
      } catch is CancellationError {
        cancelled += 1
      } catch {}
    }
    return (succeeded, refused, cancelled)
  }

  /// The writes run on a thread with a stack of 512 kB, which a thousand nested writes would exceed.
  @Test(arguments: [true, false])
  func manyWaitingWritesEndOnASmallStack(fail: Bool) async throws {
    let queue = WriteQueue()
    let holder = await Holder(queue)
    let tasks = waitingTasks(queue) { if fail { throw Refusal() } }
    try await withSmallStack { holder.end() }
    let outcomes = await outcomes(tasks)
    #expect(outcomes == (fail ? (0, Self.count, 0) : (Self.count, 0, 0)))
    try await holder.finish()
  }

  /// Waiting writes are cancelled in the opposite order of their arrival, which is no slower than any other order. The
  /// others get their turns.
  @Test func manyWaitingWritesAreCancelled() async throws {
    let queue = WriteQueue()
    let holder = await Holder(queue)
    let tasks = waitingTasks(queue) {}
    for (number, task) in tasks.enumerated().reversed() where !number.isMultiple(of: 10) { task.cancel() }
    let cancelled = await outcomes(tasks.enumerated().filter { !$0.offset.isMultiple(of: 10) }.map(\.element))
    #expect(cancelled == (0, 0, Self.count / 10 * 9))
    try await withSmallStack { holder.end() }
    let stayed = await outcomes(tasks.enumerated().filter { $0.offset.isMultiple(of: 10) }.map(\.element))
    #expect(stayed == (Self.count / 10, 0, 0))
    try await holder.finish()
    #expect(try await queue.run(.background) { _ in true })
  }

  @Test func remainingWritesKeepTheirOrder() async throws {
    let queue = WriteQueue()
    let holder = await Holder(queue)
    let order = Shared<[Int]>([])
    let tasks = (0..<1_000).map { number in
      Task.detached(executorPreference: ImmediateExecutor.shared) {
        try await queue.run(number.isMultiple(of: 2) ? .userInitiated : .background) { _ in
          order.update { $0.append(number) }
        }
      }
    }
    let stay: @Sendable (Int) -> Bool = { $0 % 7 == 0 || $0 > 900 }
    for (number, task) in tasks.enumerated() where !stay(number) { task.cancel() }
    for (number, task) in tasks.enumerated() where !stay(number) {
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    holder.end()
    for (number, task) in tasks.enumerated() where stay(number) { try await task.value }
    let expected = (0..<1_000).filter(stay)
    #expect(order.current == expected.filter { $0 % 2 == 0 } + expected.filter { $0 % 2 == 1 })
    try await holder.finish()
  }

  enum Writer: CaseIterable, Sendable {
    case owned, adopted
  }

  /// The store is closed from a thread with a stack of 512 kB while writes wait.
  @Test(arguments: Writer.allCases)
  func closingTheStoreEndsWaitingWrites(_ kind: Writer) async throws {
    let folder = TemporaryFolder()
    let owned = try folder.store()
    let store = kind == .owned ? owned : try Store(DatabasePool(path: folder.path()), schema: birdSchema)
    let executor = SteppingExecutor()
    let gate = Gate()
    let holding = Task(executorPreference: executor) {
      try await store.write("holds") { _ in gate.pass() }
    }
    await gate.waitUntilReached()
    let tasks = (0..<Self.count).map { _ in
      Task(executorPreference: executor) {
        try await store.write("waits") { _ = try $0.insert(Bird(ring: "A1", species: "knot")) }
      }
    }
    executor.settle()
    let closing = Task { try await withSmallStack { try store.close() } }
    if kind == .adopted { try await closing.value }
    gate.open()
    try await closing.value
    try await holding.value
    var closed = 0
    for task in tasks {
      do { try await task.value } catch StoreError.closed { closed += 1 } catch {}
    }
    // An owned pool is closed in its turn of the queue, and some tasks may write before that.
    #expect(kind == .adopted ? closed == Self.count : closed > 0)
  }
}
