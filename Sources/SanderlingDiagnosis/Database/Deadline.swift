/// A moment by which work has to end, on any clock.
struct Deadline: Sendable {
  /// The time that is left; zero once the moment has come.
  let remaining: @Sendable () -> Duration

  /// Work without an end in time.
  static let never = Deadline { .seconds(Int64.max / 4) }

  init(remaining: @escaping @Sendable () -> Duration) {
    self.remaining = remaining
  }

  init<C: Clock>(after duration: Duration, clock: C) where C.Duration == Duration {
    let end = clock.now.advanced(by: duration)
    self.init { max(.zero, clock.now.duration(to: end)) }
  }

  init(after duration: Duration) {
    self.init(after: duration, clock: ContinuousClock())
  }

  var hasPassed: Bool { remaining() <= .zero }

  /// The one that comes first; both clocks run at one pace.
  func earlier(_ other: Deadline) -> Deadline {
    remaining() <= other.remaining() ? self : other
  }
}
