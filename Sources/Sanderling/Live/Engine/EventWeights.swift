/// The number of changed rows of a batch that reached each query. It decides whether a reload costs less than applying
/// more rows.
struct EventWeights {
  /// Nil for a small batch, for which the cost doesn't matter.
  private var counts: [FollowedQuery: Int]?

  private static let leastCount = 256
  /// The approximate time for applying one changed row to a query.
  private static let durationOfEvent = Duration.nanoseconds(500)

  init(_ changes: CapturedChanges) {
    counts = changes.tables.values.contains { $0.count >= Self.leastCount } ? [:] : nil
  }

  /// Counts another row that reached a query.
  ///
  /// - Returns: Whether a reload costs less than going on.
  mutating func isTooMuch(for query: FollowedQuery) -> Bool {
    guard counts != nil else { return false }
    let count = (counts?[query] ?? 0) + 1
    counts?[query] = count
    return count >= Self.leastCount && Self.durationOfEvent * count > query.loadDuration
  }
}
