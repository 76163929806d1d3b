import Foundation
import GRDB
import Sanderling

/// The knowledge of a pull about rows with pending changes.
extension Outbox {
  /// Whether nothing is pending, so that the rows of this transaction need not be asked for one by one. O(1) for each record.
  func isEmpty(_ db: Database) throws -> Bool {
    if records.isEmpty { return true }
    let conditions = records.map(\.synced.hasEntries).joined(separator: " OR ")
    return try Bool.fetchOne(db.cachedStatement(sql: "SELECT " + conditions)) != true
  }

  /// The source named all that it has.
  func noteAllNamed(_ db: Database) throws {
    for record in records {
      for entry in try record.entries(record.synced.selectStuck, [], db) {
        try apply(.allNamed, to: entry, key: entry.key, of: record, db)
      }
    }
  }

  /// The server went back: mutations that it took wait for the pull, which tells which of them it has. Of some rows.
  ///
  /// - Returns: Whether there may be more.
  func returnAcknowledged(limit: Int, _ db: Database) throws -> Bool {
    for record in records {
      let found = try AcknowledgedChanges.take(of: record, name: name, limit: limit, db)
      for (key, rows) in found {
        let event = OutboxEvent.wentBack(
          rows, row: try record.synced.row(key, db), number: try SyncControl.nextNumber(db))
        try apply(event, to: try record.entry(key, db), key: key, of: record, db)
      }
      if !found.isEmpty { return true }
    }
    return false
  }

  /// Whether a row was deleted here, and the server doesn't know that yet.
  func isDeleted(_ key: [StorageValue], of record: SyncedRecord, in db: Database) throws -> Bool {
    try record.entry(key, db).map { $0.row == nil } ?? false
  }

  /// Whether the server has told of a row, and it is still one of this device's: its former statements go on to be true of it.
  func isOfServer(_ key: [StorageValue], of record: SyncedRecord, in db: Database) throws -> Bool {
    try record.entry(key, db).map { $0.known != nil } ?? true
  }

  /// Completes the server's row of a key that was deleted here, by columns that the record didn't have.
  func complete(
    _ key: [StorageValue], with values: [String: StorageValue], of record: SyncedRecord, in db: Database
  ) throws {
    guard let entry = try record.entry(key, db) else { return }
    try apply(.completed(values), to: entry, key: key, of: record, db)
  }

  /// Some rows that were deleted here, which the server doesn't know yet, and that a source which began anew didn't name.
  ///
  /// - Returns: Their keys, and behind which number to go on; nil at the end.
  func unseenDeletions(
    of table: SyncTable, after sequence: Int64, limit: Int, _ db: Database
  ) throws -> (keys: [[StorageValue]], last: Int64?) {
    var keys: [[StorageValue]] = []
    var last: Int64?
    try db.forEachRow(of: table.unseenDeletions) {
      try $0.bind([.integer(sequence), .integer(Int64(limit))])
    } row: { row in
      last = try row.integer(at: 0, for: Int64.self)
      keys.append(table.keyNames.indices.map { row.storageValue(at: Int32($0) + 1) })
    }
    return (keys, last)
  }

  /// Makes a row that the server has deleted a new row of this device's, if rows of this synchronisation refer to it,
  /// so that it can't go. The record's policy must say that changes or this device win over a deletion: the references
  /// were made while the row was there.
  ///
  /// - Returns: Whether the policy and the references say so, and the row has no pending change.
  func keepReferred(_ change: SyncChange, of record: SyncedRecord, in db: Database, at date: Date = Date()) throws
    -> Bool
  {
    guard change.content == .deletion, [.changeWins, .clientWins].contains(record.conflicts.deletion),
      change.key.count == 1, try record.entry(change.key, db) == nil,
      let row = try record.synced.row(change.key, db), try isReferred(change.key, of: record, db)
    else { return false }
    let number = try SyncControl.nextNumber(db)
    try apply(
      .deletedUnderReferences(row: row, number: number), to: nil, key: change.key, of: record, db, at: date)
    return true
  }

  private func isReferred(_ key: [StorageValue], of record: SyncedRecord, _ db: Database) throws -> Bool {
    try record.synced.references(among: records).contains { child, column in
      let table = child.synced
      var isItself = true
      // One of two is another row.
      try db.forEachRow(of: table.selectChildren(column) + " LIMIT 2") {
        try $0.bind(key)
      } row: { result in
        let childKey = table.key.map { result.storageValue(at: Int32($0)) }
        if table.name.folded != record.synced.name.folded || childKey != key { isItself = false }
      }
      return !isItself
    }
  }
}
