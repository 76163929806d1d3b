import Synchronization
import Testing

@testable import SanderlingDiagnosis

extension Deadline {
  /// A deadline that ends after the work has asked `most` times for the time left, at the same place on each machine.
  static func afterQuestions(_ most: Int) -> Deadline {
    let questions = Questions()
    return Deadline { questions.count.add(1, ordering: .relaxed).newValue > most ? .zero : .seconds(60) }
  }

  /// A deadline that always has a minute left. Only the budgets of single steps end the work, however slow the machine
  /// is.
  static let standingStill = Deadline { .seconds(60) }

  final class Questions: Sendable {
    let count = Atomic(0)

    var asked: Int { count.load(ordering: .relaxed) }
  }

  /// A minute that passes with each question about the time left, and ends after `most` questions.
  static func passing(with questions: Questions, _ most: Int) -> Deadline {
    Deadline {
      let left = max(0, most - questions.count.add(1, ordering: .relaxed).newValue)
      return Duration.seconds(60) * (Double(left) / Double(most))
    }
  }
}
