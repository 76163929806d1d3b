import Testing

@testable import SanderlingDiagnosis

/// Runs a test by a clock of its own, on which time passes with questions about the time that is left. Budgets end at the same place of the work on each
/// machine, however slow it is and whatever else it does.
struct CountedTime: SuiteTrait, TestTrait, TestScoping {
  /// About the time that SQLite works between two questions.
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
  @Test(.countedTime) func onlyQuestionsTakeTime() {
    let (deadline, other) = (Deadline(afterWorking: CountedTime.ofQuestion * 100), Deadline(after: .seconds(1)))
    let start = Deadline.timeOfThread
    for _ in 0..<98 { _ = other.remaining() }
    #expect(deadline.remaining() == CountedTime.ofQuestion)
    #expect(deadline.hasPassed)
    #expect(Deadline.timeOfThread - start == CountedTime.ofQuestion * 100)
  }
}
