/// The captured and followed tables, and the queries that need them, as the turns know them. It alone asks the writer
/// to capture.
///
/// The registry knows the wanted state and the writer's last answer. Where these differ, it asks the writer for a goal,
/// one at a time. Confined to the engine's turns.
final class CaptureRegistry {
  private struct Table {
    /// The wanted columns, kept without queries too: columns are only added while the table is captured.
    var columns: Set<Int> = []
    /// The number of queries that need the table.
    var userCount = 0
    /// The time since which no query needs the table.
    var unwatchedSince: Duration?
    /// The captured columns, by the writer's last answer.
    var layout: CaptureLayout?
    /// The reason why the writer can't capture the table.
    var obstacle: CaptureObstacle?
    /// Whether its capture is ending. Until the writer has answered, the table may still be captured.
    var isLeaving = false

    /// The time to end its capture; nil while a query needs it, and while its capture is ending.
    var unwatchedEnd: Duration? {
      userCount > 0 || isLeaving ? nil : unwatchedSince.map { $0 + CaptureRegistry.unwatchedTime }
    }
  }

  /// The state of a query's capture.
  enum Readiness {
    case ready
    /// The writer was not asked yet, or has not answered.
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
  /// The followed tables, by the writer's last answer.
  private var followed: Set<String> = []
  /// The tables whose old images a history has, by the writer's last answer.
  private(set) var history = HistoryImages.none
  /// The number of queries, and the time since which there are none.
  private var watcherCount = 0
  private var unwatchedSince: Duration?
  /// Whether there are queries, or were until a while ago.
  private(set) var isWatching = false { didSet { isGoalReached = false } }
  /// The last goal that the writer reached.
  private var reached = CaptureGoal() { didSet { isGoalReached = false } }
  /// The goal that the writer is being asked for.
  private var asked: CaptureGoal?
  /// The tables that were removed from the writer's followed tables since it was asked. Its answer may be older than
  /// their removal.
  private var leftSinceAsked: Set<String> = []
  /// Whether the writer must be asked again, whatever it answered.
  private var isOutdated = false { didSet { isGoalReached = false } }
  /// Whether the goal is known to be reached. Kept because each turn asks several times.
  private var isGoalReached = false
  /// The last result of ``layouts``; nil once the tables changed.
  private var knownLayouts: [RecordType: CaptureLayout]?
  /// Whether the store is changing the schema. The writer reports the end of that.
  private var isSuspended = false
  /// The writer's last failure. The writer is not asked again before a retry is requested, which clears the failure.
  private(set) var refusal: (any Error)?
  /// Whether ``retry()`` was called since the writer was asked.
  private var isRetried = false

  /// The time for which a table without queries stays captured: installing capture is expensive, keeping it is not.
  static let unwatchedTime = Duration.seconds(60)

  /// - Parameter followed: The writer's followed tables. Tables can be removed from it without waiting for the writer.
  init(followed: FollowedTables) {
    followedByWriter = followed
  }

  // MARK: Wanted capture

  /// Adds a query's needs.
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

  /// Removes the needs of a query, added by ``add(_:)``.
  func remove(_ needs: [CaptureNeed], now: Duration) {
    watcherCount -= 1
    if watcherCount == 0 { unwatchedSince = now }
    for need in needs {
      tables[need.table]?.userCount -= 1
      if tables[need.table]?.userCount == 0 { tables[need.table]?.unwatchedSince = now }
    }
  }

  /// Adds tables whose writes must be reported.
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

  // MARK: Present capture

  func readiness(of needs: [CaptureNeed]) -> Readiness {
    for need in needs {
      guard let table = tables[need.table], !table.isLeaving else { return .unknown }
      if let obstacle = table.obstacle {
        let name = need.table.table.name
        return .obstructed(CaptureObstacle("changes of table \(name) can't be captured: \(obstacle)"))
      }
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

  /// Forgets all capture: a change of the schema has ended it.
  func schemaChanged() {
    for type in tables.keys {
      tables[type]?.layout = nil
      tables[type]?.obstacle = nil
    }
    followed = []
    history = .none
    reached = CaptureGoal()
    isOutdated = true
    isSuspended = false
    refusal = nil
  }

  // MARK: Requests to the writer

  private var goal: CaptureGoal {
    CaptureGoal(
      isWatching: isWatching, tables: tables.filter { !$0.value.isLeaving }.mapValues(\.columns),
      followedTables: Set(followers.keys))
  }

  /// The goal to ask the writer for; nil when it is reached, and while the writer can't be asked.
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

  /// Takes the writer's answer. With nil the writer did nothing, because the store is changing the schema.
  func answered(_ state: CaptureState?) {
    guard let goal = asked else { return }
    let left = leftSinceAsked
    (asked, leftSinceAsked, isRetried) = (nil, [], false)
    // The answer is older than a change of the schema that was reported meanwhile.
    if isOutdated { return }
    guard let state else {
      isSuspended = true
      return
    }
    reached = goal
    history = state.history
    followed = goal.followedTables.intersection(followers.keys).subtracting(left)
    isOutdated = !left.isEmpty
    for (type, table) in tables {
      // The capture of the table has ended. For a query that came meanwhile, the table is captured anew.
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
  /// - Returns: Whether the writer is asked again at once, since ``retry()`` was called or the schema changed after the
  ///   last request.
  func failed(_ error: any Error) -> Bool {
    let isAskedAgain = isRetried || isOutdated
    (asked, leftSinceAsked, isRetried) = (nil, [], false)
    isOutdated = true
    refusal = isAskedAgain ? nil : error
    return isAskedAgain
  }

  /// Lets the writer be asked again after a failure.
  func retry() {
    refusal = nil
    isRetried = asked != nil
  }

  // MARK: Tables without queries

  /// Ends the capture of tables without queries for a while, and the watch itself once no tables and queries are left.
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

  /// The time of the next sweep; nil when all tables have queries, or the writer's answer is needed first.
  var nextSweep: Duration? {
    tables.isEmpty ? unwatchedEnd : tables.values.compactMap(\.unwatchedEnd).min()
  }

  private var unwatchedEnd: Duration? { unwatchedSince.map { $0 + Self.unwatchedTime } }
}
