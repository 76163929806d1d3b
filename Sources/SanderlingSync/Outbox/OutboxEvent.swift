import Sanderling

/// An event of a pending change.
enum OutboxEvent: Sendable {
  /// The app wrote the row. The number is for a new entry.
  case edited(from: OutboxEntry.Row?, to: OutboxEntry.Row?, number: Int64)
  /// The change is next in order to be sent.
  case due(isAfterPull: Bool)
  /// The change is sent with a number, based on the server's version of its base.
  case sent(number: Int64, version: String?)
  /// The mutation is sent again, because its answer was lost.
  case sentAgain
  /// The server acknowledged the mutation while polls are running that may be older. ``acknowledged(version:_:)``
  /// follows when they end.
  case answered(OutboxEntry.Acknowledgement)
  case acknowledged(version: String?, OutboxLook)
  /// The server's row differs from the one that the mutation is based on.
  case conflicted(reason: String?)
  case refused(reason: String)
  /// The server refused the mutation together with the insertion of its parent.
  case parentRefused
  case failed(reason: String)
  /// A change of the row arrived from the source. The version is that of the base.
  case pulled(SyncChange, version: String?, OutboxPulling)
  /// After edits of a record were not recorded for a while, a comparison found that the row differs from the source's.
  /// The first row is the source's; nil if it has none. The number is for a new entry.
  case compared(OutboxEntry.Row?, row: OutboxEntry.Row?, version: String?, isSameVersion: Bool, number: Int64)
  /// An effect wrote the row.
  case written
  /// The source named all its rows.
  case allNamed
  /// The row was deleted with a row that the server deleted. It was restored if the server still has it and there is no
  /// obstacle.
  case cascaded(lost: OutboxEntry.Row, isRestored: Bool)
  /// The server deleted the row, but rows of this device refer to it. The number is for a new entry.
  case deletedUnderReferences(row: OutboxEntry.Row, number: Int64)
  /// New columns of the record have these values at the server, in the row of a local deletion.
  case completed([String: StorageValue])
  /// The server went back. It had these rows before and after acknowledged mutations, in order. The number is for a new
  /// entry.
  case wentBack([OutboxEntry.Row?], row: OutboxEntry.Row?, number: Int64)
  /// The user requests the refused mutation to be sent again.
  case retried
  /// The user gives up the refused mutation.
  case discarded
}

extension OutboxEvent {
  var isAcknowledgement: Bool { if case .acknowledged = self { true } else { false } }
}

/// The way in which a pulled change is merged.
enum OutboxPulling: Sendable {
  /// The record's policy decides.
  case byPolicy
  /// The record's policy decides about a change of a source that continues. If the versions of a row grow, a change
  /// with a lower one was staged before an acknowledgement.
  case news
  /// The local change stays under any policy: its parent was deleted locally.
  case keepingLocal
  /// The local change and the pulled change are merged as during sending, because it is unknown which is newer.
  case unordered
}

/// The facts about the row at an acknowledgement, beside its entry.
struct OutboxLook: Sendable {
  /// Whether staged changes exist.
  var isStaging = false
  /// The last staged change of the row since the mutation was sent.
  var staged: SyncChange?
  /// Whether the source restarted before the mutation got its number; nil for a deletion, and outside a full
  /// comparison.
  ///
  /// If not, the row's existence is unknown: it may have been deleted before the restart.
  var isComparedBefore: Bool?
}

/// A write that a transition requests. Effects run in order, in the event's transaction.
indirect enum OutboxEffect: Equatable, Sendable {
  /// Writes the row and its dependent rows, not as a local change: see ``Outbox/deleting(_:of:in:at:_:)``.
  case write(OutboxEntry.Row?)
  /// Reads the written row back: ``OutboxEvent/written``.
  case look
  /// Stores the version of the base.
  case setVersion(String?)
  /// Logs a loss in the log of conflicts, with the remaining row.
  case log(RowMerge.Loss, kept: OutboxEntry.Row?)
  case quarantine(OutboxEntry.Sent, reason: String)
  /// Removes the row's refused mutation from the quarantine.
  case unquarantine
  /// Makes the next poll request all rows from the source.
  case compareAll
  /// Records for a full comparison that the source has the row.
  case noteSeen
  /// Keeps the rows before and after an acknowledged mutation, in case the server goes back.
  case keep([OutboxEntry.Row?])
  /// Stages a change for its checkpoint.
  case stage(SyncChange)
  /// Parks a change until there is no obstacle.
  case park(SyncChange)
  /// Merges a change that waited for the answer, or parks it if a constraint forbids that.
  case merge(SyncChange, OutboxPulling)
  /// Runs effects, or alternative ones if a constraint forbids these.
  case attempt([OutboxEffect], orElse: [OutboxEffect])
}

/// The rules of a record and its server.
struct OutboxPolicy: Sendable {
  let record: SyncedRecord
  /// Whether the server recognises mutations by their numbers, so that a conflict means it never applied this one.
  /// Otherwise a mutation that was sent twice may conflict with itself.
  var isAppliedOnce = false

  var conflicts: ConflictPolicy { record.conflicts }

  func merger(_ policy: ConflictPolicy) -> RowMerger {
    RowMerger(record: record.name, columns: record.synced.columns, key: record.synced.key, policy: policy)
  }
}
