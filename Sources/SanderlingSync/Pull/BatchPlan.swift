import Sanderling

/// A change in its place.
struct PlannedChange: Sendable {
  /// The place of its table; nil where the synchronisation has no such record.
  let table: Int?
  var change: SyncChange
  /// Whether the record was deleted before, so that columns that aren't among the values have their defaults.
  var isFresh = false
  /// The columns in which another row has what this one is to have, where it was tried.
  var uniqueColumns: [String] = []
}

/// The changes of a batch in an order in which they can be applied one by one: one for each record, parents before
/// children. Removals come last, children first.
struct BatchPlan: Sendable {
  private struct Key: Hashable {
    let table: Int?
    /// Where there is no table of it.
    let record: String?
    let key: [StorageValue]
  }

  let steps: [PlannedChange]
  /// How many changes another one of their record took the place of.
  let supersededCount: Int

  init(_ changes: [SyncChange], _ tables: SyncTables) {
    var places: [Key: Int] = [:]
    var steps: [PlannedChange] = []
    // Whose place another one has taken.
    var replaced: Set<Int> = []
    places.reserveCapacity(changes.count)
    steps.reserveCapacity(changes.count)
    // Changes of one record mostly follow each other.
    var last: (record: String, table: Int?)?
    for change in changes {
      let table = last?.record == change.record ? last?.table : tables.place(ofRecord: change.record)
      last = (change.record, table)
      // Each has to be reported.
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
      // In the place of its last change: keys that differ here may be one to the table, and its last row counts.
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
  /// Whether it is in the quarantine for itself, and not in the place of its row: its source refuses it, it has no key,
  /// or its key has a number that no column takes. No later change takes its place, and it is tried again only on
  /// request.
  var isOfNoRow: Bool { refusal != nil || key.contains { $0.isNull || $0.isBeyondNumbers } }
  var isDeparture: Bool { if case .departure = content { true } else { false } }
}
