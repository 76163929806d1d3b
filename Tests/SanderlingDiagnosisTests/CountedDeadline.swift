import Synchronization
import Testing

@testable import SanderlingDiagnosis

extension Deadline {
  /// Comes when the work has asked so many times for the time that is left: at the same place on each machine.
  static func afterQuestions(_ most: Int) -> Deadline {
    let questions = Questions()
    return Deadline { questions.count.add(1, ordering: .relaxed).newValue > most ? .zero : .seconds(60) }
  }

  /// Has always as much time left: however slow the machine is, only what work is given in particular ends it.
  static let standingStill = Deadline { .seconds(60) }

  final class Questions: Sendable {
    let count = Atomic(0)

    var asked: Int { count.load(ordering: .relaxed) }
  }

  /// A minute that passes with the questions about it, and is over after so many.
  static func passing(with questions: Questions, _ most: Int) -> Deadline {
    Deadline {
      let left = max(0, most - questions.count.add(1, ordering: .relaxed).newValue)
      return Duration.seconds(60) * (Double(left) / Double(most))
    }
  }
}
