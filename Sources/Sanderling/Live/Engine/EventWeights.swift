/// How many rows of a batch each query was told of, which decides whether reading it again costs less than looking at more.
struct EventWeights {
  /// Nil for a small batch, of which that doesn't matter.
  private var counts: [FollowedQuery: Int]?

  private static let leastCount = 256
  /// About what it takes to decide what a row does to a query.
  private static let durationOfEvent = Duration.nanoseconds(500)

  init(_ changes: CapturedChanges) {
    counts = changes.tables.values.contains { $0.count >= Self.leastCount } ? [:] : nil
  }

  /// Notes that a query is told of another row.
  ///
  /// - Returns: Whether reading it costs less than to go on.
  mutating func isTooMuch(for query: FollowedQuery) -> Bool {
    guard counts != nil else { return false }
    let count = (counts?[query] ?? 0) + 1
    counts?[query] = count
    return count >= Self.leastCount && Self.durationOfEvent * count > query.loadDuration
  }
}
