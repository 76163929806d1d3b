/// Decides which queries are read now: no rerun query more often than the interval, and with no more than some readers.
/// Confined to the engine's turns.
final class LoadQueue {
  private let indexes: QueryIndexes
  /// The number of ended turns whose loads still run.
  private var readerCount = 0

  /// The most ended turns whose loads may run when another turn begins.
  static let greatestReaderCount = 2
  /// The least time between two loads of a rerun query.
  static let requeryInterval = Duration.milliseconds(200)

  init(_ indexes: QueryIndexes) {
    self.indexes = indexes
  }

  /// The queries to be read now.
  ///
  /// - Parameter isUrgent: Whether reruns begin without the interval, since a caller waits for them.
  func due(isUrgent: Bool, now: Duration) -> [FollowedQuery] {
    hasFreeReader ? indexes[.due].filter { Self.isDue($0, isUrgent, now) } : []
  }

  /// Whether a query is to be read now.
  func hasDue(isUrgent: Bool, now: Duration) -> Bool {
    hasFreeReader && indexes[.due].contains { Self.isDue($0, isUrgent, now) }
  }

  /// The time at which the next delayed rerun may begin; nil for none, and while no reader is free.
  var nextTime: Duration? {
    hasFreeReader ? indexes[.due].compactMap(\.lastLoad).min().map { $0 + Self.requeryInterval } : nil
  }

  private static func isDue(_ query: FollowedQuery, _ isUrgent: Bool, _ now: Duration) -> Bool {
    isUrgent || query.lastLoad.map { now >= $0 + requeryInterval } ?? true
  }

  // MARK: Readers

  /// Whether a turn may leave loads to a reader.
  var hasFreeReader: Bool { readerCount < Self.greatestReaderCount }

  /// Notes that a reader begins the work that a turn left.
  func readerBegan() {
    readerCount += 1
  }

  /// Notes that a reader has ended its work.
  func readerEnded() {
    readerCount -= 1
  }
}
