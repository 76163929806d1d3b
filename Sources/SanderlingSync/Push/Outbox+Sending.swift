import Foundation
import GRDB
import Sanderling

/// Mutations on their way to the server, in order.
extension Outbox {
  /// A mutation that is being sent, and its entry.
  struct Sending: Sendable {
    let record: SyncedRecord
    let entry: Int64
    let mutation: Mutation
    /// The last staged change when it was sent first: those up to it are older. 0 where that isn't known.
    var lastStaged: Int64 = 0
  }

  /// The outcome of a mutation.
  enum Settled: Hashable, Sendable {
    case acknowledged, conflict, refused, failed
    /// It was refused with a row that it refers to, and waits for that one. Or it was in conflict, and is based on a newer pulled row.
    case waiting
  }

  /// The mutations that were being sent when the process ended or the connection broke: each is sent again as it was, which is noted.
  ///
  /// - Parameters:
  ///   - limit: How many mutations at most.
  ///   - held: The sequences of entries that are not to be sent now.
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

  /// A mutation as a sink gets it.
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

  /// How many mutations are under way without an answer. O(those, and those that the server took).
  func sendingCount(_ db: Database) throws -> Int {
    try records.reduce(0) { count, record in
      try count + record.entries(record.synced.selectSending, [], db).count { !$0.isAnswered }
    }
  }

  /// Marks the mutations that are sent next.
  ///
  /// - Parameters:
  ///   - limit: How many mutations at most.
  ///   - held: The sequences of entries that are not to be sent now. Those are added that have to wait for the pull.
  /// - Returns: In the order in which the server is to apply them: as they happened, but parents before their children,
  ///   and rows that referred to a record before its deletion. A mutation that would come before one that waits, waits
  ///   with it.
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

  /// Notes that the server took a mutation, while looks are under way. It isn't sent again, even where the run ends before they are over.
  func note(_ sending: Sending, taken version: String?, _ db: Database) throws {
    guard let (entry, _) = try entry(of: sending, db) else { return }
    let answer = OutboxEntry.Acknowledgement(version: version, lastStaged: sending.lastStaged)
    try apply(.answered(answer), to: entry, key: entry.key, of: sending.record, db)
  }

  /// Settles the mutations that the server took in a run that ended before the looks under way were over. Now they are.
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

  /// The entry of a mutation, as long as it is the one under way.
  private func entry(of sending: Sending, _ db: Database) throws -> (OutboxEntry, OutboxEntry.Sent)? {
    let record = sending.record
    let entry = try record.entries(record.synced.selectEntry, [.integer(sending.entry)], db).first
    guard let entry, case .sending(let sent, _) = entry.state, sent.number == sending.mutation.sequence else {
      return nil
    }
    return (entry, sent)
  }

  /// Notes a server's answer to a mutation.
  ///
  /// An entry that isn't the one that was sent any more is left alone, so that an answer can be noted twice.
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
    // The pull, or the comparison, tells what became of the row.
    if case .acknowledged = outcome, let left, left.isUncertain || (isCompared && left.state != .unsent) {
      return .conflict
    }
    return outcome.settled
  }

  /// Whether the pull has told news of a row since its mutation was sent: a mutation in conflict is based on them now,
  /// and need not wait for others.
  ///
  /// One that was sent again may be in conflict with itself, and waits, unless the server knows its number.
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
      // Of rows that refer to each other, one is first.
      if entry.isSending, let number = entry.sent?.number, number >= sent.number { return false }
      return entry.base == nil && entry.row != nil && !entry.isTakenAsItIs
    }
  }

  /// Sends the refused mutation of a row once more.
  ///
  /// - Returns: Whether the key had a refused mutation.
  func retry(_ key: [StorageValue], of record: SyncedRecord, _ db: Database) throws -> Bool {
    try applyToRefused(.retried, key, of: record, db)
  }

  /// Gives up the refused mutation of a row, and the edits since: the record is as the server has it.
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
