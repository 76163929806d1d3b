import Foundation

/// A moment by which work has to end, on the clock on the wall, and perhaps by the time that its thread ran, too.
struct Deadline: Sendable {
  /// The most time on the wall clock for so much work of a thread, with its waits for disks and other processes.
  static func patience(_ work: Duration) -> Duration { work * 3.0 + .seconds(1) }

  /// On the clock on the wall; nil for no end.
  private var end: ContinuousClock.Instant?
  /// By what the thread has run; nil for no end.
  private var endOfWork: Duration?
  /// The time that is left on other clocks, which may stand still or leap: each is asked each time.
  private var others: [@Sendable () -> Duration] = []

  /// Work without an end in time.
  static let never = Deadline()

  private static let endless = Duration.seconds(Int64.max / 4)

  private init() {}

  /// - Parameter remaining: The time that is left on any clock; zero once the moment has come.
  init(remaining: @escaping @Sendable () -> Duration) {
    others = [remaining]
  }

  /// A time from now on the clock on the wall.
  init(after duration: Duration) {
    end = WorkClock.current.now.advanced(by: duration)
  }

  /// A time from now by what the calling thread runs, which has to be the one that works: what other processes take doesn't
  /// count, up to the `patience`.
  init(afterWorking duration: Duration) {
    end = WorkClock.current.now.advanced(by: Self.patience(duration))
    endOfWork = Self.timeOfThread + duration
  }

  /// The time that is left; zero once the moment has come.
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

  /// Both moments: the one that comes first ends the work. To ask takes no longer than of one, however many limits lie within each other.
  func earlier(_ other: Deadline) -> Deadline {
    var both = self
    both.end = [end, other.end].compactMap(\.self).min()
    both.endOfWork = [endOfWork, other.endOfWork].compactMap(\.self).min()
    both.others += other.others
    return both
  }

  /// The moment at which so much of the time that is left now will have passed.
  func share(_ share: Double) -> Deadline {
    let rest = remaining() * (1 - share)
    return Deadline { [self] in max(.zero, remaining() - rest) }
  }

  /// How long the calling thread has run.
  static var timeOfThread: Duration { WorkClock.current.timeOfThread }
}
