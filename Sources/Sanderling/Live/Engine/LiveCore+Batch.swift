import GRDB

/// A batch: what all commits up to one changed, applied to the queries that it concerns.
extension LiveCore {
  /// Applies changes at the snapshot of a commit.
  ///
  /// - Parameter commit: The commit that the snapshot shows, and the last one of the changes.
  func apply(_ changes: CapturedChanges, through commit: UInt64, _ db: Database) throws {
    let rows = BatchRows(db, hasLooseColumns: capture.hasLooseColumns) { [capture] in capture.layout(of: $0) }
    markOutdated(changes)
    var lifts = DependencyLifts()
    for (type, table) in changes.tables where !loadsInstead(type, table.count) {
      try collect(type, table, rows, &lifts)
    }
    try route(rows, &lifts)
    applyNoted(rows)
  }

  /// Queries that no row changes are known for.
  private func markOutdated(_ changes: CapturedChanges) {
    if changes.schemaChanged { return captureAgain() }
    if changes.cameFromOutside { return allQueries.forEach(reload) }
    let touched = changes.touchedTables.reduce(into: Set<Int>()) { $0.formUnion(routes.queries(touching: $1)) }
    let overflowed = changes.overflowed.reduce(into: touched) { $0.formUnion(routes.queries(dependingOn: $1)) }
    for number in overflowed { query(number).map(reload) }
  }

  /// Whether reading the queries again costs less than looking at so many changes.
  private func loadsInstead(_ type: RecordType, _ count: Int) -> Bool {
    guard count >= Self.leastCountToWeigh else { return false }
    let limit = Self.costOfChange * count
    var loading = Duration.zero
    // Many queries make it clear after few of them.
    let isDearer = routes.contains(dependingOn: type) { number in
      guard let query = query(number), query.phase != .needsLoad else { return false }
      loading += query.loadDuration
      return loading >= limit
    }
    if isDearer { return false }
    for number in routes.queries(dependingOn: type) { query(number).map(reload) }
    return true
  }

  private static let leastCountToWeigh = 64
  /// About what it takes to read a changed row back and to look for the queries that it concerns.
  private static let costOfChange = Duration.microseconds(3)

  /// Reads the rows back, and notes which associated rows changed.
  private func collect(
    _ type: RecordType, _ table: CapturedTable, _ rows: BatchRows, _ lifts: inout DependencyLifts
  ) throws {
    let dependencies = routes.sharedDependencies(on: type)
    for (key, old) in table {
      if key.hasNull { return runAgain(type) }
      let delta = try rows.add(type, key, old: old)
      if dependencies.isEmpty { continue }
      for shared in dependencies {
        lifts.add(delta, type, shared, rows)
      }
    }
  }

  /// Where a primary key is NULL, which SQLite allows by default, it tells no row from another.
  private func runAgain(_ type: RecordType) {
    for number in routes.queries(dependingOn: type) {
      query(number).map { replace($0, byRunningAgain: .keyIsNull(type)) }
    }
  }

  /// Offers each changed row, and each row that leads to one, to the queries that may have it.
  private func route(_ rows: BatchRows, _ lifts: inout DependencyLifts) throws {
    let lifted = try lifts.roots(rows.database) { shared in
      // Too many rows lead to the changed ones.
      for number in shared.queries { self.query(number).map(reload) }
    }
    var number = lastEvent
    defer { lastEvent = number }
    for (type, deltas) in rows.deltas where routes.hasQueries(over: type) {
      let dependencies = lifted[type] ?? [:]
      for (key, delta) in deltas where delta.old != nil || delta.new != nil {
        number += 1
        let event = RowEvent(
          key: key, old: context(type, delta.old, rows, isOld: true), new: context(type, delta.new, rows, isOld: false),
          hasEqualImages: delta.old == delta.new && dependencies[key] == nil, isOwn: true,
          dependencies: dependencies[key] ?? [:])
        try offer(event, number)
      }
    }
    for (type, keys) in lifted where routes.hasQueries(over: type) {
      for (key, dependencies) in keys where rows.deltas[type]?[key] == nil {
        guard let image = try rows.row(type, key, isOld: false) else { continue }
        number += 1
        let event = RowEvent(
          key: key, old: context(type, image, rows, isOld: true), new: context(type, image, rows, isOld: false),
          hasEqualImages: false, isOwn: false, dependencies: dependencies)
        try offer(event, number)
      }
    }
  }

  private func context(_ type: RecordType, _ image: RowImage?, _ rows: BatchRows, isOld: Bool) -> LiveRowContext? {
    image.map { LiveRowContext(type: type, image: $0, rows: rows, isOld: isOld) }
  }

  private func offer(_ event: RowEvent, _ number: Int) throws {
    if let old = event.old { try routes.candidates(old) { try offer(event, number, to: $0) } }
    // A row that is what it was is found where it was.
    if let new = event.new, !event.hasEqualImages { try routes.candidates(new) { try offer(event, number, to: $0) } }
  }

  private func offer(_ event: RowEvent, _ number: Int, to query: Int) throws {
    guard let query = self.query(query), query.lastEvent != number else { return }
    query.lastEvent = number
    guard event.isOwn || event.dependencies.keys.contains(where: { query.dependencies[$0] != nil }) else { return }
    switch query.phase {
    case .waitsForCapture, .needsLoad: return
    case .failed: return reload(query)
    case .loading: query.changedWhileLoading = true
    case .current: break
    }
    do {
      try query.rowChanged(event)
      agenda.note(query)
    } catch is EvaluationError {
      reload(query)
    }
  }

  /// Brings the queries that something was noted for to the snapshot.
  func applyNoted(_ rows: BatchRows) {
    for number in agenda.takeNoted() {
      guard let query = query(number), query.phase == .current else { continue }
      do {
        try query.apply(rows, self)
        routes.update(query)
      } catch {
        // Reading it again tells whether it fails, and why.
        reload(query)
      }
    }
  }
}
