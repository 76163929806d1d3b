import Testing

@testable import Sanderling

/// The registry's knowledge of the tables that the writer captures, with other events between a goal and the writer's
/// answer.
@Suite struct CaptureRegistryTests {
  /// The tables that the writer follows. The test acts as the writer's queue.
  private let followed = FollowedTables()
  private let registry: CaptureRegistry

  init() {
    registry = CaptureRegistry(followed: followed)
    registry.add([])
  }

  /// Reaches a goal as the writer does, and returns the answer, which the registry has not received yet.
  private func pursue(_ goal: CaptureGoal) -> CaptureState {
    followed.replace(by: goal.followedTables)
    return CaptureState(layouts: [:], obstacles: [:])
  }

  private func reachGoals() {
    while let goal = registry.nextGoal() { registry.answered(pursue(goal)) }
  }

  /// A query releases and requests its table while the writer's answer is under way. Formerly the registry believed the
  /// outdated answer, so that the table was no longer captured.
  @Test func tableRequestedAgainDuringAnAnswerIsCapturedAgain() throws {
    registry.follow(["tag"])
    reachGoals()
    registry.follow(["note"])
    let state = pursue(try #require(registry.nextGoal()))
    registry.unfollow(["tag"])
    registry.follow(["tag"])
    registry.answered(state)
    #expect(!registry.follows(["tag"]))
    #expect(registry.follows(["note"]))
    reachGoals()
    #expect(registry.follows(["tag", "note"]))
    #expect(followed.contains("tag") && followed.contains("note"))
  }

  @Test func tableReleasedBeforeTheWriterActsIsNotFollowed() throws {
    registry.follow(["tag"])
    reachGoals()
    registry.follow(["note"])
    let goal = try #require(registry.nextGoal())
    registry.unfollow(["tag"])
    registry.answered(pursue(goal))
    reachGoals()
    #expect(registry.follows(["note"]))
    #expect(!followed.contains("tag"))
  }

  @Test func retryRequestedBeforeAFailureIsMade() throws {
    registry.follow(["tag"])
    _ = try #require(registry.nextGoal())
    #expect(!registry.failed(CancellationError()))
    #expect(registry.nextGoal() == nil)
    registry.retry()
    _ = try #require(registry.nextGoal())
    registry.retry()
    #expect(registry.failed(CancellationError()))
    reachGoals()
    #expect(registry.follows(["tag"]))
  }

  @Test func reachedGoalIsNotRequestedAgain() {
    registry.follow(["tag"])
    reachGoals()
    #expect(registry.nextGoal() == nil)
    registry.unfollow(["tag"])
    #expect(registry.nextGoal() == nil)
    #expect(followed.isEmpty)
  }
}
