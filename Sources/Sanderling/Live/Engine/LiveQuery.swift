import GRDB

/// The state of one live query, shared by all of its consumers. Confined to the engine's turns.
class LiveQuery {
  /// How far the query is from following the database.
  enum Phase {
    /// What it depends on has to be captured before it is read.
    case waitsForCapture
    /// It has to be read, for the first time or again.
    case needsLoad
    /// It is being read at the snapshot of a turn that is over; what concerns it since is remembered.
    case loading
    /// It could not be read. The next change that concerns it, or a consumer, makes it try again.
    case failed
    case current
  }

  let key: AnyHashable
  let number: Int
  /// How changes find the query; nil when it is run again after any change of its tables.
  let route: RoutePlan?
  /// Why it is run again.
  let requeryReason: RequeryReason?
  /// Whether it is run again only because a table can't be captured, which another schema may change.
  var standsInForMaintained = false
  var phase = Phase.waitsForCapture {
    didSet {
      guard phase != oldValue else { return }
      agenda?.phaseChanged(self)
      if phase != .current { for consumer in consumers.values { consumer.isFollowing = false } }
    }
  }
  /// What the engine has to do, once the query belongs to it.
  var agenda: LiveAgenda? {
    didSet { agenda?.phaseChanged(self) }
  }
  /// Whether a load that is under way is outdated before it ends.
  var needsAnotherLoad = false
  /// Whether something concerned it since a load that is under way began.
  var changedWhileLoading = false
  /// Why the query could not be read the last time.
  var failure: (any Error)?
  /// The commit that the query's values stand for; nil before they are read.
  var commit: UInt64?
  var consumers: [LiveConsumerID: LiveConsumer] = [:]
  var loadDuration = Duration.microseconds(200)
  /// When it was read last, for queries that are run again.
  var lastLoad: Duration?
  /// The tables that a query which is run again reads; nil while that is not known.
  var tables: Set<String>?
  /// The dependencies by their numbers in the engine, and what of the query each can change.
  var dependencies: [Int: LiveUsage] = [:]
  /// The numbers of the dependencies that change the plan's counts and sums.
  var countedDependencies: [Int] = []
  /// The number of the last event that was looked at, since a router may offer it twice.
  var lastEvent = 0

  init(key: AnyHashable, number: Int, route: RoutePlan?, requeryReason: RequeryReason?) {
    self.key = key
    self.number = number
    self.route = route
    self.requeryReason = requeryReason
  }

  var needs: [CaptureNeed] { route?.needs ?? [] }

  /// The state that consumers are told.
  var state: LiveState {
    if let failure { return failure as? StoreError == .suspended ? .suspended : .failed(failure) }
    return commit == nil ? .loading : .current
  }

  /// Whether nothing is left to be done before the query equals the database.
  var isSettled: Bool { phase == .current || phase == .failed }

  /// Reads the query's values. The job runs on a reader, at the snapshot of the turn that asks for it, beside later turns.
  func makeLoad() -> LiveLoad { preconditionFailure("each kind of query reads in its own way") }

  /// The tables that the statements of a query read which is run again.
  func readTables(_ db: Database) throws -> Set<String> {
    preconditionFailure("each kind of query has its own statements")
  }

  /// Notes what a change does to the query, for ``apply(_:)``.
  func rowChanged(_ event: RowEvent) throws {}

  /// Brings the values to the snapshot of the batch.
  func apply(_ rows: BatchRows, _ core: LiveCore) throws {}

  /// A consumer has come or asks for more rows.
  func consumersChanged(_ core: LiveCore) {}

  /// The same query, run again after each change, for the same consumers.
  func runningAgain(number: Int, _ reason: RequeryReason) -> LiveQuery {
    preconditionFailure("a query that is run again already has no other form")
  }

  func setTables(_ tables: Set<String>?, in routes: inout LiveRoutes) {
    routes.setTables(tables, of: self)
  }

  /// The rows beyond which nothing can enter.
  var routeBound: RouteBound? { nil }

  /// Gives up what was noted about changes: the query is read again.
  func forgetChanges() {}
}

/// A job that reads a query's values, and what it finds, to be put into the engine.
struct LiveLoad: Sendable {
  let query: Int
  /// - Returns: What to do in the engine with what was read.
  let run: @Sendable (Database) throws -> @Sendable (LiveCore) throws -> Void
}

/// One who is told of a query's values.
class LiveConsumer {
  var window: Int
  /// The query that it follows; nil while it is suspended.
  var query: LiveQuery?
  /// Finds or makes the query that it follows.
  var makeQuery: @Sendable (LiveCore) -> LiveQuery

  init(window: Int, makeQuery: @escaping @Sendable (LiveCore) -> LiveQuery) {
    self.window = window
    self.makeQuery = makeQuery
  }

  /// Whether what was published last stands for all commits that the engine has processed.
  var isFollowing: Bool {
    get { false }
    set {}
  }

  /// Puts the query's values into the consumer's feed, unless it has them.
  ///
  /// - Returns: What takes them on the main actor, where that is wanted and there is something to take.
  func publish(_ query: LiveQuery, commit: Commit?) -> (@MainActor @Sendable () -> Void)? { nil }

  /// Tells that nothing more comes until it is resumed.
  func publishSuspended() -> (@MainActor @Sendable () -> Void)? { nil }
}
