/// The last commit that what a live result shows is known to stand for. While the same is shown it doesn't go back, also when the
/// engine has begun to read it again.
struct ShownCommit {
  private var commit: Commit?
  /// The number of the value that is shown.
  private var number: UInt64 = 0

  /// The last commit that a value is known to stand for, which may be a later one than it was published with.
  mutating func latest<Published>(
    _ commit: Commit, number: UInt64, of feed: LiveFeed<Published>, engine: LiveEngine
  ) -> Commit {
    // Read in this order: the engine tells feeds what is new, or to come, before it says that a commit is processed.
    let processed = engine.processedCommit
    let isFollowing = feed.isFollowing && feed.newest?.number == number
    return note(isFollowing ? max(commit, processed) : commit, number: number)
  }

  /// Notes that a value stands for a commit.
  ///
  /// - Returns: The last commit that it is known to stand for.
  @discardableResult
  mutating func note(_ commit: Commit, number: UInt64) -> Commit {
    let latest = self.number == number ? max(self.commit ?? commit, commit) : commit
    (self.commit, self.number) = (latest, number)
    return latest
  }
}
