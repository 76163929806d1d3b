/// Which tables are captured and followed for whom, as the turns know it: the only one that asks the writer for it.
///
/// It knows what is wanted and what the writer said last. Where the two differ it has a goal, of which one is on its way at a
/// time. Confined to the engine's turns.
final class CaptureRegistry {
  private struct Table {
    /// Wanted, also when no query is left: columns only come to it while it is captured.
    var columns: Set<Int> = []
    /// How many queries need it.
    var userCount = 0
    /// Since when it has none.
    var unwatchedSince: Duration?
    /// Of what the writer said that it is captured.
    var layout: CaptureLayout?
    /// Why the writer can't capture it.
    var obstacle: CaptureObstacle?
    /// Whether it is being let go of: until the writer has answered, it seems to be captured.
    var isLeaving = false

    /// When to let go of it; nil while it is watched, and when it is leaving.
    var unwatchedEnd: Duration? {
      userCount > 0 || isLeaving ? nil : unwatchedSince.map { $0 + CaptureRegistry.unwatchedTime }
    }
  }

  /// How far a query is from being followed.
  enum Readiness {
    case ready
    /// The writer was not asked, or has not answered.
    case unknown
    case obstructed(CaptureObstacle)
  }

  private let followedByWriter: FollowedTables
  private var tables: [RecordType: Table] = [:] {
    didSet {
      isGoalReached = false
      knownLayouts = nil
    }
  }
  private var followers: [String: Int] = [:] { didSet { isGoalReached = false } }
  /// The tables that the writer follows.
  private var followed: Set<String> = []
  /// How many queries there are, and since when there is none.
  private var watcherCount = 0
  private var unwatchedSince: Duration?
  /// Whether anything is wanted, or was until a while ago.
  private(set) var isWatching = false { didSet { isGoalReached = false } }
  /// What the writer was asked for last, and did.
  private var reached = CaptureGoal() { didSet { isGoalReached = false } }
  /// What it is being asked for.
  private var asked: CaptureGoal?
  /// The tables that were taken from those that the writer follows since it was asked: whether it has answered before that or after
  /// can't be told.
  private var leftSinceAsked: Set<String> = []
  /// Whether the writer has to be asked, whatever it said.
  private var isOutdated = false { didSet { isGoalReached = false } }
  /// Whether the goal was compared with what the writer did, and nothing changed since: each turn asks for it several times.
  private var isGoalReached = false
  /// What ``layouts`` returned, unless the tables changed since.
  private var knownLayouts: [RecordType: CaptureLayout]?
  /// Whether the store changes the schema: the writer says when that is over.
  private var isSuspended = false
  /// Whether the writer failed, and is not to be asked before somebody wants another try.
  private var isRefused = false
  /// Whether somebody wants another try since the writer was asked.
  private var isRetried = false

  /// How long a table stays captured that nobody watches: what costs is to install capture, not to have it.
  static let unwatchedTime = Duration.seconds(60)

  /// - Parameter followed: The tables that the writer follows, some of which can be taken from it without its turn.
  init(followed: FollowedTables) {
    followedByWriter = followed
  }

  // MARK: What is wanted

  /// Wants what a query needs.
  func add(_ needs: [CaptureNeed]) {
    watcherCount += 1
    isWatching = true
    for need in needs {
      var table = tables[need.table] ?? Table()
      table.userCount += 1
      table.unwatchedSince = nil
      if table.layout?.covers(need.columns) != true { table.columns.formUnion(need.withUsualColumns.columns) }
      table.columns.formUnion(need.columns)
      tables[need.table] = table
    }
  }

  /// A query is gone that ``add(_:)`` was called for.
  func remove(_ needs: [CaptureNeed], now: Duration) {
    watcherCount -= 1
    if watcherCount == 0 { unwatchedSince = now }
    for need in needs {
      tables[need.table]?.userCount -= 1
      if tables[need.table]?.userCount == 0 { tables[need.table]?.unwatchedSince = now }
    }
  }

  /// Wants to know when statements may have written tables.
  func follow(_ names: Set<String>) {
    for name in names { followers[name, default: 0] += 1 }
  }

  func unfollow(_ names: Set<String>) {
    for name in names {
      followers[name, default: 1] -= 1
      if followers[name] == 0 { followers[name] = nil }
    }
    let left = followed.subtracting(followers.keys)
    if left.isEmpty { return }
    followed.subtract(left)
    reached.followedTables = followed
    if asked != nil { leftSinceAsked.formUnion(left) }
    followedByWriter.remove(left)
  }

  // MARK: What is captured

  func readiness(of needs: [CaptureNeed]) -> Readiness {
    for need in needs {
      guard let table = tables[need.table], !table.isLeaving else { return .unknown }
      if let obstacle = table.obstacle { return .obstructed(obstacle) }
      guard let layout = table.layout, layout.covers(need.columns) else { return .unknown }
      if let obstacle = layout.obstacle(to: need) { return .obstructed(obstacle) }
    }
    return reached.isWatching ? .ready : .unknown
  }

  func follows(_ names: Set<String>) -> Bool {
    reached.isWatching && names.isSubset(of: followed)
  }

  var layouts: [RecordType: CaptureLayout] {
    if let knownLayouts { return knownLayouts }
    let layouts = tables.compactMapValues(\.layout)
    knownLayouts = layouts
    return layouts
  }

  /// The schema is another: what was captured is not any more.
  func schemaChanged() {
    for type in tables.keys {
      tables[type]?.layout = nil
      tables[type]?.obstacle = nil
    }
    followed = []
    reached = CaptureGoal()
    isOutdated = true
    isSuspended = false
    isRefused = false
  }

  // MARK: Asking

  private var goal: CaptureGoal {
    CaptureGoal(
      isWatching: isWatching, tables: tables.filter { !$0.value.isLeaving }.mapValues(\.columns),
      followedTables: Set(followers.keys))
  }

  /// What to ask the writer for; nil for nothing, and while it is being asked.
  func nextGoal() -> CaptureGoal? {
    if isGoalReached || asked != nil || isSuspended || isRefused { return nil }
    let goal = goal
    guard isOutdated || goal != reached else {
      isGoalReached = true
      return nil
    }
    isOutdated = false
    asked = goal
    return goal
  }

  /// The writer has done what it was asked for; nothing for nil, because the store changes the schema.
  func answered(_ state: CaptureState?) {
    guard let goal = asked else { return }
    let left = leftSinceAsked
    (asked, leftSinceAsked, isRetried) = (nil, [], false)
    // A schema change that was told meanwhile makes the answer one of before.
    if isOutdated { return }
    guard let state else {
      isSuspended = true
      return
    }
    reached = goal
    followed = goal.followedTables.intersection(followers.keys).subtracting(left)
    isOutdated = !left.isEmpty
    for (type, table) in tables {
      if table.isLeaving, goal.tables[type] == nil {
        tables[type] = table.userCount > 0 ? Table(columns: table.columns, userCount: table.userCount) : nil
      } else {
        tables[type]?.layout = state.layouts[type]
        tables[type]?.obstacle = state.obstacles[type]
        if table.userCount > 0 { tables[type]?.isLeaving = false }
      }
    }
  }

  /// The writer failed. It is asked again after ``retry()``.
  ///
  /// - Returns: Whether it is asked again anyway: somebody wanted another try since it was asked, and what it failed for may be
  ///   over, or the schema changed.
  func failed() -> Bool {
    let isAskedAgain = isRetried || isOutdated
    (asked, leftSinceAsked, isRetried) = (nil, [], false)
    isOutdated = true
    isRefused = !isAskedAgain
    return isAskedAgain
  }

  /// Lets the writer be asked again.
  func retry() {
    isRefused = false
    isRetried = asked != nil
  }

  // MARK: Tables that nobody watches

  /// Lets go of tables that nobody watched for long, and of all when there are no queries.
  func sweep(now: Duration) {
    if watcherCount > 0 { unwatchedSince = nil }
    if let end = unwatchedEnd, end <= now, tables.isEmpty { (isWatching, unwatchedSince) = (false, nil) }
    for (type, table) in tables {
      guard let end = table.unwatchedEnd, end <= now else { continue }
      if table.layout == nil, reached.tables[type] == nil, asked?.tables[type] == nil {
        tables[type] = nil
      } else {
        tables[type]?.isLeaving = true
      }
    }
  }

  /// When to sweep again; nil when all are watched, or the writer's answer will tell.
  var nextSweep: Duration? {
    tables.isEmpty ? unwatchedEnd : tables.values.compactMap(\.unwatchedEnd).min()
  }

  private var unwatchedEnd: Duration? { unwatchedSince.map { $0 + Self.unwatchedTime } }
}
