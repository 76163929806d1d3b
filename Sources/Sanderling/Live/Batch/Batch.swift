import GRDB

/// The events that a batch sends to queries.
protocol BatchReceiver: AnyObject {
  associatedtype Query: RoutedQuery

  /// Takes a changed row that the query may contain, or a row that depends on a changed row.
  ///
  /// - Returns: Whether the query wants further rows of the batch.
  func receive(_ event: RowEvent, for query: Query) -> Bool
  /// Notes that the changes of the query are unknown, or cost more than a reload.
  func mustReload(_ query: Query)
  /// Notes that changes of rows can't maintain the query.
  func mustRunAgain(_ query: Query, _ reason: RequeryReason)
  /// The time of a load of the query.
  func loadDuration(of query: Query) -> Duration
}

/// The changes of all commits up to a snapshot, as events of rows for the queries.
struct Batch<Receiver: BatchReceiver> {
  typealias Query = Receiver.Query

  private let rows: BatchRows
  private let routes: LiveRoutes<Query>
  private let receiver: Receiver
  private let now: () -> Duration
  /// Queries that want no further rows.
  private var closed: Set<Query> = []
  private var lifts = DependencyRoots()

  init(_ rows: BatchRows, _ routes: LiveRoutes<Query>, now: @escaping () -> Duration, receiver: Receiver) {
    self.rows = rows
    self.routes = routes
    self.now = now
    self.receiver = receiver
  }

  /// Sends all events.
  ///
  /// - Throws: Errors of the database, after which some queries lack changes.
  mutating func run() throws {
    let types = rows.changes.keys.filter { routes.hasQueries(over: $0) || !routes.sharedDependencies(on: $0).isEmpty }
    for type in types { try followLinks(of: type) }
    let roots = try lifts.roots(rows.database) { shared in
      // The changed rows have too many dependent rows.
      for query in routes.queries(of: shared) { reload(query) }
    }
    for type in types where routes.hasQueries(over: type) { try offerChanged(type, roots[type] ?? [:]) }
    for (type, keys) in roots where routes.hasQueries(over: type) { try offerUnchanged(type, keys) }
  }

  private mutating func reload(_ query: Query) {
    if closed.insert(query).inserted { receiver.mustReload(query) }
  }

  // MARK: Rows of other tables

  /// Notes the changes of associated rows.
  private mutating func followLinks(of type: RecordType) throws {
    let dependencies = routes.sharedDependencies(on: type)
    guard !dependencies.isEmpty, let table = rows.changes[type] else { return }
    var effort = Effort(of: table.count, now: now)
    for (key, old) in table {
      if key.hasNull { return runAgain(type) }
      if costsMoreThanReload(&effort, type) { return }
      _ = try rows.row(type, key, isOld: false)
      let delta = try rows.delta(type, key, old: old)
      for shared in dependencies where closed.isEmpty || !routes.queries(of: shared).isSubset(of: closed) {
        lifts.add(delta, type, shared, rows)
      }
    }
  }

  /// Reruns the queries of a table with a NULL primary key. SQLite allows it by default, and it identifies no row.
  private mutating func runAgain(_ type: RecordType) {
    for query in routes.queries(dependingOn: type) {
      closed.insert(query)
      receiver.mustRunAgain(query, .keyIsNull(type))
    }
  }

  /// Reloads all queries over a table, once that costs less than the remaining rows.
  private mutating func costsMoreThanReload(_ effort: inout Effort, _ type: RecordType) -> Bool {
    guard let remaining = effort.next() else { return false }
    let isCheaper = !routes.isSum(ofQueriesDependingOn: type, atLeast: remaining) { query in
      closed.contains(query) ? .zero : receiver.loadDuration(of: query)
    }
    if isCheaper { for query in routes.queries(dependingOn: type) { reload(query) } }
    return isCheaper
  }

  // MARK: Events

  /// Offers each changed row to the queries that may contain it.
  private mutating func offerChanged(_ type: RecordType, _ roots: [RowKey: [Int: Contribution]]) throws {
    guard let table = rows.changes[type] else { return }
    var effort = Effort(of: table.count, now: now)
    for (key, old) in table {
      if key.hasNull { return runAgain(type) }
      if costsMoreThanReload(&effort, type) { return }
      let delta = try rows.delta(type, key, old: old)
      if delta.old == nil && delta.new == nil { continue }
      let dependencies = roots[key] ?? [:]
      let changed = delta.changedColumns
      let event = RowEvent(
        key: key, old: context(type, delta.old, isOld: true), new: context(type, delta.new, isOld: false),
        hasEqualImages: changed.isEmpty && dependencies.isEmpty, isOwn: true, dependencies: dependencies)
      try offer(event, dependencies.isEmpty ? changed : .all)
    }
  }

  /// Offers each unchanged row that depends on changed ones.
  private mutating func offerUnchanged(_ type: RecordType, _ keys: [RowKey: [Int: Contribution]]) throws {
    for (key, dependencies) in keys where rows.changes[type]?.old(of: key) == nil {
      guard let image = try rows.row(type, key, isOld: false) else { continue }
      let event = RowEvent(
        key: key, old: context(type, image, isOld: true), new: context(type, image, isOld: false),
        hasEqualImages: false, isOwn: false, dependencies: dependencies)
      try offer(event, .all)
    }
  }

  private func context(_ type: RecordType, _ image: RowImage?, isOld: Bool) -> LiveRowContext? {
    image.map { LiveRowContext(type: type, image: $0, rows: rows, isOld: isOld) }
  }

  private mutating func offer(_ event: RowEvent, _ changed: ColumnMask) throws {
    var found: [Query] = []
    if let old = event.old { try routes.candidates(old, changed: changed) { found.append($0) } }
    // A row with equal images is routed once.
    if let new = event.new, !event.hasEqualImages || event.old == nil {
      let before = found.count > 8 ? Set(found) : []
      let first = found
      try routes.candidates(new, changed: changed) { query in
        if before.isEmpty ? !first.contains(query) : !before.contains(query) { found.append(query) }
      }
    }
    for query in found where !closed.contains(query) {
      let known = query.route.dependencies.usage
      guard event.isOwn || event.dependencies.keys.contains(where: { known[$0] != nil }) else { continue }
      if !receiver.receive(event, for: query) { closed.insert(query) }
    }
  }
}

extension BatchRows.Delta {
  fileprivate var changedColumns: ColumnMask {
    guard let old, let new else { return .all }
    return new.columns(differingFrom: old)
  }
}

/// The time to process the changed rows of a table, extrapolated from the rows processed so far.
private struct Effort {
  private let count: Int
  private let now: () -> Duration
  private let start: Duration
  private var done = 0
  private var nextLook = 64

  /// About the least time to read a changed row back.
  private static let leastDuration = Duration.microseconds(1)

  init(of count: Int, now: @escaping () -> Duration) {
    self.count = count
    self.now = now
    start = count > nextLook ? now() : .zero
  }

  /// The expected time for the remaining rows; nil while it is unknown, and between the measurements at each power of
  /// two.
  mutating func next() -> Duration? {
    defer { done += 1 }
    guard done == nextLook else { return nil }
    nextLook *= 2
    return max((now() - start) / done, Self.leastDuration) * (count - done)
  }
}
