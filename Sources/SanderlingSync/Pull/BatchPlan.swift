import Sanderling

/// A change with its place in the plan.
struct PlannedChange: Sendable {
  /// The position of the change's table; nil if the synchronisation has no such record.
  let table: Int?
  var change: SyncChange
  /// Whether an earlier change in the batch deleted the record, so that unnamed columns get their defaults.
  var isFresh = false
  /// The columns whose unique values another row had at an attempt.
  var uniqueColumns: [String] = []
}

/// The changes of a batch in an order in which they can be applied one by one: one per record, parents before children.
/// Removals come last, children first.
struct BatchPlan: Sendable {
  private struct Key: Hashable {
    let table: Int?
    /// The record's name if it has no table.
    let record: String?
    let key: [StorageValue]
  }

  let steps: [PlannedChange]
  /// The number of changes that a later change of their record superseded.
  let supersededCount: Int

  init(_ changes: [SyncChange], _ tables: SyncTables) {
    var places: [Key: Int] = [:]
    var steps: [PlannedChange] = []
    // The positions of superseded changes.
    var replaced: Set<Int> = []
    places.reserveCapacity(changes.count)
    steps.reserveCapacity(changes.count)
    // Consecutive changes mostly belong to the same record type.
    var last: (record: String, table: Int?)?
    for change in changes {
      let table = last?.record == change.record ? last?.table : tables.place(ofRecord: change.record)
      last = (change.record, table)
      // Each of them must be reported.
      if change.isOfNoRow {
        steps.append(PlannedChange(table: table, change: change))
        continue
      }
      let key = Key(table: table, record: table == nil ? change.record : nil, key: change.key)
      guard let place = places[key] else {
        places[key] = steps.count
        steps.append(PlannedChange(table: table, change: change))
        continue
      }
      // In the position of the record's last change. Keys that differ here may be equal in the table, where the last
      // row counts.
      var last = steps[place]
      last.follow(change)
      replaced.insert(place)
      places[key] = steps.count
      steps.append(last)
    }
    supersededCount = replaced.count
    if !replaced.isEmpty { steps = steps.indices.filter { !replaced.contains($0) }.map { steps[$0] } }
    func order(_ step: PlannedChange) -> Int {
      guard let table = step.table else { return 0 }
      return step.change.isRow ? tables.ranks[table] : Int.max - tables.ranks[table]
    }
    let orders = steps.map(order)
    self.steps =
      orders.elementsEqual(orders.sorted())
      ? steps : steps.indices.sorted { (orders[$0], $0) < (orders[$1], $1) }.map { steps[$0] }
  }
}

extension PlannedChange {
  /// Adds the record's next change.
  mutating func follow(_ next: SyncChange) {
    if let merged = next.following(change) {
      change = merged
      if !merged.isRow { isFresh = false }
    } else {
      change = next
      isFresh = true
    }
  }
}

extension SyncChange {
  var isRow: Bool { if case .row = content { true } else { false } }
  var hasNullInKey: Bool { key.contains(where: \.isNull) }
  /// Whether the change is quarantined individually, not as the change of its row: its source refuses it, or its key is
  /// missing or contains a number that no column can hold. No later change supersedes such a change, and it is tried
  /// again only on request.
  var isOfNoRow: Bool { refusal != nil || key.contains { $0.isNull || $0.isBeyondNumbers } }
  var isDeparture: Bool { if case .departure = content { true } else { false } }
}
