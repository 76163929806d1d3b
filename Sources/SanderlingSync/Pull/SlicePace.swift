/// How many changes a transaction applies, so that it takes some milliseconds: rows may have ten letters or ten million.
struct SlicePace: Sendable {
  /// How long a transaction is to take, its commit included.
  static let target = Duration.milliseconds(8)
  private static let most = 8192

  private(set) var changes = 32

  mutating func note(_ duration: Duration) {
    if duration < Self.target / 2 {
      changes = min(changes * 2, Self.most)
    } else if duration > Self.target * 3 / 2 {
      changes = max(changes / 2, 1)
    }
  }
}
