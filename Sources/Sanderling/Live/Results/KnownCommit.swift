/// The last commit that the shown value of a live result is known to equal. It never goes back while the value is
/// shown, even when the engine reads the query again.
struct KnownCommit {
  private var commit: Commit?
  /// The number of the shown value.
  private var number: UInt64 = 0

  /// Returns the last commit that a value is known to equal. It may be later than the commit that the value was
  /// published with.
  mutating func latest<Published>(
    _ commit: Commit, number: UInt64, of feed: LiveFeed<Published>, engine: LiveEngine
  ) -> Commit {
    // This order matters: the engine updates the feeds before it marks a commit as processed.
    let processed = engine.processedCommit
    let isFollowing = feed.isFollowing && feed.newest?.number == number
    return note(isFollowing ? max(commit, processed) : commit, number: number)
  }

  /// Notes a commit that a value equals.
  ///
  /// - Returns: The last commit that the value is known to equal.
  @discardableResult
  mutating func note(_ commit: Commit, number: UInt64) -> Commit {
    let latest = self.number == number ? max(self.commit ?? commit, commit) : commit
    (self.commit, self.number) = (latest, number)
    return latest
  }
}
