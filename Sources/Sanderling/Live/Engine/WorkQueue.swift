/// Decides which query does the next slice of background work, in rotation. Confined to the engine's turns.
final class WorkQueue {
  private let indexes: QueryIndexes
  /// The query that did the last slice.
  private var last = 0

  init(_ indexes: QueryIndexes) {
    self.indexes = indexes
  }

  /// The next query in rotation, by number.
  func next() -> FollowedQuery? {
    let working = indexes[.working]
    let next =
      working.filter { $0.number > last }.min { $0.number < $1.number } ?? working.min { $0.number < $1.number }
    if let next { last = next.number }
    return next
  }
}
