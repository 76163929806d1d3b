/// How many changes a transaction applies, so that it takes some milliseconds: rows may have ten letters or ten million.
struct SlicePace: Sendable {
  /// How long a transaction is to take, its commit included.
  static let target = Duration.milliseconds(8)
  private static let most = 8192
  static let fewest = 64

  private(set) var changes: Int

  /// - Parameter changes: Of the first transaction.
  init(changes: Int = fewest) { self.changes = changes }

  /// - Parameters:
  ///   - work: How long the changes took.
  ///   - total: How long the transaction took, with its commit. A disk that takes long for any commit takes no longer
  ///     for some more changes.
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
