import Foundation
import GRDB
import Sanderling

/// Compares rows of ``UnnotedRecords`` with the source.
extension Outbox {
  /// Compares a row with the source's change, and records the edit that this finds.
  ///
  /// | row and stored version | statement | result |
  /// | --- | --- | --- |
  /// | other values, the same version | row | a pending update of the source's row |
  /// | other values, an older version or none | row | the source's or the policy's values; the losses are logged |
  /// | no row, the same version | row | a pending deletion |
  /// | no row, an older version | row | the policy for deletions decides; a loss is logged |
  /// | a row | deletion | the row is logged if no change is pending, since it may be edited; the caller deletes it |
  ///
  /// An entry after `sequence` counts as none, because its base may be an unrecorded edit.
  ///
  /// - Parameter sequence: The last number of the outbox at the repair.
  /// - Returns: Whether everything is done. If not, the caller merges or writes as for any other row.
  /// - Throws: As ``merge(_:of:in:at:_:)``.
  func compare(
    _ change: SyncChange, of record: SyncedRecord, notedThrough sequence: Int64, in db: Database, at date: Date = Date()
  ) throws -> Bool {
    let table = record.synced
    let entry = try record.entry(change.key, db)
    if change.isDeparture { return false }
    if let entry, entry.sequence <= sequence || entry.state != .unsent { return false }
    let row = try entry.map(\.row) ?? table.row(change.key, db)
    let version = try table.version(change.key, db)
    guard let theirs = table.row(of: change).map({ table.filling($0, from: row) }) else {
      if entry == nil, let row {
        try ConflictLog.note(.row(.local, row), nil, of: record, key: change.key, db, at: date)
      }
      return false
    }
    let isSame = version != nil && version == change.version
    if row == nil, !isSame {
      guard entry == nil, version != nil else { return false }
      guard [.deletionWins, .clientWins].contains(record.conflicts.deletion) else {
        try ConflictLog.note(.deletion(.local), theirs, of: record, key: change.key, db, at: date)
        return false
      }
    }
    if entry == nil, row == theirs { return false }
    let event = OutboxEvent.compared(
      theirs, row: row, version: change.version, isSameVersion: isSame,
      number: try entry?.sequence ?? SyncControl.nextNumber(db))
    try SyncControl.applying(db) {
      _ = try apply(event, to: entry, key: change.key, of: record, db, at: date)
    }
    return true
  }

  /// Records an unnamed row as a new row of this device: the source never had it, because it has no version.
  func noteUnnamed(
    _ key: [StorageValue], of record: SyncedRecord, notedThrough sequence: Int64, in db: Database
  ) throws {
    let entry = try record.entry(key, db)
    if let entry, entry.sequence <= sequence || entry.state != .unsent { return }
    guard let row = try entry.map(\.row) ?? record.synced.row(key, db), try record.synced.version(key, db) == nil else {
      return
    }
    let event = OutboxEvent.compared(
      nil, row: row, version: nil, isSameVersion: false, number: try entry?.sequence ?? SyncControl.nextNumber(db))
    try apply(event, to: entry, key: key, of: record, db)
  }
}

extension OutboxEntry {
  /// The entry of a row that differs from the source's, with the source's row as its base.
  static func compared(
    _ entry: OutboxEntry?, _ theirs: Row?, _ row: Row?, _ version: String?, isSameVersion: Bool, number: Int64,
    _ policy: OutboxPolicy
  ) throws -> OutboxTransition {
    if let entry, entry.state != .unsent { return OutboxTransition(entry) }
    var merge = RowMerge(row: row, base: theirs)
    if let row, let theirs, !isSameVersion, row != theirs {
      merge = try merged(row, theirs, changedSince: entry.map(\.base) ?? row, policy)
    }
    let key = policy.record.synced.key.map { (row ?? theirs)?[$0] ?? .null }
    return OutboxTransition(
      OutboxEntry(sequence: entry?.sequence ?? number, key: key, base: merge.base, row: row),
      [.write(merge.row), .look, .setVersion(theirs == nil ? nil : version)] + merge.logs)
  }

  /// Merges two differing rows after some edits of this device were not recorded. A policy for rows decides. Otherwise
  /// columns without a known edit take the source's values. Each discarded value is logged.
  ///
  /// - Parameter noted: The row before the known edits.
  private static func merged(
    _ row: Row, _ theirs: Row, changedSince noted: Row?, _ policy: OutboxPolicy
  ) throws -> RowMerge {
    let conflicts = policy.conflicts
    var merge = try policy.merger(conflicts.withoutMerges).merge(
      base: conflicts.isOfColumns ? noted : nil, local: row, theirs: theirs)
    guard let merged = merge.row else { return merge }
    for column in row.indices where merged[column] != row[column] {
      let loss = RowMerge.Loss.value(.local, column: column, row[column])
      if !merge.losses.contains(loss) { merge.losses.append(loss) }
    }
    return merge
  }
}
