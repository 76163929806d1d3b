import Foundation
import GRDB
import Sanderling

/// The pending changes of a synchronisation's records: the server hasn't acknowledged them.
///
/// Triggers record edits. ``OutboxEntry/transition(_:_:_:)`` decides everything else, and ``apply(_:to:of:_:at:)``
/// writes it. All functions run on the store's writer, in a transaction.
struct Outbox: Sendable {
  /// The name of the synchronisation, under which quarantined mutations are listed.
  let name: String
  let records: [SyncedRecord]
  /// See ``OutboxPolicy/isAppliedOnce``.
  var isAppliedOnce = false

  /// Changes when an edit is recorded in an outbox of the database, when an entry becomes sendable, and when a mutation
  /// gets its number.
  static let lastSequence = RawQuery<Int64>(
    "SELECT sequence FROM main.sanderling_sync_control", as: Int64.self)

  /// Runs an event: decides the entry's new state, runs the effects in order, and stores the entry.
  ///
  /// - Parameter entry: Nil if the row has no pending change.
  /// - Returns: The stored entry; nil if nothing is pending any more.
  /// - Throws: Errors of the app's own merges and of the database, such as constraints. The transaction, or a savepoint
  ///   around this call, must then be rolled back.
  @discardableResult
  func apply(
    _ event: OutboxEvent, to entry: OutboxEntry?, key: [StorageValue], of record: SyncedRecord, _ db: Database,
    at date: Date = Date()
  ) throws -> OutboxEntry? {
    var run = OutboxRun(outbox: self, record: record, key: key, db: db, date: date, entry: entry, row: entry?.row)
    if case .compared(_, let row, _, _, _) = event { run.row = row }
    try run.run(event)
    try record.store(run.entry, replacing: entry, db)
    // This entry became sendable without a trigger, so a new number must wake the push.
    if let entry, !entry.isSendable, !entry.isSending, run.entry?.isSendable == true {
      _ = try SyncControl.nextNumber(db)
    }
    return run.entry
  }

  /// Runs effects in order for a missing row that belongs to no entry.
  ///
  /// - Returns: The row after the effects; nil if it is still missing.
  /// - Throws: As ``apply(_:to:of:_:at:)``.
  func perform(
    _ effects: [OutboxEffect], key: [StorageValue], of record: SyncedRecord, _ db: Database, at date: Date
  ) throws -> OutboxEntry.Row? {
    var run = OutboxRun(outbox: self, record: record, key: key, db: db, date: date)
    for effect in effects { try run.perform(effect) }
    return run.row
  }

  /// Merges a change of the source with the pending change of its row.
  ///
  /// - Parameters:
  ///   - change: Columns that the record doesn't have are ignored here.
  ///   - pulling: The way in which it is merged.
  /// - Returns: Whether a change is pending. If not, nothing was written and the caller writes the row.
  /// - Throws: ``SyncTableError/wrongKey(record:)``, errors of the app's merges, and errors of the database, such as
  ///   constraints. Nothing was changed then.
  func merge(
    _ change: SyncChange, of record: SyncedRecord, in db: Database, at date: Date = Date(),
    _ pulling: OutboxPulling = .byPolicy
  ) throws -> Bool {
    let table = record.synced
    guard change.key.count == table.key.count else { throw SyncTableError.wrongKey(record: record.name) }
    guard let entry = try record.entry(change.key, db) else { return false }
    let needsVersion = entry.isSending || entry.conflicts > 0 || (pulling == .news && change.version != nil)
    let version = try needsVersion ? table.version(change.key, db) : nil
    try SyncControl.applying(db) {
      _ = try apply(
        .pulled(change, version: version, pulling), to: entry, key: change.key, of: record, db, at: date)
    }
    return true
  }
}

/// The run of one event of one entry.
private struct OutboxRun {
  let outbox: Outbox
  let record: SyncedRecord
  let key: [StorageValue]
  let db: Database
  let date: Date
  var entry: OutboxEntry?
  /// The current row.
  var row: OutboxEntry.Row?

  mutating func run(_ event: OutboxEvent) throws {
    let policy = OutboxPolicy(record: record, isAppliedOnce: outbox.isAppliedOnce)
    let transition = try OutboxEntry.transition(entry, event, policy)
    entry = transition.entry
    for effect in transition.effects { try perform(effect) }
  }

  mutating func perform(_ effect: OutboxEffect) throws {
    let table = record.synced
    switch effect {
    case .write(let new):
      try SyncControl.applying(db) {
        try outbox.write(new, replacing: row, key: key, of: record, in: db, at: date)
      }
      // A trigger of the app may have changed the row, which is then a local change.
      row = try table.row(key, db)
      entry?.row = row
    case .look: if entry != nil { try run(.written) }
    case .setVersion(let version): try table.setVersion(version, of: key, db)
    case .log(let loss, let kept): try ConflictLog.note(loss, kept, of: record, key: key, db, at: date)
    case .quarantine(let sent, let reason):
      let name = outbox.name
      try QuarantinedChanges.removeSent(key, of: record.name, name: name, db)
      try QuarantinedChanges.note(
        sent.change(record, key: key, version: nil), as: .sent, reason: reason, of: name, db,
        at: date.timeIntervalSince1970)
    case .unquarantine: try QuarantinedChanges.removeSent(key, of: record.name, name: outbox.name, db)
    case .compareAll:
      try db.cachedStatement(sql: SyncState.setDue).execute(arguments: [outbox.name])
    case .noteSeen: try table.run(table.noteSeen, key, db)
    case .keep(let rows): try AcknowledgedChanges.keep(rows, of: record, key: key, name: outbox.name, db)
    case .stage(let change): try StagedChanges.append(change, of: outbox.name, db)
    case .park(let change): try ParkedChanges.park(change, of: outbox.name, db)
    case .merge(let change, let pulling):
      try attempt {
        try $0.run(.pulled(change, version: nil, pulling))
      } orElse: {
        try $0.perform(.park(change))
      }
    case .attempt(let effects, let others):
      try attempt {
        for effect in effects { try $0.perform(effect) }
      } orElse: {
        for effect in others { try $0.perform(effect) }
      }
    }
  }

  /// Runs effects in a savepoint, or alternative ones if a constraint forbids them.
  private mutating func attempt(
    _ body: (inout OutboxRun) throws -> Void, orElse other: (inout OutboxRun) throws -> Void
  ) throws {
    var run = self
    if try db.isAllowed({ try body(&run) }) {
      self = run
    } else {
      try other(&self)
    }
  }
}
