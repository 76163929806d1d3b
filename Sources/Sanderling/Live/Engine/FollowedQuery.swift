/// A live query as the engine follows it: its phase, its noted changes, its work, its news and its consumers. Confined to the engine's
/// turns, so no lock of its own guards it.
///
/// ``QueryRegistry`` makes it for its first consumer. ``QueryRegistry/remove(_:)`` ends it, when the last consumer leaves or another query
/// takes its place. A failure, `erase()`, `migrate(_:)`, a suspension and `close()` end no query: they move it to another phase. When the
/// engine goes, its queries go with the registry.
///
/// Sets of queries are indexes (``QueryIndexes``), which each change of the object updates.
final class FollowedQuery: RoutedQuery {
  /// How far a query is from following the database.
  enum Phase {
    /// It is read once the rows that it depends on are captured.
    case waiting
    /// It has to be read, for the first time or again. Consumers of others may wait for its values: what one commit changes changes together.
    case due(holdsOthers: Bool)
    case loading(Load)
    /// It could not be read.
    case failed(any Error)
    case current(Upkeep)
    /// No consumer follows it any more.
    case ended
  }

  /// A load at the snapshot of a turn that is over. Changes since are remembered.
  struct Load {
    /// Tells it from other loads of the query.
    let number: UInt32
    var holdsOthers: Bool
    /// Whether a change since it began has to be applied when it has ended.
    var hasChanged = false
    /// Whether the query has to be read again when it has ended.
    var isOutdated = false
  }

  /// The remaining work of a query that was read.
  struct Upkeep {
    /// The state of the database that it was read in.
    let mark: SnapshotMark?
    /// Whether it noted changes that have to be applied at a snapshot.
    var hasNoted: Bool
    /// Whether the query has background work.
    var hasWork = false
  }

  /// Tells it from all other queries that the engine followed.
  let number: Int
  let key: LiveQueryKey
  let values: any LiveQuery
  /// Whether it is read again in place of being maintained.
  let isRunAgain: Bool
  /// Whether it is run again only because a table can't be captured, or for what its rows hold, which another schema may change.
  let standsInForMaintained: Bool
  /// How changes reach it. ``LiveRoutes`` alone writes it.
  var route = LiveRoutes<FollowedQuery>.Route()
  /// The subscribers of the query. Only ``QueryRegistry`` changes them.
  var consumers = FewValues<LiveConsumerID, any QueryConsumer>()

  private(set) var phase = Phase.waiting { didSet { updateIndexes() } }
  /// Whether the query has news that its subscribers did not get yet.
  var hasNews = false { didSet { updateIndexes() } }
  /// Whether the writer refused to capture the query's needs, and is not asked again yet.
  var isRefused = false { didSet { updateIndexes() } }
  /// When its last load began, if it is run again.
  private(set) var lastLoad: Duration?
  private var lastLoadNumber: UInt32 = 0
  /// How long its last load took, in microseconds. It is taken to be short before it was measured.
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

  /// How many rows the consumers show at most.
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

  /// Why it could not be read.
  var failure: (any Error)? { if case .failed(let error) = phase { error } else { nil } }

  /// Whether it was read, or could not be.
  var isRead: Bool { isCurrent || failure != nil }

  /// Whether it equals the database at the commit that was looked at last.
  var isUpToDate: Bool { if case .current(let upkeep) = phase { !upkeep.hasNoted } else { false } }

  /// Whether nothing is left to be done before it equals the database, or could not be read.
  var isSettled: Bool { isUpToDate || failure != nil }

  /// Whether it was read in the state of the database that a mark stands for.
  func wasRead(in mark: SnapshotMark?) -> Bool {
    guard let mark, case .current(let upkeep) = phase else { return false }
    return upkeep.mark == mark
  }

  /// How long it takes to read it again, with the work that follows.
  var loadDuration: Duration { .microseconds(readingTime) + values.workDuration }
}

// MARK: - Moving on

extension FollowedQuery {
  /// The rows that it depends on are captured.
  func prepare() {
    if case .waiting = phase { phase = .due(holdsOthers: false) }
  }

  /// The rows that it depends on aren't captured any more, or may not be. Others don't wait for it: how long it takes is not known.
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

  /// It has to be read again. One that failed begins where ``unprepare()`` puts it.
  func outdate() {
    switch phase {
    case .waiting, .due, .failed, .ended: break
    case .loading(var load):
      load.isOutdated = true
      phase = .loading(load)
    case .current: phase = .due(holdsOthers: !isRunAgain)
    }
  }

  /// A change concerns it: it has to be applied, or makes a load that is under way and fails worth another try.
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

  /// The changes that it noted are applied now.
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

  /// - Precondition: It is due.
  /// - Returns: The number of the load that begins.
  func beginLoad(now: Duration) -> UInt32 {
    guard case .due(let holdsOthers) = phase else { preconditionFailure("a query that is read is due") }
    if isRunAgain { lastLoad = now }
    lastLoadNumber += 1
    phase = .loading(Load(number: lastLoadNumber, holdsOthers: holdsOthers))
    return lastLoadNumber
  }

  /// Whether a load is the last one that began, and was neither ended nor given up.
  func isUnderWay(_ load: UInt32) -> Bool {
    if case .loading(let last) = phase { last.number == load } else { false }
  }

  /// It was read. One that was outdated meanwhile waits again: the rows that it depends on may not be captured any more.
  ///
  /// - Precondition: It is being read.
  /// - Parameter mark: The state of the database that it was read in.
  func endLoad(after duration: Duration, mark: SnapshotMark?) {
    guard case .loading(let load) = phase else { preconditionFailure("a load that ends is under way") }
    readingTime = UInt32(clamping: Int64(duration / .microseconds(1)))
    phase = load.isOutdated ? .waiting : .current(Upkeep(mark: mark, hasNoted: load.hasChanged))
  }

  /// It could not be read, in a load or before one.
  ///
  /// - Returns: Whether it is outdated already, and worth another try.
  @discardableResult
  func fail(_ error: any Error) -> Bool {
    let before = phase
    if case .ended = before { return false }
    phase = .failed(error)
    if case .loading(let load) = before { return load.isOutdated || load.hasChanged }
    return false
  }

  /// No consumer follows it any more.
  func end() { phase = .ended }
}
