/// The number of changed rows of a batch that each query received. It decides when a reload costs less than further
/// rows.
struct EventWeights {
  /// The counts; nil for a small batch, where they don't matter.
  private var counts: [FollowedQuery: Int]?

  private static let leastCount = 256
  /// About the time to decide how a row changes a query.
  private static let durationOfEvent = Duration.nanoseconds(500)

  init(_ changes: CapturedChanges) {
    counts = changes.tables.values.contains { $0.count >= Self.leastCount } ? [:] : nil
  }

  /// Counts another row that a query receives.
  ///
  /// - Returns: Whether a reload costs less than the query's rows so far.
  mutating func isTooMuch(for query: FollowedQuery) -> Bool {
    guard counts != nil else { return false }
    let count = (counts?[query] ?? 0) + 1
    counts?[query] = count
    return count >= Self.leastCount && Self.durationOfEvent * count > query.loadDuration
  }
}
