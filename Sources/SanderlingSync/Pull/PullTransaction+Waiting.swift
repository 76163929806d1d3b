import GRDB
import Sanderling

/// Waiting changes: parked for their parents, or quarantined.
extension PullTransaction {
  mutating func park(_ change: SyncChange, waitingFor parents: [Parent]) throws {
    let id = try ParkedChanges.park(change, of: name, tx.database)
    try tx.run(ParkedChanges.forgetParents, [.integer(id)])
    for parent in parents { try tx.run(ParkedChanges.wait, [.text(parent.target), .text(parent.key), .integer(id)]) }
    hasParked = true
    counts.parked += 1
  }

  func parked(_ id: Int64) throws -> PlannedChange? {
    try ParkedChanges.change(id, of: name, tx).map {
      PlannedChange(table: tables.place(ofRecord: $0.record), change: $0)
    }
  }

  func removeParked(_ change: SyncChange) throws {
    guard let id = try waiting(ParkedChanges.find, change.record, StoredJSON.text(change.key))?.id else { return }
    try tx.run(ParkedChanges.forgetParents, [.integer(id)])
    try tx.run(ParkedChanges.remove, [.integer(id)])
  }

  func waiting(_ sql: String, _ record: String, _ key: String) throws -> (id: Int64, change: SyncChange)? {
    var found: (id: Int64, change: SyncChange)?
    try tx.run(sql, [.text(name), .text(record), .text(key)]) { row in
      found = (
        try row.integer(at: 0, for: Int64.self), try SyncChange(record: record, key: key, payload: row.text(at: 1))
      )
    }
    return found
  }

  /// Removes the changes of a key from the quarantine and returns them.
  private func takeQuarantined(_ record: String, _ key: String) throws -> [SyncChange] {
    var taken: [SyncChange] = []
    while hasQuarantined, let refused = try waiting(QuarantinedChanges.find, record, key) {
      try tx.run(QuarantinedChanges.remove, [.integer(refused.id)])
      taken.append(refused.change)
    }
    return taken
  }

  /// Merges earlier waiting changes of the record's row into this one; they stop waiting.
  mutating func absorbWaiting(_ planned: inout PlannedChange) throws {
    guard hasParked || hasQuarantined else { return }
    let key = StoredJSON.text(planned.change.key)
    var earlier: [SyncChange] = []
    if hasParked, let parked = try waiting(ParkedChanges.find, planned.change.record, key) {
      try removeParked(parked.change)
      earlier.append(parked.change)
    }
    earlier += try takeQuarantined(planned.change.record, key)
    for change in earlier {
      var merged = PlannedChange(table: planned.table, change: change)
      merged.follow(planned.change)
      planned.change = merged.change
      planned.isFresh = planned.isFresh || merged.isFresh
    }
  }

  mutating func reject(_ change: SyncChange, _ misfit: Misfit) throws {
    var misfit = misfit
    if isRestarting, change.hasNullInKey {
      try tx.run(SyncState.setUnsure, [.text(name)])
      misfit.reason += ", so no row is removed"
    }
    let reason = change.withLine(misfit.reason)
    guard misfits == .quarantine else { throw change.error(misfit.column, reason) }
    // A key that doesn't fit the record is searched nowhere else.
    if !change.isOfNoRow { _ = try takeQuarantined(change.record, StoredJSON.text(change.key)) }
    try QuarantinedChanges.note(
      change, as: change.isOfNoRow ? .noRow : .row, reason: reason, column: misfit.column, of: name, tx.database)
    hasQuarantined = hasQuarantined || !change.isOfNoRow
    counts.quarantined += 1
  }
}

extension SyncChange {
  /// A reason, with the line of the file.
  func withLine(_ reason: String) -> String { reason + (line.map { " (line \($0))" } ?? "") }

  /// The error that ends a strict run at such a row.
  func error(_ column: String?, _ reason: String) -> any Error {
    refusal?.error ?? SyncError.misfit(record: record, key: key, column: column, reason: reason)
  }
}
