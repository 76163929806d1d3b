/// A live query as the engine follows it: its phase, its noted changes, its work, its news and its consumers. Confined to the engine's
/// turns, so no lock of its own guards it.
///
/// ``QueryRegistry`` makes it for its first consumer. ``QueryRegistry/remove(_:)`` ends it, when the last consumer leaves or another query
/// takes its place. A failure, `erase()`, `migrate(_:)`, a suspension and `close()` end no query: they move it to another phase. When the
/// engine goes, its queries go with the registry.
///
/// Sets of queries are indexes (``QueryIndexes``), which each change of the object updates.
final class FollowedQuery: RoutedQuery {
  /// The state of a query between its creation and its end.
  enum Phase {
    /// The query is read once the rows that it depends on are captured.
    case waiting
    /// The query must be read, for the first time or again. Other consumers may be held until it was: the effects of
    /// one commit appear together.
    case due(holdsOthers: Bool)
    case loading(Load)
    /// The query could not be read.
    case failed(any Error)
    case current(Upkeep)
    /// No consumer follows the query any more.
    case ended
  }

  /// A load at the snapshot of an earlier turn. Changes since the snapshot are remembered.
  struct Load {
    /// Identifies the load among the query's loads.
    let number: UInt32
    var holdsOthers: Bool
    /// Whether a later change must be applied after the load.
    var hasChanged = false
    /// Whether the query must be read again after the load.
    var isOutdated = false
  }

  /// The remaining work of a query that was read.
  struct Upkeep {
    /// The state of the database in which the query was read.
    let mark: SnapshotMark?
    /// Whether the query noted changes that must be applied at a snapshot.
    var hasNoted: Bool
    /// Whether the query has background work.
    var hasWork = false
  }

  /// Identifies the query among all queries that the engine ever followed.
  let number: Int
  let key: LiveQueryKey
  let values: any LiveQuery
  /// Whether the query is rerun instead of being maintained.
  let isRunAgain: Bool
  /// Whether the query is rerun only because a table can't be captured or because of the contents of its rows. Another
  /// schema may change both.
  let standsInForMaintained: Bool
  /// The way in which changes reach the query. ``LiveRoutes`` alone writes it.
  var route = LiveRoutes<FollowedQuery>.Route()
  /// The subscribers of the query. Only ``QueryRegistry`` changes them.
  var consumers = FewValues<LiveConsumerID, any QueryConsumer>()

  private(set) var phase = Phase.waiting { didSet { updateIndexes() } }
  /// Whether the query has news that its subscribers did not get yet.
  var hasNews = false { didSet { updateIndexes() } }
  /// Whether the writer refused to capture the query's needs, and is not asked again yet.
  var isRefused = false { didSet { updateIndexes() } }
  /// The time of its last load, if the query is rerun.
  private(set) var lastLoad: Duration?
  private var lastLoadNumber: UInt32 = 0
  /// The duration of its last load in microseconds. Before the first measurement it counts as short.
  private var readingTime: UInt32 = 200

  private unowned let indexes: QueryIndexes
  /// The kinds under which the indexes hold the query.
  private var kinds: QueryIndexes.Kinds = []

  init(_ number: Int, _ key: LiveQueryKey, runAgain reason: RequeryReason?, _ indexes: QueryIndexes) {
    self.number = number
    self.key = key
    values = key.makeQuery(runAgain: reason)
    isRunAgain = values.requeryReason != nil
    standsInForMaintained = reason != nil
    self.indexes = indexes
    updateIndexes()
  }

  /// The greatest number of rows that its consumers show.
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
    case .due(let holdsOthers): kinds = holdsOthers ? [.due, .holding] : .due
    case .loading(let load): kinds = load.holdsOthers ? [.loading, .holding] : .loading
    case .failed: kinds = .failed
    case .current(let upkeep):
      if upkeep.hasNoted { kinds.insert(.noted) }
      if upkeep.hasWork { kinds.insert(.working) }
    case .ended: return []
    }
    if hasNews { kinds.insert(.untold) }
    if isRefused { kinds.insert(.refused) }
    return kinds
  }
}

extension FollowedQuery: Hashable {
  static func == (one: FollowedQuery, other: FollowedQuery) -> Bool { one === other }

  func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

// MARK: - How far it is

extension FollowedQuery {
  var isLoading: Bool { if case .loading = phase { true } else { false } }

  var isCurrent: Bool { if case .current = phase { true } else { false } }

  /// The error of the failed read.
  var failure: (any Error)? { if case .failed(let error) = phase { error } else { nil } }

  /// Whether the query was read or failed.
  var isRead: Bool { isCurrent || failure != nil }

  /// Whether the query equals the database at the latest processed commit.
  var isUpToDate: Bool { if case .current(let upkeep) = phase { !upkeep.hasNoted } else { false } }

  /// Whether the query equals the database or failed, so that no work is left.
  var isSettled: Bool { isUpToDate || failure != nil }

  /// Whether the query was read in the given state of the database.
  func wasRead(in mark: SnapshotMark?) -> Bool {
    guard let mark, case .current(let upkeep) = phase else { return false }
    return upkeep.mark == mark
  }

  /// The duration of a reload with the work that follows it.
  var loadDuration: Duration { .microseconds(readingTime) + values.workDuration }
}

// MARK: - Moving on

extension FollowedQuery {
  /// The rows that the query depends on are captured now.
  func prepare() {
    if case .waiting = phase { phase = .due(holdsOthers: false) }
  }

  /// The rows that the query depends on are no longer captured, or may not be. Other consumers are not held for the
  /// query, because the wait has no known end.
  func unprepare() {
    switch phase {
    case .ended: break
    case .loading(var load):
      load.isOutdated = true
      load.holdsOthers = false
      phase = .loading(load)
    default: phase = .waiting
    }
  }

  /// The query must be read again. A failed query begins where ``unprepare()`` puts it.
  func outdate() {
    switch phase {
    case .waiting, .due, .failed, .ended: break
    case .loading(var load):
      load.isOutdated = true
      phase = .loading(load)
    case .current: phase = .due(holdsOthers: !isRunAgain)
    }
  }

  /// A change concerns the query: it must be applied. If a load is under way and fails, the change makes it worth
  /// another try.
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

  /// The noted changes are being applied.
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
    guard case .due(let holdsOthers) = phase else { preconditionFailure("a query that is read is due") }
    if isRunAgain { lastLoad = now }
    lastLoadNumber += 1
    phase = .loading(Load(number: lastLoadNumber, holdsOthers: holdsOthers))
    return lastLoadNumber
  }

  /// Whether a load is the last one that began, and neither ended nor was given up.
  func isUnderWay(_ load: UInt32) -> Bool {
    if case .loading(let last) = phase { last.number == load } else { false }
  }

  /// The query was read. If it became outdated meanwhile it waits again, because the rows that it depends on may no
  /// longer be captured.
  ///
  /// - Precondition: A load is under way.
  /// - Parameter mark: The state of the database in which the query was read.
  func endLoad(after duration: Duration, mark: SnapshotMark?) {
    guard case .loading(let load) = phase else { preconditionFailure("a load that ends is under way") }
    readingTime = UInt32(clamping: Int64(duration / .microseconds(1)))
    phase = load.isOutdated ? .waiting : .current(Upkeep(mark: mark, hasNoted: load.hasChanged))
  }

  /// The query could not be read, in a load or before one.
  ///
  /// - Returns: Whether the query became outdated meanwhile, so that another try makes sense.
  @discardableResult
  func fail(_ error: any Error) -> Bool {
    let before = phase
    if case .ended = before { return false }
    phase = .failed(error)
    if case .loading(let load) = before { return load.isOutdated || load.hasChanged }
    return false
  }

  /// No consumer follows the query any more.
  func end() { phase = .ended }
}
