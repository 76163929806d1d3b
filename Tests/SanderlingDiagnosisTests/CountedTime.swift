import Testing

@testable import SanderlingDiagnosis

/// Runs a test by a clock that advances with each question about the time left. Budgets then end at the same place of
/// the work on each machine, whatever its speed and load.
struct CountedTime: SuiteTrait, TestTrait, TestScoping {
  /// The advance of the clock with each question: about the time that SQLite works between two questions.
  static let ofQuestion = Duration.microseconds(200)

  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await WorkClock.$current.withValue(.counted(WorkClock.Questions(each: Self.ofQuestion))) {
      try await function()
    }
  }
}

extension Trait where Self == CountedTime {
  static var countedTime: Self { CountedTime() }
}

struct CountedTimeTests {
  @Test(.countedTime) func onlyQuestionsToADeadlineTakeTime() {
    let (deadline, other) = (Deadline(afterWorking: CountedTime.ofQuestion * 100), Deadline(after: .seconds(1)))
    let start = Deadline.timeOfThread
    for _ in 0..<98 { _ = other.remaining() }
    #expect(deadline.remaining() == CountedTime.ofQuestion)
    #expect(deadline.hasPassed)
    #expect(Deadline.timeOfThread - start == CountedTime.ofQuestion * 100)
  }
}
