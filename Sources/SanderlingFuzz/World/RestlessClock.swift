import Foundation
import Synchronization

/// The real time, sometimes returned late: the caller may be delayed between any two steps, as on a busy machine.
///
/// It can jump ahead, which wakes all tasks that sleep until then.
struct RestlessClock: Clock {
  typealias Instant = ContinuousClock.Instant

  /// The number of calls. The delayed calls are the same in all runs; their callers are not.
  private let calls = CallCount()
  private let timeline = Timeline()

  private final class CallCount: Sendable {
    let value = Atomic<UInt64>(0)
  }

  var now: Instant {
    var random = SeededGenerator(seed: calls.value.add(1, ordering: .relaxed).newValue)
    if random.chance(10) { usleep(UInt32(random.number(20..<400))) }
    // Long enough for some transactions while queries are being read.
    if random.chance(2) { usleep(UInt32(random.number(1_000..<5_000))) }
    return timeline.now
  }

  var minimumResolution: Duration { ContinuousClock().minimumResolution }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try await timeline.sleep(until: deadline)
  }

  /// Lets time pass at once.
  func advance(by duration: Duration) {
    timeline.advance(by: duration)
  }
}
