import Sanderling

/// An event in the life of a pending change.
enum OutboxEvent: Sendable {
  /// The app wrote the row. The number is that of a new entry.
  case edited(from: OutboxEntry.Row?, to: OutboxEntry.Row?, number: Int64)
  /// Its turn to be sent comes.
  case due(isAfterPull: Bool)
  /// It is sent under a number, based on the version that the server gave to its base.
  case sent(number: Int64, version: String?)
  /// It is sent again, since its answer was lost.
  case sentAgain
  /// The server took it, and looks are under way that may be older: ``acknowledged(version:_:)`` follows when they are over.
  case answered(OutboxEntry.Acknowledgement)
  case acknowledged(version: String?, OutboxLook)
  /// The server has another row than the mutation is based on.
  case conflicted(reason: String?)
  case refused(reason: String)
  /// The server refused it together with the insertion of a row that it refers to.
  case parentRefused
  case failed(reason: String)
  /// The source says how the row is. The version is that of the base.
  case pulled(SyncChange, version: String?, OutboxPulling)
  /// A comparison found that the row differs from the source's, of a record whose edits weren't noted for a while; nil
  /// where the source has none. The number is that of a new entry.
  case compared(OutboxEntry.Row?, row: OutboxEntry.Row?, version: String?, isSameVersion: Bool, number: Int64)
  /// An effect wrote the row.
  case written
  /// The source named all that it has.
  case allNamed
  /// The row went with one that the server deleted. It was restored where the server still has it and nothing stands in its way.
  case cascaded(lost: OutboxEntry.Row, isRestored: Bool)
  /// The server deleted the row, and rows of this device refer to it. The number is that of a new entry.
  case deletedUnderReferences(row: OutboxEntry.Row, number: Int64)
  /// A column that the record got has this value at the server, of a row that was deleted here.
  case completed([String: StorageValue])
  /// The server went back. It had these rows before and after mutations that it took, in their order; the number is that of a new entry.
  case wentBack([OutboxEntry.Row?], row: OutboxEntry.Row?, number: Int64)
  /// The user wants the refused mutation to be sent again.
  case retried
  /// The user gives the refused mutation up.
  case discarded
}

extension OutboxEvent {
  var isAcknowledgement: Bool { if case .acknowledged = self { true } else { false } }
}

/// How a pulled change is merged.
enum OutboxPulling: Sendable {
  /// By the record's policy.
  case byPolicy
  /// By the record's policy, of a source that goes on: of a row whose versions grow, a lesser one was staged before an acknowledgement.
  case news
  /// The change of this device stays, whatever the policy: its parent was deleted here.
  case keepingLocal
  /// As while the mutation is under way, since it isn't known which of both is newer.
  case unordered
}

/// The database's knowledge of the row at an acknowledgement, beside its entry.
struct OutboxLook: Sendable {
  /// Whether pulled changes wait for their checkpoint.
  var isStaging = false
  /// The last of them of the row, since the mutation was sent.
  var staged: SyncChange?
  /// Whether the source began anew before the mutation got its number; nil for a deletion, and where nothing is compared.
  ///
  /// If not, it isn't known whether the row is there: it may have been deleted before the source began anew, too.
  var isComparedBefore: Bool?
}

/// A write that a transition asks for. Effects are run in their order, in the transaction of the event.
indirect enum OutboxEffect: Equatable, Sendable {
  /// Writes the row, as no change of the app's, with the rows that go with it: see ``Outbox/deleting(_:of:in:at:_:)``.
  case write(OutboxEntry.Row?)
  /// Looks at the row that was written: ``OutboxEvent/written``.
  case look
  /// Notes the version of the base.
  case setVersion(String?)
  /// Notes what got lost in the log of conflicts, and the row that stayed.
  case log(RowMerge.Loss, kept: OutboxEntry.Row?)
  case quarantine(OutboxEntry.Sent, reason: String)
  /// Takes the row's refused mutation out of the quarantine.
  case unquarantine
  /// Has the next poll ask the source for all rows.
  case compareAll
  /// Notes for a comparison that the source has the row.
  case noteSeen
  /// Keeps the rows before and after a mutation that the server took, in case it goes back.
  case keep([OutboxEntry.Row?])
  /// Adds a change to those that wait for their checkpoint.
  case stage(SyncChange)
  /// Has a change wait until nothing stands in its way.
  case park(SyncChange)
  /// Merges a change that waited for the answer, or parks it where a constraint forbids that.
  case merge(SyncChange, OutboxPulling)
  /// Runs effects, or others where a constraint forbids these.
  case attempt([OutboxEffect], orElse: [OutboxEffect])
}

/// The rules of a record and its server.
struct OutboxPolicy: Sendable {
  let record: SyncedRecord
  /// Whether the server knows mutations by their numbers, so that a conflict says that it never applied this one. Where
  /// it doesn't, one that was sent twice may be in conflict with itself.
  var isAppliedOnce = false

  var conflicts: ConflictPolicy { record.conflicts }

  func merger(_ policy: ConflictPolicy) -> RowMerger {
    RowMerger(record: record.name, columns: record.synced.columns, key: record.synced.key, policy: policy)
  }
}
