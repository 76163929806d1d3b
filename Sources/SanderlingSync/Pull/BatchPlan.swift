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

/// The changes of a batch in an order in which they can be applied one by one: one for each record, parents before children, and what is
/// removed last, children first.
struct BatchPlan: Sendable {
  private struct Key: Hashable {
    let record: String
    let key: [StorageValue]
  }

  let steps: [PlannedChange]

  init(_ changes: [SyncChange], _ tables: SyncTables) {
    var places: [Key: Int] = [:]
    var steps: [PlannedChange] = []
    places.reserveCapacity(changes.count)
    for change in changes {
      let key = Key(record: change.record, key: change.key)
      guard let place = places[key] else {
        places[key] = steps.count
        steps.append(PlannedChange(table: tables.place(ofRecord: change.record), change: change))
        continue
      }
      steps[place].follow(change)
    }
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
  /// Adds what came next for the record.
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
}
