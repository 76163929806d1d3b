import Foundation
import GRDB
import Sanderling

/// What keeps a pull and the local changes of its records apart.
protocol PullGuard: Sendable {
  /// Runs the part of a transaction that writes what the source says, so that it isn't taken for a change of the app's. What it throws has
  /// the transaction rolled back.
  func applying(_ db: Database, _ body: () throws -> Void) throws

  /// Whether there are rows with changes of their own, which are to be asked for one by one. O(1) for each record.
  func hasLocalChanges(_ db: Database) throws -> Bool

  /// The last number that was given in the outbox.
  func lastSequence(_ db: Database) throws -> Int64

  /// Whether a change is in conflict again and again, and the source has told nothing new of its row: as where the source told of a deletion
  /// before the answer to what it was about.
  func hasStuckChanges(_ db: Database) throws -> Bool

  /// The source is asked for all that it has.
  func noteAskedForAll(_ db: Database) throws

  /// Merges a change into a row that has changes of its own.
  ///
  /// - Parameter keepsLocal: Whether what was done here stays, whatever the policy.
  /// - Returns: Whether it did; false where the row has none, and is to be as the source says.
  func merge(_ change: SyncChange, of record: SyncedRecord, in db: Database, keepsLocal: Bool) throws -> Bool

  /// Whether a row was deleted here, and the server doesn't know that yet.
  func isDeleted(_ key: [StorageValue], of record: SyncedRecord, in db: Database) throws -> Bool

  /// Whether the server has told of a row, and it is still one of this device's: what it told before goes on to be true of it.
  func isOfServer(_ key: [StorageValue], of record: SyncedRecord, in db: Database) throws -> Bool

  /// Completes what is known of the server's row of a key that was deleted here, by columns that the record didn't have.
  func complete(
    _ key: [StorageValue], with values: [String: StorageValue], of record: SyncedRecord, in db: Database) throws

  /// Deletes a row, with what must not be taken for a change of the app's: see ``Cascades``.
  func deleting<Result>(
    _ key: [StorageValue], of record: SyncedRecord, in db: Database, _ delete: () throws -> Result
  ) throws -> Result

  /// Keeps a row that the server has deleted, and that others refer to, if the record's policy says so: see ``DeletionPolicy``.
  ///
  /// - Returns: Whether it does. The row is a new one of this device's then.
  func keepReferred(_ change: SyncChange, of record: SyncedRecord, in db: Database) throws -> Bool

  /// Some rows that were deleted here, which the server doesn't know yet, and that a source which began anew didn't name.
  ///
  /// - Returns: Their keys, and behind which number to go on; nil at the end.
  func unseenDeletions(
    of table: SyncTable, after sequence: Int64, limit: Int, _ tx: ReadTransaction
  ) throws -> (keys: [[StorageValue]], last: Int64?)
}

/// Of a synchronisation that sends nothing: rows are as the source says, whatever the app did to them.
struct SourceWins: PullGuard {
  func applying(_ db: Database, _ body: () throws -> Void) throws { try body() }

  func hasLocalChanges(_ db: Database) throws -> Bool { false }

  func lastSequence(_ db: Database) throws -> Int64 { 0 }

  func hasStuckChanges(_ db: Database) throws -> Bool { false }

  func noteAskedForAll(_ db: Database) throws {}

  func merge(_ change: SyncChange, of record: SyncedRecord, in db: Database, keepsLocal: Bool) throws -> Bool { false }

  func isDeleted(_ key: [StorageValue], of record: SyncedRecord, in db: Database) throws -> Bool { false }

  func isOfServer(_ key: [StorageValue], of record: SyncedRecord, in db: Database) throws -> Bool { true }

  func complete(
    _ key: [StorageValue], with values: [String: StorageValue], of record: SyncedRecord, in db: Database
  ) throws {}

  func deleting<Result>(
    _ key: [StorageValue], of record: SyncedRecord, in db: Database, _ delete: () throws -> Result
  ) throws -> Result { try delete() }

  func keepReferred(_ change: SyncChange, of record: SyncedRecord, in db: Database) throws -> Bool { false }

  func unseenDeletions(
    of table: SyncTable, after sequence: Int64, limit: Int, _ tx: ReadTransaction
  ) throws -> (keys: [[StorageValue]], last: Int64?) { ([], nil) }
}

/// Of a synchronisation that sends what the app changes: what the source says is no change of the app's, and is merged with those that it
/// doesn't know yet.
struct LocalChangesStay: PullGuard {
  private let changes: LocalChanges
  private let cascades: Cascades

  init(_ records: [SyncedRecord], name: String) {
    changes = LocalChanges(records)
    cascades = Cascades(name: name, records: records)
  }

  func applying(_ db: Database, _ body: () throws -> Void) throws { try SyncControl.applyingOrRollingBack(db, body) }

  func hasLocalChanges(_ db: Database) throws -> Bool { try !changes.isEmpty(db) }

  func lastSequence(_ db: Database) throws -> Int64 { try SyncControl.lastSequence(db) }

  func hasStuckChanges(_ db: Database) throws -> Bool { try changes.areStuck(db) }

  func noteAskedForAll(_ db: Database) throws {
    for record in cascades.records { try record.synced.run(record.synced.noteAskedForAll, [], db) }
  }

  func merge(_ change: SyncChange, of record: SyncedRecord, in db: Database, keepsLocal: Bool) throws -> Bool {
    try LocalChanges.apply(change, of: record, in: db, keepsLocal: keepsLocal, cascades)
  }

  func isDeleted(_ key: [StorageValue], of record: SyncedRecord, in db: Database) throws -> Bool {
    let entries = try record.synced.entries(record.synced.selectEntriesOfKey, key, db)
    return entries.first.map { $0.row == nil } ?? false
  }

  func isOfServer(_ key: [StorageValue], of record: SyncedRecord, in db: Database) throws -> Bool {
    let entries = try record.synced.entries(record.synced.selectEntriesOfKey, key, db)
    return entries.first.map { $0.known != nil } ?? true
  }

  func complete(
    _ key: [StorageValue], with values: [String: StorageValue], of record: SyncedRecord, in db: Database
  ) throws {
    for (column, value) in values {
      guard let sql = record.synced.completeBase(column) else { continue }
      try record.synced.run(sql, key + [value], db)
    }
  }

  func deleting<Result>(
    _ key: [StorageValue], of record: SyncedRecord, in db: Database, _ delete: () throws -> Result
  ) throws -> Result {
    try cascades.deleting(key, of: record, in: db, at: Date(), delete)
  }

  func keepReferred(_ change: SyncChange, of record: SyncedRecord, in db: Database) throws -> Bool {
    try LocalChanges.keepReferred(change, of: record, by: cascades.records, in: db, at: Date())
  }

  func unseenDeletions(
    of table: SyncTable, after sequence: Int64, limit: Int, _ tx: ReadTransaction
  ) throws -> (keys: [[StorageValue]], last: Int64?) {
    var keys: [[StorageValue]] = []
    var last: Int64?
    try tx.run(table.unseenDeletions, [.integer(sequence), .integer(Int64(limit))]) { row in
      last = try row.integer(at: 0, for: Int64.self)
      keys.append(table.keyNames.indices.map { row.storageValue(at: Int32($0) + 1) })
    }
    return (keys, last)
  }
}
