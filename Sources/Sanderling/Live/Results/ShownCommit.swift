/// The last commit that what a live result shows is known to stand for. While the same is shown it doesn't go back, also when the
/// engine has begun to read it again.
struct ShownCommit {
  private var commit: Commit?
  /// The number of the value that is shown.
  private var number: UInt64 = 0

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
