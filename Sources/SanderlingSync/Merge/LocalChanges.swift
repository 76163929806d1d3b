import Foundation
import GRDB
import Sanderling

/// The changes of this device that the server hasn't acknowledged, for a pull, which must not write over them.
struct LocalChanges {
  private let probe: String?
  private let stuckProbe: String?

  init(_ records: [SyncedRecord]) {
    func probe(_ condition: KeyPath<SyncedTable, String>) -> String? {
      records.isEmpty ? nil : "SELECT " + records.map { $0.synced[keyPath: condition] }.joined(separator: " OR ")
    }
    self.probe = probe(\.hasEntries)
    stuckProbe = probe(\.hasStuckEntries)
  }

  private func isTrue(_ probe: String?, _ db: Database) throws -> Bool {
    try probe.map { try Bool.fetchOne(db.cachedStatement(sql: $0)) == true } ?? false
  }

  /// Whether there are none, so that the rows of this transaction need not be asked for one by one. O(1) for each record.
  func isEmpty(_ db: Database) throws -> Bool { try !isTrue(probe, db) }

  /// Whether one is in conflict again and again. O(log of those that are).
  func areStuck(_ db: Database) throws -> Bool { try isTrue(stuckProbe, db) }

  /// Whether a key has local changes. O(log changes).
  static func contains(_ key: [StorageValue], of record: SyncedRecord, in db: Database) throws -> Bool {
    var found = false
    try db.forEachRow(of: record.synced.hasEntriesOfKey) {
      try $0.bind(key)
    } row: { _ in
      found = true
    }
    return found
  }

  /// Merges what the server says of a record with the local changes to it, and writes that, noting what lost.
  ///
  /// - Parameters:
  ///   - change: Of columns that the record doesn't have it says nothing here.
  ///   - db: The writer, in a transaction.
  ///   - keepsLocal: Whether what was done here stays, whatever the policy.
  ///   - cascades: What becomes of the rows that go with it.
  /// - Returns: Whether there were local changes. Without any nothing was written, and the caller writes the row.
  /// - Throws: ``SyncTableError/wrongKey(record:)``, what merges of the app throw, and errors of the database, such as of constraints: nothing
  ///   was changed then.
  static func apply(
    _ change: SyncChange, of record: SyncedRecord, in db: Database, at date: Date = Date(), keepsLocal: Bool = false,
    _ cascades: Cascades = .none
  ) throws -> Bool {
    let table = record.synced
    guard change.key.count == table.key.count else { throw SyncTableError.wrongKey(record: record.name) }
    guard try contains(change.key, of: record, in: db) else { return false }
    try SyncControl.applying(db) {
      // The first has the base: what was changed while it was sent, or since it was refused, is in the row.
      let entries = try table.entries(table.selectEntriesOfKey, change.key, db)
      guard let entry = entries.first else { return }
      if case .departure = change.content {
        // It goes when the server has what was changed here.
        return try table.run(table.noteDeparture, [.integer(entry.sequence)], db)
      }
      try merge(change, into: entry, of: record, db, at: date, keepsLocal: keepsLocal, cascades)
    }
    return true
  }

  private static func merge(
    _ change: SyncChange, into entry: OutboxEntry, of record: SyncedRecord, _ db: Database, at date: Date,
    keepsLocal: Bool, _ cascades: Cascades
  ) throws {
    let table = record.synced
    let theirs = table.row(of: change)
    let policy =
      if entry.state == .sending {
        record.conflicts.whileSending
      } else if keepsLocal {
        ConflictPolicy.clientWins.deletions(.clientWins)
      } else {
        record.conflicts
      }
    // A deletion that may be older than the row that is being made tells nothing of its columns.
    if entry.state == .sending, !record.conflicts.merges.isEmpty, theirs != nil || entry.base != nil {
      return try hold(change, theirs, for: entry, of: record, db)
    }
    try merge(change, theirs, into: entry, of: record, by: policy, db, at: date, cascades)
  }

  /// Keeps what was pulled until the answer tells whether it has what is being sent: a counter would count that twice, or not at all.
  private static func hold(
    _ change: SyncChange, _ theirs: [StorageValue?]?, for entry: OutboxEntry, of record: SyncedRecord, _ db: Database
  ) throws {
    let table = record.synced
    let held = try entry.heldChange(of: record)
    if try held == nil && isToldAgain(change, entry, db) { return }
    let latest = held.map { change.following($0) ?? change } ?? change
    try table.run(table.hold, [.integer(entry.sequence), .text(latest.payload)], db)
  }

  /// Whether a change says that the server has what is being sent is based on. Without versions somebody may have brought it back, which
  /// is noted.
  private static func isToldAgain(_ change: SyncChange, _ entry: OutboxEntry, _ db: Database) throws -> Bool {
    guard tellsBase(change, of: entry) else { return false }
    if let version = change.version { return try version == entry.table.version(change.key, db) }
    try entry.table.run(entry.table.noteToldAgain, [.integer(entry.sequence)], db)
    return true
  }

  /// Whether a change says that the record is as it was when the local changes began.
  static func tellsBase(_ change: SyncChange, of entry: OutboxEntry) -> Bool {
    entry.table.row(of: change).map { entry.table.filling($0, from: entry.base) } == entry.base
  }

  /// Merges what was held, now that it was answered what was being sent.
  ///
  /// Where a constraint forbids it, it waits until the next pull looks for what can be there.
  ///
  /// - Parameter policy: That of the record by default.
  static func release(
    _ change: SyncChange, of record: SyncedRecord, by policy: ConflictPolicy? = nil, in db: Database, at date: Date,
    _ cascades: Cascades
  ) throws {
    let table = record.synced
    let isMerged = try db.isAllowed {
      try SyncControl.applying(db) {
        guard let entry = try table.entries(table.selectEntriesOfKey, change.key, db).first else { return }
        try merge(
          change, table.row(of: change), into: entry, of: record, by: policy ?? record.conflicts, db, at: date, cascades
        )
      }
    }
    if !isMerged { try ParkedChanges.park(change, of: cascades.name, db) }
  }

  private static func merge(
    _ change: SyncChange, _ theirs: [StorageValue?]?, into entry: OutboxEntry, of record: SyncedRecord,
    by policy: ConflictPolicy, _ db: Database, at date: Date, _ cascades: Cascades
  ) throws {
    let table = record.synced
    let merger = RowMerger(record: record.name, columns: table.columns, key: table.key, policy: policy)
    // What comes back as it was sent is what was sent: nobody else changed it.
    let isEcho = entry.sentState.map { $0 == theirs.map { table.filling($0, from: entry.base) } } ?? false
    let isTaken =
      theirs != nil && entry.isTaken && Outbox.isEarlier(change.version, than: entry.version) != true
    var (base, theirs) = (isEcho || isTaken ? entry.sentState ?? nil : entry.base, theirs)
    if base == nil, entry.row == nil, let row = theirs {
      // What was made here and deleted before the answer was known may have been changed by others since: without a base it would be a new
      // row, which nobody here has deleted. Others may also have made it, so that what they don't name isn't there.
      base = entry.sentState ?? nil
      theirs = table.filling(row, from: nil)
    }
    let result = try merger.merge(base: base, local: entry.row, theirs: theirs)
    if try entry.state == .sending && isToldAgain(change, entry, db) { return }
    try cascades.write(result.row, replacing: entry.row, key: change.key, of: record, in: db, at: date)
    // A trigger of the app may have changed the row: that is a local change then.
    let written = try table.row(change.key, db)
    if entry.state != .sending && written == result.base {
      try table.run(table.deleteUnsent, change.key, db)
      try table.run(table.deleteEntry, [.integer(entry.sequence)], db)
      try Quarantine.remove(change.key, of: record.name, name: cascades.name, db)
    } else {
      let values = result.base ?? table.columns.map { _ in .null }
      try table.run(
        table.setBase, [.integer(entry.sequence), .integer(result.base == nil ? 0 : 1)] + values, db)
    }
    try table.setVersion(result.base == nil ? nil : change.version, of: change.key, db)
    for loss in result.losses {
      try ConflictLog.note(loss, result.row, of: record, key: change.key, db, at: date)
    }
  }
}

extension LocalChanges {
  /// Decides about a change that the server didn't take, and what was pulled while it was being sent: see ``ConflictPolicy/whileSending``.
  ///
  /// - Parameter entry: Of a row whose base is what was pulled, and that isn't being sent any more.
  static func decide(
    _ entry: OutboxEntry, of record: SyncedRecord, in db: Database, at date: Date, _ cascades: Cascades
  ) throws {
    let table = record.synced
    let policy = record.conflicts.afterSending
    let merger = RowMerger(record: record.name, columns: table.columns, key: table.key, policy: policy)
    // What both have changed isn't known any more: it is all that differs.
    let base = table.columns.map { _ in StorageValue.null }
    if entry.row == entry.base { return }
    if entry.row != nil, entry.base != nil, !record.conflicts.isOfRows { return }
    var result = try merger.merge(base: base, local: entry.row, theirs: entry.base)
    if result.row == entry.row { return }
    let isWritten = try db.isAllowed {
      try SyncControl.applying(db) {
        try cascades.write(result.row, replacing: entry.row, key: entry.key, of: record, in: db, at: date)
      }
    }
    if !isWritten {
      // What the server's row refers to was deleted here, or another one has what is to be unique: it can't be there, whoever is to win.
      let policy = ConflictPolicy.clientWins.deletions(.clientWins)
      let merger = RowMerger(record: record.name, columns: table.columns, key: table.key, policy: policy)
      result = try merger.merge(base: base, local: entry.row, theirs: entry.base)
    }
    for loss in result.losses { try ConflictLog.note(loss, result.row, of: record, key: entry.key, db, at: date) }
  }
}

extension LocalChanges {
  /// Makes a row that the server has deleted a new one of this device's, if rows of this synchronisation refer to it, so that it can't go, and
  /// the record's policy says that changes or this device win over a deletion: what refers to it was made while it was there.
  ///
  /// - Returns: Whether the policy and what refers to it say so, and the row has no changes of its own.
  static func keepReferred(
    _ change: SyncChange, of record: SyncedRecord, by records: [SyncedRecord], in db: Database, at date: Date
  ) throws -> Bool {
    let table = record.synced
    guard change.content == .deletion, [.changeWins, .clientWins].contains(record.conflicts.deletion),
      change.key.count == 1, try !contains(change.key, of: record, in: db)
    else { return false }
    guard let row = try table.row(change.key, db), try isReferred(change.key, of: record, by: records, db) else {
      return false
    }
    try table.run(table.noteAbsent, [.integer(SyncControl.nextNumber(db))] + change.key, db)
    try table.setVersion(nil, of: change.key, db)
    try ConflictLog.note(.deletion(.server), row, of: record, key: change.key, db, at: date)
    return true
  }

  private static func isReferred(
    _ key: [StorageValue], of record: SyncedRecord, by records: [SyncedRecord], _ db: Database
  ) throws -> Bool {
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

extension SyncedTable {
  /// What a change says of each column; nil for a row that isn't there.
  fileprivate func row(of change: SyncChange) -> [StorageValue?]? {
    guard case .row(let values) = change.content else { return nil }
    return columns.enumerated().map { index, column in
      key.firstIndex(of: index).map { change.key[$0] } ?? values[column]
    }
  }

  /// A row whose columns that aren't named are as they were.
  fileprivate func filling(
    _ row: [StorageValue?], from base: [StorageValue]?
  ) -> [StorageValue] {
    columns.indices.map { row[$0] ?? base?[$0] ?? .null }
  }
}
