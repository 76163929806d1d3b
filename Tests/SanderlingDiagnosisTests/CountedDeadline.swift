import Synchronization

@testable import SanderlingDiagnosis

extension Deadline {
  /// Comes when the work has asked so many times for the time that is left: at the same place on each machine.
  static func afterQuestions(_ most: Int) -> Deadline {
    let questions = Questions()
    return Deadline { questions.count.add(1, ordering: .relaxed).newValue > most ? .zero : .seconds(60) }
  }

  private final class Questions: Sendable {
    let count = Atomic(0)
  }
}
