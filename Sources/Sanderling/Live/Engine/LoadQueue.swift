/// Decides which queries are read now: no query that is run again more often than the interval, and beside no more than some readers.
/// Confined to the engine's turns.
final class LoadQueue {
  private let indexes: QueryIndexes
  /// How many turns are over whose readers still read.
  private var readerCount = 0

  /// How many turns may still be reading queries when another begins.
  static let greatestReaderCount = 2
  /// How often a query is run again at most.
  static let requeryInterval = Duration.milliseconds(200)

  init(_ indexes: QueryIndexes) {
    self.indexes = indexes
  }

  /// The queries that are to be read now.
  ///
  /// - Parameter isUrgent: Whether someone waits for queries that are run again.
  func due(isUrgent: Bool, now: Duration) -> [FollowedQuery] {
    hasFreeReader ? indexes[.due].filter { Self.isDue($0, isUrgent, now) } : []
  }

  /// Whether something is to be read now.
  func hasDue(isUrgent: Bool, now: Duration) -> Bool {
    hasFreeReader && indexes[.due].contains { Self.isDue($0, isUrgent, now) }
  }

  /// When the next query may be run again that waits for its turn; nil for none, and while all readers read.
  var nextTime: Duration? {
    hasFreeReader ? indexes[.due].compactMap(\.lastLoad).min().map { $0 + Self.requeryInterval } : nil
  }

  private static func isDue(_ query: FollowedQuery, _ isUrgent: Bool, _ now: Duration) -> Bool {
    isUrgent || query.lastLoad.map { now >= $0 + requeryInterval } ?? true
  }

  // MARK: Readers

  /// Whether a turn may leave something to be read when it is over.
  var hasFreeReader: Bool { readerCount < Self.greatestReaderCount }

  /// A reader begins to read what a turn leaves to it.
  func readerBegan() {
    readerCount += 1
  }

  /// A reader has read all that it was given.
  func readerEnded() {
    readerCount -= 1
  }
}
