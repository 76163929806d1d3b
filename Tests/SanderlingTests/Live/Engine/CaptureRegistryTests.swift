import Testing

@testable import Sanderling

/// The registry's knowledge of the writer, with any events between a goal and its answer.
@Suite struct CaptureRegistryTests {
  /// The tables that the writer follows. The test plays the role of its queue.
  private let followed = FollowedTables()
  private let registry: CaptureRegistry

  init() {
    registry = CaptureRegistry(followed: followed)
    registry.add([])
  }

  /// The writer has reached its goal, and its answer is on its way.
  private func pursue(_ goal: CaptureGoal) -> CaptureState {
    followed.replace(by: goal.followedTables)
    return CaptureState(layouts: [:], obstacles: [:])
  }

  private func reachGoals() {
    while let goal = registry.nextGoal() { registry.answered(pursue(goal)) }
  }

  /// A query determines its tables anew while the writer's answer is on its way. Formerly its table was not captured
  /// afterwards, because the registry believed the outdated answer.
  @Test func whatIsTakenFromTheWriterBeforeItsAnswerIsAskedForAgain() throws {
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

  @Test func whatIsTakenFromTheWriterBeforeItActsIsNotFollowedForGood() throws {
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

  @Test func aFailureBeforeWhichAnotherTryWasWantedLeadsToOne() throws {
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

  @Test func whatIsReachedIsNotAskedForAgain() {
    registry.follow(["tag"])
    reachGoals()
    #expect(registry.nextGoal() == nil)
    registry.unfollow(["tag"])
    #expect(registry.nextGoal() == nil)
    #expect(followed.isEmpty)
  }
}
