import Foundation
import Synchronization

/// The clocks that end work: that on the wall, and the time that the calling thread has run.
enum WorkClock: Sendable {
  case machine
  /// Time passes with questions about the time that is left, and stands still between them: work ends at the same place on each machine.
  case counted(Questions)

  /// The clock of all deadlines in a task: the machine's, unless a test counts.
  @TaskLocal static var current = WorkClock.machine

  /// The moment on the wall.
  var now: ContinuousClock.Instant {
    switch self {
    case .machine: .now
    case .counted(let questions): questions.start + questions.elapsed
    }
  }

  /// How long the calling thread has run.
  var timeOfThread: Duration {
    switch self {
    case .machine:
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    case .counted(let questions): return questions.elapsed
    }
  }

  /// Somebody asks for the time that is left.
  func ask() {
    if case .counted(let questions) = self { questions.ask() }
  }

  /// Counts questions. Each question takes the same time.
  final class Questions: Sendable {
    fileprivate let start = ContinuousClock.now
    private let duration: Duration
    private let count = Atomic(0)

    /// - Parameter duration: The time that passes with each question.
    init(each duration: Duration) {
      self.duration = duration
    }

    var asked: Int { count.load(ordering: .relaxed) }
    fileprivate var elapsed: Duration { duration * asked }
    fileprivate func ask() { count.add(1, ordering: .relaxed) }
  }
}
