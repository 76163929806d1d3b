/// A clock for waits of at most a minute. Longer waits end only when they are cancelled.
struct ShortWaitsClock: Clock {
  typealias Instant = ContinuousClock.Instant

  private static let longest = Duration.seconds(60)
  private let clock = ContinuousClock()

  var now: Instant { clock.now }
  var minimumResolution: Duration { clock.minimumResolution }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let isLong = now.duration(to: deadline) > Self.longest
    while isLong { try await Task.sleep(for: .seconds(86_400)) }
    try await clock.sleep(until: deadline, tolerance: tolerance)
  }
}
