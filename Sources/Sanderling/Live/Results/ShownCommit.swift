/// The last commit that the content of a live result is known to contain. While the content is the same the commit
/// never goes back, also not when the engine begins to read the query again.
struct ShownCommit {
  private var commit: Commit?
  /// The number of the value that is shown.
  private var number: UInt64 = 0

  /// The last commit that a value is known to contain, which may be later than the commit of its publication.
  mutating func latest<Published>(
    _ commit: Commit, number: UInt64, of feed: LiveFeed<Published>, engine: LiveEngine
  ) -> Commit {
    // The order of the reads matters: the engine publishes to feeds before it marks a commit as processed.
    let processed = engine.processedCommit
    let isFollowing = feed.isFollowing && feed.newest?.number == number
    return note(isFollowing ? max(commit, processed) : commit, number: number)
  }

  /// Notes that a value contains a commit.
  ///
  /// - Returns: The last commit that it is known to contain.
  @discardableResult
  mutating func note(_ commit: Commit, number: UInt64) -> Commit {
    let latest = self.number == number ? max(self.commit ?? commit, commit) : commit
    (self.commit, self.number) = (latest, number)
    return latest
  }
}
