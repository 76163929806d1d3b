import GRDB
import Sanderling

/// Rows whose parents may come later.
extension PullTransaction {
  mutating func placeCarefully(_ planned: PlannedChange, _ table: SyncTable, _ number: Int) throws {
    let missing = try missingParents(of: planned.change, table)
    var together = [planned]
    if !missing.isEmpty {
      guard let parents = try parkedAncestors(of: planned.change, missing) else {
        return try park(planned.change, waitingFor: missing)
      }
      together = parents + together
    }
    do {
      let before = counts
      do {
        try tx.savepoint {
          for planned in together {
            guard let number = planned.table else { continue }
            try write(planned, tables.all[number], number)
          }
          if hasBrokenReferences { throw NeedsCare() }
          for planned in together.dropLast() { try removeParked(planned.change) }
        }
      } catch {
        counts = before
        throw error
      }
    } catch is NeedsCare {
      // A removed row that others refer to waits until these are gone.
      if !planned.change.isRow || !missing.isEmpty { return try park(planned.change, waitingFor: missing) }
      throw Misfit("a reference leads nowhere")
    }
    for planned in together { try awaken(planned) }
  }

  struct Parent: Hashable {
    let target: String
    let key: String
    /// The record, and the key in parked changes; nil if unknown.
    let record: String?
    let recordKey: String?
  }

  /// The missing parents of the row.
  func missingParents(of change: SyncChange, _ table: SyncTable) throws -> [Parent] {
    guard case .row(let values) = change.content else { return [] }
    let key = Dictionary(uniqueKeysWithValues: zip(table.keyNames.map(\.folded), change.key))
    let named = Dictionary(values.map { ($0.key.folded, $0.value) }) { $1 }
    func value(_ column: String) -> StorageValue? { key[column.folded] ?? named[column.folded] }
    return try table.references.compactMap { reference in
      let wanted = reference.columns.compactMap(value)
      guard wanted.count == reference.columns.count, !wanted.contains(where: \.isNull) else { return nil }
      if reference.parent.folded == table.table.name.folded,
        reference.parentColumns.compactMap(value) == wanted
      {
        return nil
      }
      if try tx.isFound(reference.probe, wanted) { return nil }
      let byColumn = Dictionary(zip(reference.parentColumns.map(\.folded), wanted)) { $1 }
      let parent = tables.all.first { $0.table.name.folded == reference.parent.folded }
      let recordKey = parent?.keyNames.compactMap { byColumn[$0.folded] }
      let isKey = recordKey?.count == wanted.count && recordKey?.count == parent?.keyNames.count
      return Parent(
        target: reference.target, key: StoredJSON.text(wanted), record: isKey ? parent?.record.name : nil,
        recordKey: isKey ? recordKey.map { StoredJSON.text($0) } : nil)
    }
  }

  /// Parked changes that together contain all missing rows, including their own parents, as rows that refer to each
  /// other do. Nil if a row is really missing.
  func parkedAncestors(of change: SyncChange, _ missing: [Parent]) throws -> [PlannedChange]? {
    let own = [change.record, StoredJSON.text(change.key)]
    var found: [PlannedChange] = []
    var visited: Set<[String]> = [own]
    var wanted = missing
    while let parent = wanted.popLast() {
      guard let record = parent.record, let key = parent.recordKey, let number = tables.place(ofRecord: record) else {
        return nil
      }
      guard visited.insert([record, key]).inserted else { continue }
      guard let waiting = try waiting(ParkedChanges.find, record, key), waiting.change.isRow else { return nil }
      found.append(PlannedChange(table: number, change: waiting.change))
      wanted += try missingParents(of: waiting.change, tables.all[number])
    }
    return found.reversed()
  }

  /// Collects the parked changes that can be applied now, after a row appeared or disappeared.
  mutating func awaken(_ planned: PlannedChange) throws {
    guard hasParked, let number = planned.table, case .row(let values) = planned.change.content else { return }
    let table = tables.all[number]
    let key = Dictionary(uniqueKeysWithValues: zip(table.keyNames.map(\.folded), planned.change.key))
    let named = Dictionary(values.map { ($0.key.folded, $0.value) }) { $1 }
    for columns in tables.targets[number] {
      let values = columns.compactMap { key[$0] ?? named[$0] }
      guard values.count == columns.count else { continue }
      let target = SyncTable.Reference.target(table.table.name, columns)
      try tx.run(
        ParkedChanges.waiting, [.text(target), .text(StoredJSON.text(values)), .integer(Int64(Self.readyLimit))]
      ) { ready.append(try $0.integer(at: 0, for: Int64.self)) }
    }
  }
}
