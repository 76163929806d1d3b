/// The tables that are captured or followed, and the queries that need them. It alone asks the writer for capture.
/// Confined to the engine's turns.
///
/// It knows the needs of the queries and the writer's last answer. If they differ, it sends the writer a goal, one at a
/// time.
final class CaptureRegistry {
  private struct Table {
    /// The needed columns. They are kept when no query is left: while the table is captured, columns are only added.
    var columns: Set<Int> = []
    /// The number of queries that need the table.
    var userCount = 0
    /// The time since which no query needs the table.
    var unwatchedSince: Duration?
    /// The captured columns, by the writer's last answer.
    var layout: CaptureLayout?
    /// The reason why the writer can't capture the table.
    var obstacle: CaptureObstacle?
    /// Whether the writer was asked to end the capture. Until it answers, the table counts as captured.
    var isLeaving = false

    /// The time at which its capture ends; nil while a query needs it, and while the capture is ending.
    var unwatchedEnd: Duration? {
      userCount > 0 || isLeaving ? nil : unwatchedSince.map { $0 + CaptureRegistry.unwatchedTime }
    }
  }

  /// Whether the needs of a query are captured.
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
  /// The number of queries, and the time since which there is none.
  private var watcherCount = 0
  private var unwatchedSince: Duration?
  /// Whether there are queries, or were until a while ago.
  private(set) var isWatching = false { didSet { isGoalReached = false } }
  /// The last goal that the writer reached.
  private var reached = CaptureGoal() { didSet { isGoalReached = false } }
  /// The goal that the writer is being asked for.
  private var asked: CaptureGoal?
  /// The tables that were withdrawn from the followed ones since the writer was asked. The answer does not tell whether
  /// it came before or after that.
  private var leftSinceAsked: Set<String> = []
  /// Whether the writer must be asked again, whatever it answered.
  private var isOutdated = false { didSet { isGoalReached = false } }
  /// Whether the goal equals the writer's last answer, and nothing changed since. Each turn asks for it several times.
  private var isGoalReached = false
  /// The last result of ``layouts``; nil if the tables changed since.
  private var knownLayouts: [RecordType: CaptureLayout]?
  /// Whether the store is changing the schema. The writer reports the end.
  private var isSuspended = false
  /// The writer's last failure. The writer is not asked again before a retry is requested, which clears the failure.
  private(set) var refusal: (any Error)?
  /// Whether a retry was requested since the writer was asked.
  private var isRetried = false

  /// The time for which an unneeded table stays captured: installing the capture is expensive, keeping it is not.
  static let unwatchedTime = Duration.seconds(60)

  /// - Parameter followed: The tables that the writer follows. Tables can be withdrawn from it outside the writer's
  ///   queue.
  init(followed: FollowedTables) {
    followedByWriter = followed
  }

  // MARK: What is wanted

  /// Adds the needs of a query.
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

  /// Removes the needs of a query that ended, for which ``add(_:)`` was called.
  func remove(_ needs: [CaptureNeed], now: Duration) {
    watcherCount -= 1
    if watcherCount == 0 { unwatchedSince = now }
    for need in needs {
      tables[need.table]?.userCount -= 1
      if tables[need.table]?.userCount == 0 { tables[need.table]?.unwatchedSince = now }
    }
  }

  /// Asks for a report whenever statements may have written the tables.
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

  /// The schema changed: nothing that was captured is captured any more.
  func schemaChanged() {
    for type in tables.keys {
      tables[type]?.layout = nil
      tables[type]?.obstacle = nil
    }
    followed = []
    reached = CaptureGoal()
    isOutdated = true
    isSuspended = false
    refusal = nil
  }

  // MARK: Asking

  private var goal: CaptureGoal {
    CaptureGoal(
      isWatching: isWatching, tables: tables.filter { !$0.value.isLeaving }.mapValues(\.columns),
      followedTables: Set(followers.keys))
  }

  /// The goal to send to the writer; nil if there is none, and while the writer is being asked.
  func nextGoal() -> CaptureGoal? {
    if isGoalReached || asked != nil || isSuspended || refusal != nil { return nil }
    let goal = goal
    guard isOutdated || goal != reached else {
      isGoalReached = true
      return nil
    }
    isOutdated = false
    asked = goal
    return goal
  }

  /// Takes the writer's answer. Nil means that the writer did nothing, because the store is changing the schema.
  func answered(_ state: CaptureState?) {
    guard let goal = asked else { return }
    let left = leftSinceAsked
    (asked, leftSinceAsked, isRetried) = (nil, [], false)
    // A schema change was reported in between, so that the answer is out of date.
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

  /// Notes that the writer failed. It is asked again after ``retry()``.
  ///
  /// - Returns: Whether it is asked again at once: a retry was requested since it was asked, so that the reason may be
  ///   gone, or the schema changed.
  func failed(_ error: any Error) -> Bool {
    let isAskedAgain = isRetried || isOutdated
    (asked, leftSinceAsked, isRetried) = (nil, [], false)
    isOutdated = true
    refusal = isAskedAgain ? nil : error
    return isAskedAgain
  }

  /// Lets the writer be asked again.
  func retry() {
    refusal = nil
    isRetried = asked != nil
  }

  // MARK: Tables that nobody watches

  /// Ends the capture of tables that were unneeded for ``unwatchedTime``, and of all tables when there are no queries.
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

  /// The time of the next sweep; nil if all tables are needed, or if the writer's answer is awaited first.
  var nextSweep: Duration? {
    tables.isEmpty ? unwatchedEnd : tables.values.compactMap(\.unwatchedEnd).min()
  }

  private var unwatchedEnd: Duration? { unwatchedSince.map { $0 + Self.unwatchedTime } }
}
