import Foundation
import GRDB
import Sanderling

/// A pull's facts about rows with pending changes.
extension Outbox {
  /// Whether nothing is pending, so that this transaction need not check single rows. O(1) for each record.
  func isEmpty(_ db: Database) throws -> Bool {
    if records.isEmpty { return true }
    let conditions = records.map(\.synced.hasEntries).joined(separator: " OR ")
    return try Bool.fetchOne(db.cachedStatement(sql: "SELECT " + conditions)) != true
  }

  /// Notes that the source named all its rows.
  func noteAllNamed(_ db: Database) throws {
    for record in records {
      for entry in try record.entries(record.synced.selectStuck, [], db) {
        try apply(.allNamed, to: entry, key: entry.key, of: record, db)
      }
    }
  }

  /// The server went back: mutations that it had acknowledged wait for the pull, which shows whether they are still
  /// there. Handles some rows.
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

  /// Whether a row was deleted locally and the server doesn't know that yet.
  func isDeleted(_ key: [StorageValue], of record: SyncedRecord, in db: Database) throws -> Bool {
    try record.entry(key, db).map { $0.row == nil } ?? false
  }

  /// Whether the row is known to exist on the server and still belongs to this device. Earlier changes from the source
  /// then remain valid.
  func isOfServer(_ key: [StorageValue], of record: SyncedRecord, in db: Database) throws -> Bool {
    try record.entry(key, db).map { $0.known != nil } ?? true
  }

  /// Adds columns that the record did not have to the server's row of a locally deleted key.
  func complete(
    _ key: [StorageValue], with values: [String: StorageValue], of record: SyncedRecord, in db: Database
  ) throws {
    guard let entry = try record.entry(key, db) else { return }
    try apply(.completed(values), to: entry, key: key, of: record, db)
  }

  /// Some locally deleted rows that the server doesn't know of yet, and that a restarted source didn't name.
  ///
  /// - Returns: Their keys, and the number to continue after; nil at the end.
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

  /// Turns a row that the server deleted into a new row of this device, if rows of this synchronisation refer to it and
  /// prevent its deletion. The record's policy must let local changes win over a deletion, because the references were
  /// made while the row existed.
  ///
  /// - Returns: Whether the policy and the references require it and the row has no pending change.
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
      // If two rows refer to it, at least one is another row.
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
