import Foundation
import Synchronization

/// The clocks that end work: the wall clock, and the running time of the calling thread.
enum WorkClock: Sendable {
  case machine
  /// A clock that only advances when the remaining time is read. Work ends at the same place on each machine.
  case counted(Questions)

  /// The clock of all deadlines in a task: the machine's, or a counted clock in tests.
  @TaskLocal static var current = WorkClock.machine

  /// The moment on the wall clock.
  var now: ContinuousClock.Instant {
    switch self {
    case .machine: .now
    case .counted(let questions): questions.start + questions.elapsed
    }
  }

  /// The running time of the calling thread.
  var timeOfThread: Duration {
    switch self {
    case .machine:
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    case .counted(let questions): return questions.elapsed
    }
  }

  /// Counts a reading of the remaining time.
  func ask() {
    if case .counted(let questions) = self { questions.ask() }
  }

  /// Counts readings of the clock. Each reading takes the same time.
  final class Questions: Sendable {
    fileprivate let start = ContinuousClock.now
    private let duration: Duration
    private let count = Atomic(0)

    /// - Parameter duration: The time that passes with each reading.
    init(each duration: Duration) {
      self.duration = duration
    }

    var asked: Int { count.load(ordering: .relaxed) }
    fileprivate var elapsed: Duration { duration * asked }
    fileprivate func ask() { count.add(1, ordering: .relaxed) }
  }
}
