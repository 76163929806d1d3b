import GRDB
import Sanderling
import SanderlingSQL

/// Changes that wait for a row that the server refused.
extension Outbox {
  /// Counts the changed rows that refer, directly or indirectly, to a new row that the server refused. They are sent
  /// together with that row.
  ///
  /// O(refused mutations and rows that refer to them).
  func countWaitingForRefused(_ db: Database) throws -> Int {
    var stack = try refusedRows(db)
    var waiting: [FoldedName: Set<[StorageValue]>] = [:]
    while let parent = stack.popLast() {
      for (child, column) in parent.record.synced.references(among: records) {
        let table = child.synced
        try db.forEachRow(of: table.selectChildren(column)) {
          try $0.bind(parent.key)
        } row: { result in
          let key = table.key.map { result.storageValue(at: Int32($0)) }
          guard result.storageValue(at: Int32(table.columns.count)) == .integer(1),
            waiting[table.name.folded, default: []].insert(key).inserted
          else { return }
          stack.append((child, key))
        }
      }
    }
    // Refused rows that refer to each other are in the quarantine and don't count.
    for refused in try refusedRows(db) { waiting[refused.record.synced.name.folded]?.remove(refused.key) }
    return waiting.values.reduce(0) { $0 + $1.count }
  }

  /// The quarantined new rows, which only a request sends again.
  private func refusedRows(_ db: Database) throws -> [(record: SyncedRecord, key: [StorageValue])] {
    let sent = try Row.fetchAll(db.cachedStatement(sql: QuarantinedChanges.sentKeys), arguments: [name])
    return try sent.compactMap { row in
      guard let record = records.first(where: { $0.name == row[0] }) else { return nil }
      let key = try StoredJSON.values(row[1])
      return try record.refusalOfNewRow(key, db).map { _ in (record, key) }
    }
  }
}

extension SyncedRecord {
  /// The reason why the server refused a new row; nil for all other rows.
  func refusalOfNewRow(_ key: [StorageValue], _ db: Database) throws -> String? {
    guard key.count == 1, let entry = try entry(key, db), entry.base == nil,
      case .refused(_, let reason, isEdited: false) = entry.state
    else { return nil }
    return reason
  }
}
