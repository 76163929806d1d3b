import Foundation

/// A moment by which work has to end, on the clock on the wall, and perhaps by the time that its thread ran, too.
struct Deadline: Sendable {
  /// What the clock on the wall may run while a thread works for a time, and waits for disks and for other processes.
  static func patience(_ work: Duration) -> Duration { work * 3.0 + .seconds(1) }

  private let wall: @Sendable () -> Duration
  private let processor: (@Sendable () -> Duration)?

  /// Work without an end in time.
  static let never = Deadline { .seconds(Int64.max / 4) }

  /// - Parameter remaining: The time that is left on any clock; zero once the moment has come.
  init(remaining: @escaping @Sendable () -> Duration) {
    wall = remaining
    processor = nil
  }

  private init(wall: @escaping @Sendable () -> Duration, processor: (@Sendable () -> Duration)?) {
    (self.wall, self.processor) = (wall, processor)
  }

  /// A time from now on the clock on the wall.
  init(after duration: Duration) {
    let end = ContinuousClock.now.advanced(by: duration)
    self.init { max(.zero, ContinuousClock.now.duration(to: end)) }
  }

  /// A time from now by what the calling thread runs, which has to be the one that works: what other processes take doesn't
  /// count, up to the `patience`.
  init(afterWorking duration: Duration) {
    let end = Self.timeOfThread + duration
    self.init(wall: Deadline(after: Self.patience(duration)).wall) { max(.zero, end - Self.timeOfThread) }
  }

  /// The time that is left; zero once the moment has come.
  func remaining() -> Duration {
    guard let processor else { return wall() }
    return min(wall(), processor())
  }

  var hasPassed: Bool { remaining() <= .zero }

  /// Both moments: the one that comes first ends the work.
  func earlier(_ other: Deadline) -> Deadline {
    let (own, others) = (wall, other.wall)
    let processors = [processor, other.processor].compactMap(\.self)
    let both: @Sendable () -> Duration = { min(own(), others()) }
    let work: @Sendable () -> Duration = { processors.map { $0() }.min() ?? .zero }
    return Deadline(wall: both, processor: processors.isEmpty ? nil : work)
  }

  /// The moment at which so much of the time that is left now will have passed.
  func share(_ share: Double) -> Deadline {
    let rest = remaining() * (1 - share)
    return Deadline { [self] in max(.zero, remaining() - rest) }
  }

  /// How long the calling thread has run.
  static var timeOfThread: Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }
}
