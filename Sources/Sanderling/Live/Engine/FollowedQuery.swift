/// A live query as the engine follows it: its phase, its noted changes, its work, its news and its consumers. Confined
/// to the engine's turns, so no lock guards it.
///
/// ``QueryRegistry`` makes the object for the query's first consumer. ``QueryRegistry/remove(_:)`` ends the query when
/// the last consumer leaves or another query takes its place. A failure, `erase()`, `migrate(_:)`, a suspension and
/// `close()` end no query: they move the query to another phase. When the engine is released, its queries are released
/// with the registry.
///
/// ``QueryIndexes`` keeps the queries of each kind. Each change of the object updates it.
final class FollowedQuery: RoutedQuery {
  /// The phase of a query on its way to following the database.
  enum Phase {
    /// The query is read once the rows that it depends on are captured.
    case waiting
    /// The query must be read, for the first time or again. With `holdsNews`, the news of other queries wait for it,
    /// so that all changes of a commit appear together.
    case due(holdsNews: Bool)
    case loading(Load)
    /// The query could not be read.
    case failed(any Error)
    case current(Upkeep)
    /// The query has no consumers any more.
    case ended
  }

  /// A load at the snapshot of an ended turn. Changes since then are noted.
  struct Load {
    /// The number of the load among the loads of the query.
    let number: UInt32
    var holdsNews: Bool
    /// Whether changes since the snapshot must be applied after the load.
    var hasChanged = false
    /// Whether the query must be read again after the load.
    var isOutdated = false
  }

  /// The remaining work of a query that was read.
  struct Upkeep {
    /// The snapshot that the query was read at.
    let mark: SnapshotMark?
    /// Whether the query is dirty.
    var hasNoted: Bool
    /// Whether the query has background work.
    var hasWork = false
  }

  /// The number of the query, unique in the engine.
  let number: Int
  let key: LiveQueryKey
  let values: any LiveQuery
  /// Whether the query is rerun and not maintained.
  let isRunAgain: Bool
  /// Whether the query itself could be maintained, but is rerun. Either a table can't be captured, or some row prevents
  /// it, such as a row with the key NULL. A change of the schema may end both reasons.
  let couldBeMaintained: Bool
  /// The way on which changes reach the query. ``LiveRoutes`` alone writes it.
  var route = LiveRoutes<FollowedQuery>.Route()
  /// The subscribers of the query. Only ``QueryRegistry`` changes them.
  var consumers = FewValues<LiveConsumerID, any QueryConsumer>()

  private(set) var phase = Phase.waiting { didSet { updateIndexes() } }
  /// Whether the query has news that its subscribers did not get yet.
  var hasNews = false { didSet { updateIndexes() } }
  /// Whether the writer refused to capture the query's needs, and is not asked again yet.
  var isRefused = false { didSet { updateIndexes() } }
  /// The time at which the last load began, if the query is rerun.
  private(set) var lastLoad: Duration?
  private var lastLoadNumber: UInt32 = 0
  /// The duration of the last load, in microseconds. Before the first load, a short one is assumed.
  private var readingTime: UInt32 = 200

  private unowned let indexes: QueryIndexes
  /// The kinds under which the indexes hold the query.
  private var kinds: QueryIndexes.Kinds = []

  init(_ number: Int, _ key: LiveQueryKey, runAgain reason: RequeryReason?, _ indexes: QueryIndexes) {
    self.number = number
    self.key = key
    values = key.makeQuery(runAgain: reason)
    isRunAgain = values.requeryReason != nil
    couldBeMaintained = reason != nil
    self.indexes = indexes
    updateIndexes()
  }

  /// The greatest window of its consumers.
  var window: Int { consumers.values.map(\.window).max() ?? 0 }

  private func updateIndexes() {
    let new = currentKinds
    if new == kinds { return }
    indexes.move(self, from: kinds, to: new)
    kinds = new
  }

  private var currentKinds: QueryIndexes.Kinds {
    var kinds: QueryIndexes.Kinds = []
    switch phase {
    case .waiting: kinds = .waiting
    case .due(let holdsNews): kinds = holdsNews ? [.due, .holding] : .due
    case .loading(let load): kinds = load.holdsNews ? [.loading, .holding] : .loading
    case .failed: kinds = .failed
    case .current(let upkeep):
      if upkeep.hasNoted { kinds.insert(.noted) }
      if upkeep.hasWork { kinds.insert(.working) }
    case .ended: return []
    }
    if hasNews { kinds.insert(.undelivered) }
    if isRefused { kinds.insert(.refused) }
    return kinds
  }
}

extension FollowedQuery: Hashable {
  static func == (one: FollowedQuery, other: FollowedQuery) -> Bool { one === other }

  func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

// MARK: - State

extension FollowedQuery {
  var isLoading: Bool { if case .loading = phase { true } else { false } }

  var isCurrent: Bool { if case .current = phase { true } else { false } }

  /// The error of the failed load.
  var failure: (any Error)? { if case .failed(let error) = phase { error } else { nil } }

  /// Whether the query is current or has failed.
  var isRead: Bool { isCurrent || failure != nil }

  /// Whether the query equals a fresh SELECT at the latest processed commit.
  var isUpToDate: Bool { if case .current(let upkeep) = phase { !upkeep.hasNoted } else { false } }

  /// Whether the query is up to date or has failed.
  var isSettled: Bool { isUpToDate || failure != nil }

  /// Whether the query is current since a load at the snapshot of a mark.
  func wasRead(in mark: SnapshotMark?) -> Bool {
    guard let mark, case .current(let upkeep) = phase else { return false }
    return upkeep.mark == mark
  }

  /// The time of a load, with the background work that follows.
  var loadDuration: Duration { .microseconds(readingTime) + values.workDuration }
}

// MARK: - Transitions

extension FollowedQuery {
  /// Notes that the rows that the query depends on are captured.
  func prepare() {
    if case .waiting = phase { phase = .due(holdsNews: false) }
  }

  /// Notes that the rows that the query depends on may not be captured. The news of other queries don't wait for it,
  /// since its next load may be long in coming.
  func unprepare() {
    switch phase {
    case .ended: break
    case .loading(var load):
      load.isOutdated = true
      load.holdsNews = false
      phase = .loading(load)
    default: phase = .waiting
    }
  }

  /// Requests a reload. A failed query begins with ``unprepare()`` instead.
  func outdate() {
    switch phase {
    case .waiting, .due, .failed, .ended: break
    case .loading(var load):
      load.isOutdated = true
      phase = .loading(load)
    case .current: phase = .due(holdsNews: !isRunAgain)
    }
  }

  /// Makes the query dirty. A load under way is tried again if it fails.
  func noteChange() {
    switch phase {
    case .loading(var load) where !load.hasChanged:
      load.hasChanged = true
      phase = .loading(load)
    case .current(var upkeep) where !upkeep.hasNoted:
      upkeep.hasNoted = true
      phase = .current(upkeep)
    default: break
    }
  }

  /// Notes that its changes are applied now.
  func takeChanges() {
    guard case .current(var upkeep) = phase else { return }
    upkeep.hasNoted = false
    phase = .current(upkeep)
  }

  /// Updates the index of queries with background work.
  func updateWork() {
    guard case .current(var upkeep) = phase, upkeep.hasWork != values.hasWork else { return }
    upkeep.hasWork.toggle()
    phase = .current(upkeep)
  }

  /// Begins a load.
  ///
  /// - Precondition: The query is due.
  /// - Returns: The number of the load.
  func beginLoad(now: Duration) -> UInt32 {
    guard case .due(let holdsNews) = phase else { preconditionFailure("a query that is read is due") }
    if isRunAgain { lastLoad = now }
    lastLoadNumber += 1
    phase = .loading(Load(number: lastLoadNumber, holdsNews: holdsNews))
    return lastLoadNumber
  }

  /// Whether a load is the last one, and has neither ended nor been given up.
  func isUnderWay(_ load: UInt32) -> Bool {
    if case .loading(let last) = phase { last.number == load } else { false }
  }

  /// Ends a load. A query that was invalidated meanwhile waits again: the rows that it depends on may not be captured
  /// any more.
  ///
  /// - Precondition: The query is being read.
  /// - Parameter mark: The snapshot that the query was read at.
  func endLoad(after duration: Duration, mark: SnapshotMark?) {
    guard case .loading(let load) = phase else { preconditionFailure("a load that ends is under way") }
    readingTime = UInt32(clamping: Int64(duration / .microseconds(1)))
    phase = load.isOutdated ? .waiting : .current(Upkeep(mark: mark, hasNoted: load.hasChanged))
  }

  /// Notes that the query could not be read, in a load or before one.
  ///
  /// - Returns: Whether the query was invalidated or changed during the load, and is worth another try.
  @discardableResult
  func fail(_ error: any Error) -> Bool {
    let before = phase
    if case .ended = before { return false }
    phase = .failed(error)
    if case .loading(let load) = before { return load.isOutdated || load.hasChanged }
    return false
  }

  /// Ends the query, which has no consumers any more.
  func end() { phase = .ended }
}
