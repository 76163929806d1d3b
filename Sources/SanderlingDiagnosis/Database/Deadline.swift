import Foundation

/// A moment when work must end: a time on the wall clock and, optionally, a limit on the thread's own running time.
struct Deadline: Sendable {
  /// The longest time on the wall clock for a given amount of a thread's work. The difference allows for waits for
  /// disks and other processes.
  static func patience(_ work: Duration) -> Duration { work * 3.0 + .seconds(1) }

  /// On the wall clock; nil for no limit.
  private var end: ContinuousClock.Instant?
  /// In the thread's running time; nil for no limit.
  private var endOfWork: Duration?
  /// The remaining times on other clocks, which may stand still or jump. Each is read at each check.
  private var others: [@Sendable () -> Duration] = []

  /// No limit.
  static let never = Deadline()

  private static let endless = Duration.seconds(Int64.max / 4)

  private init() {}

  /// - Parameter remaining: The remaining time on any clock; zero once the moment is reached.
  init(remaining: @escaping @Sendable () -> Duration) {
    others = [remaining]
  }

  /// A duration from now on the wall clock.
  init(after duration: Duration) {
    end = WorkClock.current.now.advanced(by: duration)
  }

  /// A duration of the calling thread's running time from now. The calling thread must do the work. Time that other
  /// processes use is not counted, up to the `patience`.
  init(afterWorking duration: Duration) {
    end = WorkClock.current.now.advanced(by: Self.patience(duration))
    endOfWork = Self.timeOfThread + duration
  }

  /// The remaining time; zero once the moment is reached.
  func remaining() -> Duration {
    var least = Self.endless
    let clock = WorkClock.current
    clock.ask()
    if let end { least = min(least, clock.now.duration(to: end)) }
    if let endOfWork { least = min(least, endOfWork - clock.timeOfThread) }
    for remaining in others { least = min(least, remaining()) }
    return max(.zero, least)
  }

  var hasPassed: Bool { remaining() <= .zero }

  /// Both limits: the earlier one ends the work. A check takes the same time however many limits are nested.
  func earlier(_ other: Deadline) -> Deadline {
    var both = self
    both.end = [end, other.end].compactMap(\.self).min()
    both.endOfWork = [endOfWork, other.endOfWork].compactMap(\.self).min()
    both.others += other.others
    return both
  }

  /// The moment at which the given share of the remaining time will have passed.
  func share(_ share: Double) -> Deadline {
    let rest = remaining() * (1 - share)
    return Deadline { [self] in max(.zero, remaining() - rest) }
  }

  /// The running time of the calling thread.
  static var timeOfThread: Duration { WorkClock.current.timeOfThread }
}
