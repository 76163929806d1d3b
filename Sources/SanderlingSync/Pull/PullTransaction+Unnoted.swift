import GRDB
import Sanderling

/// Rows of records with a time of unrecorded edits.
extension PullTransaction {
  /// Compares a row with the source's change: see ``Outbox/compare(_:of:notedThrough:in:at:)``.
  ///
  /// - Returns: Whether everything is done.
  mutating func compareUnnoted(_ change: SyncChange, _ table: SyncTable) throws -> Bool {
    guard let outbox, let sequence = unnoted[table.table.name.folded] else { return false }
    var compared = change
    var others: [String: StorageValue] = [:]
    if case .row(let values) = change.content {
      let row = try table.row(change, values)
      let columns = row.columns.map { table.table.columns[$0].name }
      compared.content = .row(
        Dictionary(zip(columns, row.values.dropFirst(change.key.count))) { first, _ in first })
      others = row.unknown
    }
    let isSettled: Bool
    do {
      isSettled = try tx.savepoint {
        let isSettled = try outbox.compare(compared, of: table.record, notedThrough: sequence, in: tx.database)
        if isCareful, isSettled, hasBrokenReferences { throw NeedsCare() }
        return isSettled
      }
    } catch is NeedsCare {
      try park(change, waitingFor: missingParents(of: change, table))
      return true
    }
    try lookForEntries()
    guard isSettled else { return false }
    counts.unchanged += 1
    try lookForParked()
    try keepUnknown(others, of: change, table)
    return true
  }
}

extension Puller {
  /// Notes new rows of tables with unrecorded edits as insertions: rows that no comparison named and the source never
  /// had. Otherwise these rows would be removed, like all rows that a complete list doesn't name.
  func noteUnnamed() async throws {
    guard let outbox else { return }
    let unnoted = try await store.read { tx in try UnnotedRecords.sequences(of: name, tx.database) }
    for table in tables.all {
      guard let sequence = unnoted[table.table.name.folded] else { continue }
      var last: [StorageValue]? = []
      while let behind = last {
        try await control.proceed(hub)
        last = try await write { tx in
          var keys: [[StorageValue]] = []
          let statement = table.unseen(behindKey: !behind.isEmpty, withoutVersion: true)
          try tx.run(statement, behind + [.integer(Int64(Self.pageSize))]) { row in
            keys.append(table.keyNames.indices.map { row.storageValue(at: Int32($0)) })
          }
          for key in keys {
            try outbox.noteUnnamed(key, of: table.record, notedThrough: sequence, in: tx.database)
          }
          return keys.last
        }
      }
    }
  }
}
