import GRDB

/// The results of a batch for queries.
protocol BatchReceiver: AnyObject {
  associatedtype Query: RoutedQuery

  /// A row that the query may have changed, or a row that such a row depends on.
  ///
  /// - Returns: Whether the query wants to hear of more rows of the batch.
  func receive(_ event: RowEvent, for query: Query) -> Bool
  /// The change of the query is unknown, or applying it costs more than a reload.
  func mustReload(_ query: Query)
  /// The query can't follow changes of rows and must be rerun.
  func mustRunAgain(_ query: Query, _ reason: RequeryReason)
  /// How long it takes to read the query.
  func loadDuration(of query: Query) -> Duration
}

/// The changes of all commits up to one, as events of the rows of queries.
struct Batch<Receiver: BatchReceiver> {
  typealias Query = Receiver.Query

  private let rows: BatchRows
  private let routes: LiveRoutes<Query>
  private let receiver: Receiver
  private let now: () -> Duration
  /// Queries that want to hear nothing more.
  private var closed: Set<Query> = []
  private var lifts = DependencyLifts()

  init(_ rows: BatchRows, _ routes: LiveRoutes<Query>, now: @escaping () -> Duration, receiver: Receiver) {
    self.rows = rows
    self.routes = routes
    self.now = now
    self.receiver = receiver
  }

  /// Sends all events to the receiver.
  ///
  /// - Throws: Errors of the database. The receiver has a part of the events then.
  mutating func run() throws {
    let types = rows.changes.keys.filter { routes.hasQueries(over: $0) || !routes.sharedDependencies(on: $0).isEmpty }
    for type in types { try followLinks(of: type) }
    let roots = try lifts.roots(rows.database) { shared in
      // Too many rows lead to the changed ones.
      for query in routes.queries(of: shared) { reload(query) }
    }
    for type in types where routes.hasQueries(over: type) { try offerChanged(type, roots[type] ?? [:]) }
    for (type, keys) in roots where routes.hasQueries(over: type) { try offerUnchanged(type, keys) }
  }

  private mutating func reload(_ query: Query) {
    if closed.insert(query).inserted { receiver.mustReload(query) }
  }

  // MARK: Rows of other tables

  /// Notes which associated rows changed.
  private mutating func followLinks(of type: RecordType) throws {
    let dependencies = routes.sharedDependencies(on: type)
    guard !dependencies.isEmpty, let table = rows.changes[type] else { return }
    var effort = Effort(of: table.count, now: now)
    for (key, old) in table {
      if key.hasNull { return runAgain(type) }
      if isTooDear(&effort, type) { return }
      _ = try rows.row(type, key, isOld: false)
      let delta = try rows.delta(type, key, old: old)
      for shared in dependencies where closed.isEmpty || !routes.queries(of: shared).isSubset(of: closed) {
        lifts.add(delta, type, shared, rows)
      }
    }
  }

  /// Where a primary key is NULL, which SQLite allows by default, it tells no row from another.
  private mutating func runAgain(_ type: RecordType) {
    for query in routes.queries(dependingOn: type) {
      closed.insert(query)
      receiver.mustRunAgain(query, .keyIsNull(type))
    }
  }

  /// Requests reloads of all queries over a table once they cost less than the remaining rows.
  private mutating func isTooDear(_ effort: inout Effort, _ type: RecordType) -> Bool {
    guard let remaining = effort.next() else { return false }
    let isCheaper = !routes.isSum(ofQueriesDependingOn: type, atLeast: remaining) { query in
      closed.contains(query) ? .zero : receiver.loadDuration(of: query)
    }
    if isCheaper { for query in routes.queries(dependingOn: type) { reload(query) } }
    return isCheaper
  }

  // MARK: Events

  /// Offers each changed row to the queries that may have it.
  private mutating func offerChanged(_ type: RecordType, _ roots: [RowKey: [Int: Contribution]]) throws {
    guard let table = rows.changes[type] else { return }
    var effort = Effort(of: table.count, now: now)
    for (key, old) in table {
      if key.hasNull { return runAgain(type) }
      if isTooDear(&effort, type) { return }
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

  /// Offers each row that leads to changed ones and was not changed itself.
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
    // An unchanged row is found by its new values as well as by its old ones.
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

/// The expected time for the remaining rows of a table, measured at the processed ones.
private struct Effort {
  private let count: Int
  private let now: () -> Duration
  private let start: Duration
  private var done = 0
  private var nextLook = 64

  /// The least time for reading a changed row back.
  private static let leastDuration = Duration.microseconds(1)

  init(of count: Int, now: @escaping () -> Duration) {
    self.count = count
    self.now = now
    start = count > nextLook ? now() : .zero
  }

  /// The expected time for the remaining rows; nil if nothing is known, or if it was returned shortly before.
  mutating func next() -> Duration? {
    defer { done += 1 }
    guard done == nextLook else { return nil }
    nextLook *= 2
    return max((now() - start) / done, Self.leastDuration) * (count - done)
  }
}
