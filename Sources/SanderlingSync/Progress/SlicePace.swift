/// The number of changes per transaction, chosen so that a transaction takes some milliseconds. Rows may have ten
/// letters or ten million.
struct SlicePace: Sendable {
  /// The target duration of a transaction, including its commit.
  static let target = Duration.milliseconds(8)
  private static let most = 8192
  static let fewest = 64

  private(set) var changes: Int

  /// - Parameter changes: The number for the first transaction.
  init(changes: Int = fewest) { self.changes = changes }

  /// - Parameters:
  ///   - work: The time for the changes.
  ///   - total: The time of the transaction with its commit. If the disk is slow at any commit, it isn't slower for
  ///     some more changes.
  mutating func note(work: Duration, total: Duration) {
    if work > Self.target * 3 / 2 {
      changes = max(changes / 2, 1)
    } else if total > Self.target * 3 / 2 {
      changes = max(changes / 2, min(changes, Self.fewest))
    } else if total < Self.target / 2 {
      changes = min(changes * 2, Self.most)
    }
  }
}
