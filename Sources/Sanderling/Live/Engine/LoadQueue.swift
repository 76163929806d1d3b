/// Decides which queries are read now. It limits how often a query is rerun, and how many readers work beside the
/// turns. Confined to the engine's turns.
final class LoadQueue {
  private let indexes: QueryIndexes
  /// The number of readers that still read for earlier turns.
  private var readerCount = 0

  /// The number of earlier turns whose readers may still read when another turn begins.
  static let greatestReaderCount = 2
  /// The least time between two reruns of a query.
  static let requeryInterval = Duration.milliseconds(200)

  init(_ indexes: QueryIndexes) {
    self.indexes = indexes
  }

  /// The queries to be read now.
  ///
  /// - Parameter isUrgent: Whether a caller waits for rerun queries.
  func due(isUrgent: Bool, now: Duration) -> [FollowedQuery] {
    hasFreeReader ? indexes[.due].filter { Self.isDue($0, isUrgent, now) } : []
  }

  /// Whether any query is to be read now.
  func hasDue(isUrgent: Bool, now: Duration) -> Bool {
    hasFreeReader && indexes[.due].contains { Self.isDue($0, isUrgent, now) }
  }

  /// The time of the next rerun; nil if there is none, and while all readers are busy.
  var nextTime: Duration? {
    hasFreeReader ? indexes[.due].compactMap(\.lastLoad).min().map { $0 + Self.requeryInterval } : nil
  }

  private static func isDue(_ query: FollowedQuery, _ isUrgent: Bool, _ now: Duration) -> Bool {
    isUrgent || query.lastLoad.map { now >= $0 + requeryInterval } ?? true
  }

  // MARK: Readers

  /// Whether a turn may leave loads to a reader.
  var hasFreeReader: Bool { readerCount < Self.greatestReaderCount }

  /// A reader begins with the loads of a turn.
  func readerBegan() {
    readerCount += 1
  }

  /// A reader has finished its loads.
  func readerEnded() {
    readerCount -= 1
  }
}
