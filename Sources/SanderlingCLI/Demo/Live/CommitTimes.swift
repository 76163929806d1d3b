import Sanderling

/// The times at which the transactions of an import began to commit.
final class CommitTimes: Sendable {
  typealias Entry = (number: UInt64, time: ContinuousClock.Instant)

  /// Guards the times, which the writing tasks add.
  private let entries = Lock<[Entry]>([])

  func append(_ commit: Commit, _ time: ContinuousClock.Instant) {
    entries.withLock { $0.append((commit.number, time)) }
  }

  /// The times in the order of the commits.
  var sorted: [Entry] {
    entries.withLock { $0.sorted { $0.number < $1.number } }
  }
}
