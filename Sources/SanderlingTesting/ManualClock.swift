import Sanderling

/// A clock that stands still until a test advances it, for tests of code that takes a clock.
///
/// ```swift
/// let clock = ManualClock()
/// let model = TaskListModel(store: store, clock: clock)
/// model.search("so")                         // sleeps for 300 ms before it searches
/// try await clock.sleepers(1)
/// clock.advance(by: .milliseconds(300))
/// ```
///
/// A store takes it too. How live results are spaced is seldom worth a test, though: `settled()` and `reached(_:)` wait for no
/// clock.
public final class ManualClock: Clock, Sendable {
  public struct Instant: InstantProtocol {
    /// The time since the clock was made.
    public let offset: Duration

    public init(offset: Duration) {
      self.offset = offset
    }

    public func advanced(by duration: Duration) -> Instant {
      Instant(offset: offset + duration)
    }

    public func duration(to other: Instant) -> Duration {
      other.offset - offset
    }

    public static func < (lhs: Instant, rhs: Instant) -> Bool {
      lhs.offset < rhs.offset
    }
  }

  private struct State {
    var now = Instant(offset: .zero)
    var lastTicket: UInt64 = 0
    var sleeping: [UInt64: Sleeper] = [:]
    /// The tasks that wait until a number of tasks sleep.
    var waiting: [UInt64: Waiter] = [:]

    mutating func makeTicket() -> UInt64 {
      lastTicket += 1
      return lastTicket
    }

    /// Removes and returns the waiters whose number of sleeping tasks is reached.
    mutating func takeContented() -> [CheckedContinuation<Void, any Error>] {
      let contented = waiting.filter { $0.value.count <= sleeping.count }
      for ticket in contented.keys { waiting[ticket] = nil }
      return contented.values.map(\.continuation)
    }
  }

  private struct Sleeper {
    let deadline: Instant
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct Waiter {
    let count: Int
    let continuation: CheckedContinuation<Void, any Error>
  }

  /// Guards the time and the waiters. No task is resumed while the lock is held.
  private let state = Lock(State())

  /// Makes a clock at the time zero.
  public init() {}

  public var now: Instant { state.withLock(\.now) }

  public var minimumResolution: Duration { .zero }

  /// How many tasks sleep.
  public var sleeperCount: Int { state.withLock(\.sleeping.count) }

  /// Waits until the clock has been advanced to a moment; not at all for one that has passed.
  ///
  /// - Throws: `CancellationError` as soon as the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let ticket = state.withLock { $0.makeTicket() }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let (outcome, contented) = state.withLock {
          state -> (Result<Void, any Error>?, [CheckedContinuation<Void, any Error>]) in
          if Task.isCancelled { return (.failure(CancellationError()), []) }
          if deadline <= state.now { return (.success(()), []) }
          state.sleeping[ticket] = Sleeper(deadline: deadline, continuation: continuation)
          return (nil, state.takeContented())
        }
        for waiter in contented { waiter.resume() }
        if let outcome { continuation.resume(with: outcome) }
      }
    } onCancel: {
      let sleeper = state.withLock { $0.sleeping.removeValue(forKey: ticket) }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Waits until at least so many tasks sleep, so that advancing the clock wakes them.
  ///
  /// - Throws: `CancellationError`.
  public func sleepers(_ count: Int) async throws {
    let ticket = state.withLock { $0.makeTicket() }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let outcome = state.withLock { state -> Result<Void, any Error>? in
          if Task.isCancelled { return .failure(CancellationError()) }
          if state.sleeping.count >= count { return .success(()) }
          state.waiting[ticket] = Waiter(count: count, continuation: continuation)
          return nil
        }
        if let outcome { continuation.resume(with: outcome) }
      }
    } onCancel: {
      let waiter = state.withLock { $0.waiting.removeValue(forKey: ticket) }
      waiter?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Lets time pass, and wakes the tasks whose moment has come, those first that wait for the earliest.
  ///
  /// A task that is woken sees the time after all of the duration.
  ///
  /// - Precondition: The duration isn't negative.
  public func advance(by duration: Duration) {
    // A test that moves time backwards is wrong and ends at this line.
    precondition(duration >= .zero, "time passes forwards")
    let woken = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let woken = state.sleeping.filter { $0.value.deadline <= state.now }
      for ticket in woken.keys { state.sleeping[ticket] = nil }
      return woken.sorted { ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key) }
    }
    for (_, sleeper) in woken { sleeper.continuation.resume() }
  }
}
