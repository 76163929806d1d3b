import Sanderling
import Dispatch
import SanderlingTesting
import Testing

struct ManualClockTests {
  let clock = ManualClock()

  @Test func standsStillUntilItIsAdvanced() {
    #expect(clock.now.offset == .zero)
    clock.advance(by: .milliseconds(3))
    clock.advance(by: .zero)
    clock.advance(by: .seconds(2))
    #expect(clock.now.offset == .milliseconds(2003))
  }

  @Test func measuresElapsedTime() {
    let duration = clock.measure { clock.advance(by: .seconds(7)) }
    #expect(duration == .seconds(7))
  }

  @Test func doesNotSleepForMomentsThatPassed() async throws {
    clock.advance(by: .seconds(1))
    try await clock.sleep(until: ManualClock.Instant(offset: .seconds(1)))
    try await clock.sleep(for: .zero)
    #expect(clock.sleeperCount == 0)
  }

  @Test func wakesSleepersAtTheirDeadline() async throws {
    let early = Task { try await clock.sleep(for: .seconds(1)) }
    let late = Task { try await clock.sleep(for: .seconds(2)) }
    try await clock.sleepers(2)
    clock.advance(by: .milliseconds(1999))
    try await early.value
    #expect(clock.sleeperCount == 1)
    clock.advance(by: .milliseconds(1))
    try await late.value
    #expect(clock.sleeperCount == 0)
  }

  @Test func wakesInTheOrderOfMoments() async throws {
    let executor = OrderedExecutor()
    let order = Order()
    let sleepers = [3, 1, 2].map { seconds in
      Task(executorPreference: executor) { [clock] in
        try await clock.sleep(for: .seconds(seconds))
        order.append(seconds)
      }
    }
    try await clock.sleepers(3)
    // The last task may not be suspended yet. If it were woken now, it would continue before the other tasks.
    executor.drain()
    clock.advance(by: .seconds(3))
    for sleeper in sleepers { try await sleeper.value }
    #expect(order.seconds == [1, 2, 3])
  }

  @Test func cancellationEndsSleeping() async throws {
    let sleeper = Task { try await clock.sleep(for: .seconds(1)) }
    try await clock.sleepers(1)
    sleeper.cancel()
    await #expect(throws: CancellationError.self) { try await sleeper.value }
    #expect(clock.sleeperCount == 0)
  }

  @Test func aCancelledTaskDoesNotSleep() async throws {
    let sleeper = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await clock.sleep(for: .seconds(1))
    }
    await #expect(throws: CancellationError.self) { try await sleeper.value }
  }

  @Test func cancellationEndsWaitingForSleepers() async throws {
    let waiter = Task { try await clock.sleepers(1) }
    waiter.cancel()
    await #expect(throws: CancellationError.self) { try await waiter.value }
  }

  @Test func manyTasksSleepAtOnce() async throws {
    let count = 200
    let sleepers = (0..<count).map { number in Task { try await clock.sleep(for: .milliseconds(number + 1)) } }
    try await clock.sleepers(count)
    for _ in 0..<count / 2 { clock.advance(by: .milliseconds(2)) }
    for sleeper in sleepers { try await sleeper.value }
    #expect(clock.sleeperCount == 0)
  }
}

/// Runs jobs in the order in which they became ready.
private final class OrderedExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "OrderedExecutor")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }

  /// Waits until all enqueued jobs have run.
  func drain() { queue.sync {} }
}

private final class Order: Sendable {
  private let state = Lock<[Int]>([])

  var seconds: [Int] { state.withLock { $0 } }

  func append(_ seconds: Int) {
    state.withLock { $0.append(seconds) }
  }
}
