import Foundation
import GRDB
import Sanderling

/// What this device is to tell a server, in order: changes of records that the server hasn't acknowledged.
///
/// All functions run on the store's writer, in a transaction.
struct Outbox: Sendable {
  /// The name of the synchronisation, which quarantined mutations are listed under.
  let name: String
  let records: [SyncedRecord]
  /// Whether the server knows mutations by their numbers, so that a conflict says that it never applied this one. Where it doesn't, one that
  /// was sent twice may be in conflict with itself.
  var isAppliedOnce = false

  /// A mutation that is being sent, and its entry.
  struct Sending: Sendable {
    let record: SyncedRecord
    let entry: Int64
    let mutation: Mutation
    /// The last staged change when it was sent first: those up to it are older. 0 where that isn't known.
    var lastStaged: Int64 = 0
  }

  /// What became of what was sent.
  enum Settled: Hashable, Sendable {
    case acknowledged, conflict, refused, failed
  }

  var cascades: Cascades { Cascades(name: name, records: records) }

  /// Changes when something is noted in an outbox of the database, and when a mutation gets its number.
  static let lastSequence = RawQuery<Int64>(
    "SELECT sequence FROM main.sanderling_sync_control", as: Int64.self)

  // MARK: What is sent

  /// What was being sent when the process ended or the connection broke: it is to be sent again as it was, and is noted to be.
  ///
  /// - Parameters:
  ///   - limit: How many mutations at most.
  ///   - held: The sequences of entries that are not to be sent now.
  func takeAgain(limit: Int, except held: Set<Int64> = [], _ db: Database) throws -> [Sending] {
    let client = try SyncControl.client(db)
    let all = try records.flatMap { record in
      try record.synced.entries(record.synced.selectSending, [], db).filter { !held.contains($0.sequence) }.map {
        entry in
        Sending(record: record, entry: entry.sequence, mutation: entry.sentMutation(record.name, client: client))
      }
    }
    let again = Array(all.sorted { $0.mutation.sequence < $1.mutation.sequence }.prefix(limit))
    for sending in again {
      let table = sending.record.synced
      try table.run(table.noteAttempt, [.integer(sending.entry)], db)
    }
    return again
  }

  /// Marks what is to be sent next, with what is sent.
  ///
  /// - Parameters:
  ///   - limit: How many mutations at most.
  ///   - held: The sequences of entries that are not to be sent now. Those are added that have to wait for the pull.
  /// - Returns: In the order in which the server is to apply them: as they happened, but parents before their children, and what referred to
  ///   a record before its deletion. What would come before something that waits, waits with it.
  func take(
    limit: Int, except held: inout Set<Int64>, at moment: PushMoment, _ db: Database
  ) throws -> [Sending] {
    var order = OutboxOrder(records: records, name: name, held: held, limit: limit, at: moment)
    let entries = try order.entries(db)
    held.formUnion(order.uncertain)
    if entries.isEmpty { return [] }
    let client = try SyncControl.client(db)
    let lastStaged = try Int64.fetchOne(db.cachedStatement(sql: StagedChanges.last)) ?? 0
    return try entries.map { record, entry in
      let table = record.synced
      guard let difference = entry.difference else { preconditionFailure("what is sent differs from its base") }
      let number = try SyncControl.nextNumber(db)
      // A new row is based on nothing, though one of its key may have been there before.
      let version = try entry.base == nil ? nil : table.version(entry.key, db)
      try table.run(
        table.markSending,
        [
          .integer(entry.sequence), .integer(number), .integer(difference.kind.rawValue),
          .text(ValueText.names(difference.columns)), version.map { .text($0) } ?? .null,
        ] + (entry.row ?? table.columns.map { _ in .null }), db)
      guard let marked = try table.entries(table.selectEntry, [.integer(entry.sequence)], db).first else {
        preconditionFailure("an entry that was marked is there")
      }
      return Sending(
        record: record, entry: entry.sequence, mutation: marked.sentMutation(record.name, client: client),
        lastStaged: lastStaged)
    }
  }

  // MARK: What became of it

  /// Notes what a server said to a mutation.
  ///
  /// An entry that isn't the one that was sent any more is left alone, so that an answer can be noted twice.
  func settle(_ sending: Sending, _ outcome: MutationOutcome, _ db: Database, at date: Date = Date()) throws -> Settled
  {
    let table = sending.record.synced
    let id = StorageValue.integer(sending.entry)
    guard let entry = try table.entries(table.selectEntry, [id], db).first, entry.state == .sending,
      entry.mutation == sending.mutation.sequence
    else { return outcome.settled }
    switch outcome {
    case .acknowledged(let version): return try acknowledge(sending, version, entry, db, at: date)
    case .conflict where entry.isDeparted:
      try giveUp(entry, of: sending.record, db, at: date)
    case .conflict:
      let held = try entry.heldChange(of: sending.record)
      try returnToUnsent(entry, db)
      // Should it come back in a pull, the server had applied it the first time: also where it was sent once, since what is between may
      // repeat a request. Only what others may have raised by as much is taken for theirs then.
      let isOthers = isAppliedOnce || (entry.attempts == 0 && !sending.record.conflicts.merges.isEmpty)
      if isOthers { try table.run(table.forgetSent, [id], db) }
      try table.run(table.noteConflict, [id], db)
      if entry.isRebased {
        try LocalChanges.decide(entry, of: sending.record, in: db, at: date, cascades)
      }
      try release(held, of: sending.record, db, at: date)
    case .refused(let reason):
      try Quarantine.note(sending, of: name, reason, db, at: date)
      let held = try entry.heldChange(of: sending.record)
      let isChangedSince = try table.entries(table.selectEntriesOfKey, entry.key, db).count > 1
      if isChangedSince {
        try returnToUnsent(entry, db)
        try table.run(table.forgetSent, [id], db)
      } else {
        try table.run(table.setState, [id, .integer(OutboxEntry.State.refused.rawValue), .text(reason)], db)
        try table.run(table.hold, [id, .null], db)
      }
      try release(held, of: sending.record, db, at: date)
    case .failed(let reason, _): try table.run(table.noteFailure, [id, .text(reason)], db)
    }
    return outcome.settled
  }

  func release(
    _ held: SyncChange?, of record: SyncedRecord, by policy: ConflictPolicy? = nil, _ db: Database, at date: Date
  ) throws {
    guard let held else { return }
    try LocalChanges.release(
      held, of: record, by: policy, in: db, at: date, cascades)
  }

  /// The base of what was sent is that of all changes of the row again.
  func returnToUnsent(_ entry: OutboxEntry, _ db: Database) throws {
    try entry.table.run(entry.table.deleteUnsent, entry.key, db)
    try entry.table.run(
      entry.table.setState,
      [.integer(entry.sequence), .integer(OutboxEntry.State.unsent.rawValue), .null], db)
  }

  /// Removes a row that isn't this device's any more, and whose changes the server can't take: it would not tell what they would have to be
  /// based on.
  private func giveUp(_ entry: OutboxEntry, of record: SyncedRecord, _ db: Database, at date: Date) throws {
    try returnToUnsent(entry, db)
    try entry.table.run(entry.table.deleteEntry, [.integer(entry.sequence)], db)
    try Quarantine.remove(entry.key, of: record.name, name: name, db)
    if let row = entry.row {
      try ConflictLog.note(.row(.local, row), nil, of: record, key: entry.key, db, at: date)
    }
    try entry.leave(record, cascades, db, at: date)
  }

  /// Sends what was refused once more.
  ///
  /// - Returns: Whether the key had a refused change.
  func retry(_ key: [StorageValue], of record: SyncedRecord, _ db: Database) throws -> Bool {
    let table = record.synced
    guard let entry = try table.entries(table.selectEntriesOfKey, key, db).first, entry.state == .refused else {
      return false
    }
    try returnToUnsent(entry, db)
    try table.run(table.forgetSent, [.integer(entry.sequence)], db)
    try Quarantine.remove(key, of: record.name, name: name, db)
    return true
  }

  /// Gives up what was refused, and what was changed since: the record is as the server has it.
  ///
  /// - Returns: Whether the key had a refused change.
  func discard(_ key: [StorageValue], of record: SyncedRecord, _ db: Database) throws -> Bool {
    let table = record.synced
    guard let entry = try table.entries(table.selectEntriesOfKey, key, db).first, entry.state == .refused else {
      return false
    }
    try table.run(table.deleteUnsent, key, db)
    try table.run(table.deleteEntry, [.integer(entry.sequence)], db)
    if entry.isDeparted {
      try entry.leave(record, cascades, db, at: Date())
    } else {
      try SyncControl.applying(db) {
        try cascades.write(entry.base, replacing: entry.row, key: key, of: record, in: db, at: Date())
      }
    }
    try Quarantine.remove(key, of: record.name, name: name, db)
    return true
  }
}

extension MutationOutcome {
  fileprivate var settled: Outbox.Settled {
    switch self {
    case .acknowledged: .acknowledged
    case .conflict: .conflict
    case .refused: .refused
    case .failed: .failed
    }
  }
}
