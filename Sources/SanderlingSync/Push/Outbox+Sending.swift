import Foundation
import GRDB
import Sanderling

/// Sending mutations to the server in order.
extension Outbox {
  /// A mutation that is being sent, and its entry.
  struct Sending: Sendable {
    let record: SyncedRecord
    let entry: Int64
    let mutation: Mutation
    /// The last staged change at the first send: staged changes up to it are older. 0 if unknown.
    var lastStaged: Int64 = 0
  }

  /// The outcome of a mutation.
  enum Settled: Hashable, Sendable {
    case acknowledged, conflict, refused, failed
    /// The mutation was refused together with a parent and waits for that row. Or it was in conflict and is now based
    /// on a newer pulled row.
    case waiting
  }

  /// The mutations that were being sent when the process ended or the connection broke. Each is sent again unchanged,
  /// which is counted.
  ///
  /// - Parameters:
  ///   - limit: The greatest number of mutations.
  ///   - held: The sequences of entries that must not be sent now.
  func takeAgain(limit: Int, except held: Set<Int64> = [], _ db: Database) throws -> [Sending] {
    let client = try SyncControl.client(db)
    var found: [(record: SyncedRecord, entry: OutboxEntry, sent: OutboxEntry.Sent)] = []
    for record in records {
      for entry in try record.entries(record.synced.selectSending, [], db) where !held.contains(entry.sequence) {
        if !entry.isAnswered, let sent = entry.sent { found.append((record, entry, sent)) }
      }
    }
    found.sort { $0.sent.number < $1.sent.number }
    return try found.prefix(limit).map { record, entry, sent in
      try apply(.sentAgain, to: entry, key: entry.key, of: record, db)
      return Sending(
        record: record, entry: entry.sequence, mutation: try mutation(sent, of: record, key: entry.key, client, db))
    }
  }

  /// A mutation for a sink.
  private func mutation(
    _ sent: OutboxEntry.Sent, of record: SyncedRecord, key: [StorageValue], _ client: String, _ db: Database
  ) throws -> Mutation {
    var mutation = sent.mutation(record, key: key, client: client)
    guard let row = sent.row else { return mutation }
    for reference in record.synced.references where !row[reference.column].isNull {
      let name = reference.parent.folded
      guard let parent = records.first(where: { $0.synced.name.folded == name }), parent.synced.key.count == 1 else {
        continue
      }
      let version = try parent.synced.version([row[reference.column]], db)
      mutation.parentIDs[record.synced.columns[reference.column]] = HTTPVersion(stored: version).id
    }
    return mutation
  }

  /// Returns the number of sent mutations without an answer. O(those and the acknowledged ones).
  func sendingCount(_ db: Database) throws -> Int {
    try records.reduce(0) { count, record in
      try count + record.entries(record.synced.selectSending, [], db).count { !$0.isAnswered }
    }
  }

  /// Marks the next mutations as being sent.
  ///
  /// - Parameters:
  ///   - limit: The greatest number of mutations.
  ///   - held: The sequences of entries that must not be sent now. Entries that must wait for the pull are added.
  /// - Returns: The mutations in the order in which the server must apply them: as they happened. Exceptions: parents
  ///   precede their children, and rows that referred to a record precede its deletion. A mutation that must precede
  ///   others makes these wait with it.
  func take(
    limit: Int, except held: inout Set<Int64>, at moment: PushMoment, _ db: Database
  ) throws -> [Sending] {
    var order = OutboxOrder(self, held: held, limit: limit, at: moment)
    let entries = try order.entries(db)
    held.formUnion(order.uncertain)
    if entries.isEmpty { return [] }
    let client = try SyncControl.client(db)
    let lastStaged = try Int64.fetchOne(db.cachedStatement(sql: StagedChanges.last)) ?? 0
    return try entries.map { record, entry in
      let event = OutboxEvent.sent(
        number: try SyncControl.nextNumber(db), version: try record.synced.version(entry.key, db))
      guard let sent = try apply(event, to: entry, key: entry.key, of: record, db)?.sent else {
        preconditionFailure("an entry that is sent differs from its base")
      }
      return Sending(
        record: record, entry: entry.sequence, mutation: try mutation(sent, of: record, key: entry.key, client, db),
        lastStaged: lastStaged)
    }
  }

  // MARK: Answers

  /// Stores an acknowledgement while polls are running. The mutation isn't sent again, even if the run ends before the
  /// polls.
  func note(_ sending: Sending, taken version: String?, _ db: Database) throws {
    guard let (entry, _) = try entry(of: sending, db) else { return }
    let answer = OutboxEntry.Acknowledgement(version: version, lastStaged: sending.lastStaged)
    try apply(.answered(answer), to: entry, key: entry.key, of: sending.record, db)
  }

  /// Settles the mutations of an earlier run that were acknowledged but not settled before the run ended. Its polls
  /// have ended now.
  func settleTaken(_ db: Database) throws -> [(sending: Sending, settled: Settled)] {
    let client = try SyncControl.client(db)
    return try records.flatMap { record in
      try record.entries(record.synced.selectSending, [], db).compactMap { entry in
        guard case .sending(let sent, let meanwhile) = entry.state, let answer = meanwhile.acknowledgement else {
          return nil
        }
        let sending = Sending(
          record: record, entry: entry.sequence, mutation: sent.mutation(record, key: entry.key, client: client),
          lastStaged: answer.lastStaged)
        return (sending, try settle(sending, .acknowledged(version: answer.version), db))
      }
    }
  }

  /// The entry of a mutation, if the entry is still sending this mutation.
  private func entry(of sending: Sending, _ db: Database) throws -> (OutboxEntry, OutboxEntry.Sent)? {
    let record = sending.record
    let entry = try record.entries(record.synced.selectEntry, [.integer(sending.entry)], db).first
    guard let entry, case .sending(let sent, _) = entry.state, sent.number == sending.mutation.sequence else {
      return nil
    }
    return (entry, sent)
  }

  /// Processes a server's answer to a mutation.
  ///
  /// An entry that is no longer in the sent state stays unchanged, so an answer can be processed twice.
  func settle(_ sending: Sending, _ outcome: MutationOutcome, _ db: Database, at date: Date = Date()) throws -> Settled
  {
    let record = sending.record
    guard let (entry, sent) = try entry(of: sending, db) else { return outcome.settled }
    let event: OutboxEvent
    var isCompared = false
    switch outcome {
    case .acknowledged(let version):
      let look = try look(at: entry, sent, lastStaged: sending.lastStaged, record, db)
      isCompared = look.isComparedBefore == false
      event = .acknowledged(version: version, look)
    case .conflict: event = .conflicted(reason: nil)
    case .conflicting(let reason): event = .conflicted(reason: reason)
    case .refused(let reason): event = try isParentUnknown(sent, record, db) ? .parentRefused : .refused(reason: reason)
    case .failed(let reason, _): event = .failed(reason: reason)
    }
    let left = try apply(event, to: entry, key: entry.key, of: record, db, at: date)
    if outcome.isConflict, case .refused? = left?.state { return .refused }
    if case .parentRefused = event { return .waiting }
    if outcome.isConflict, let left, !left.isUncertain, isRebased(entry, sent) { return .waiting }
    // The pull, or the full comparison, shows the fate of the row.
    if case .acknowledged = outcome, let left, left.isUncertain || (isCompared && left.state != .unsent) {
      return .conflict
    }
    return outcome.settled
  }

  /// Whether the pull brought news of a row since its mutation was sent. A mutation in conflict is then based on the
  /// news and need not wait.
  ///
  /// A mutation that was sent again may conflict with itself and waits, unless the server recognises its number.
  private func isRebased(_ entry: OutboxEntry, _ sent: OutboxEntry.Sent) -> Bool {
    guard case .sending(_, let meanwhile) = entry.state, isAppliedOnce || sent.attempts == 0 else { return false }
    return meanwhile.basis == .changed || meanwhile.held != nil
  }

  private func look(
    at entry: OutboxEntry, _ sent: OutboxEntry.Sent, lastStaged: Int64, _ record: SyncedRecord, _ db: Database
  ) throws -> OutboxLook {
    var look = OutboxLook(isStaging: try StagedChanges.isUnderWay(name, db))
    if look.isStaging {
      look.staged = try StagedChanges.change(of: record.name, key: entry.key, behind: lastStaged, of: name, db)
    }
    if sent.kind != .deletion {
      look.isComparedBefore = try Bool.fetchOne(
        db.cachedStatement(sql: SyncState.isComparedBefore), arguments: [name, sent.number])
    }
    return look
  }

  /// Whether the mutation refers to a row of this device that the server doesn't have yet, and that was sent before it.
  private func isParentUnknown(_ sent: OutboxEntry.Sent, _ record: SyncedRecord, _ db: Database) throws -> Bool {
    guard let row = sent.row else { return false }
    return try record.synced.references.contains { reference in
      let name = reference.parent.folded
      guard let parent = records.first(where: { $0.synced.name.folded == name }), parent.synced.key.count == 1,
        let entry = try parent.entry([row[reference.column]], db)
      else { return false }
      // Among rows that refer to each other, one must be first.
      if entry.isSending, let number = entry.sent?.number, number >= sent.number { return false }
      return entry.base == nil && entry.row != nil && !entry.isTakenAsItIs
    }
  }

  /// Sends the refused mutation of a row again.
  ///
  /// - Returns: Whether the key had a refused mutation.
  func retry(_ key: [StorageValue], of record: SyncedRecord, _ db: Database) throws -> Bool {
    try applyToRefused(.retried, key, of: record, db)
  }

  /// Gives up the refused mutation of a row and the later edits: the record takes the server's values.
  ///
  /// - Returns: Whether the key had a refused mutation.
  func discard(_ key: [StorageValue], of record: SyncedRecord, _ db: Database) throws -> Bool {
    try applyToRefused(.discarded, key, of: record, db)
  }

  private func applyToRefused(
    _ event: OutboxEvent, _ key: [StorageValue], of record: SyncedRecord, _ db: Database
  ) throws -> Bool {
    guard let entry = try record.entry(key, db), case .refused = entry.state else { return false }
    try apply(event, to: entry, key: key, of: record, db)
    return true
  }
}

extension MutationOutcome {
  fileprivate var settled: Outbox.Settled {
    switch self {
    case .acknowledged: .acknowledged
    case .conflict, .conflicting: .conflict
    case .refused: .refused
    case .failed: .failed
    }
  }
}
