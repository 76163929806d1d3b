import Sanderling
// Exports `ScriptedServer`, which most tests of this module need.
@_exported import TestPrograms

/// A clock that doesn't wait: a sleep moves the time forward at once.
final class LeapingClock: Clock, Sendable {
  struct Instant: InstantProtocol {
    var time: Duration
    func advanced(by duration: Duration) -> Instant { Instant(time: time + duration) }
    func duration(to other: Instant) -> Duration { other.time - time }
    static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.time < rhs.time }
  }

  private let state = Lock((time: Duration.zero, sleeps: [Duration]()))

  var now: Instant { Instant(time: state.withLock { $0.time }) }
  var minimumResolution: Duration { .nanoseconds(1) }
  var sleeps: [Duration] { state.withLock { $0.sleeps } }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
    state.withLock { state in
      state.sleeps.append(deadline.time - state.time)
      state.time = max(state.time, deadline.time)
    }
    await Task.yield()
  }
}
