/// A clock on which no more than a minute ever passes: longer waits end when they are cancelled, and by nothing else.
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
