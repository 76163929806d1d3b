import Foundation
import GRDB
public import Sanderling

/// The values, rows and deletions that got lost in conflicts, to be listed, shown and undone.
///
/// ```swift
/// let log = ConflictLog(of: store, records: [SyncedRecord(Note.self)])
/// for conflict in try await log.conflicts() { print(conflict.record, conflict.loss) }
/// ```
public struct ConflictLog: Sendable {
  private let store: Store
  private let records: [String: SyncedRecord]

  /// Opens the log of a store's conflicts.
  ///
  /// - Parameter records: The records of the synchronisation.
  public init(of store: Store, records: [SyncedRecord]) {
    self.store = store
    self.records = Dictionary(records.map { ($0.name, $0) }) { first, _ in first }
  }

  /// The lost values, rows and deletions, the latest first; none before the first synchronisation.
  ///
  /// - Parameter limit: The greatest number of conflicts to read.
  /// - Throws: ``/Sanderling/StoreError``.
  /// - Complexity: O(limit).
  public func conflicts(limit: Int = 1000) async throws -> [SyncConflict] {
    try await store.read { tx in
      guard try tx.database.tableExists(OutboxSchema.conflictsName) else { return [] }
      var conflicts: [SyncConflict] = []
      try tx.database.forEachRow(of: Self.select) {
        try $0.bind([.integer(Int64(limit))])
      } row: { row in
        if let conflict = SyncConflict(reading: row) { conflicts.append(conflict) }
      }
      return conflicts
    }
  }

  /// Restores the record's lost value, row or deletion as a change of this device, which is sent like any other change.
  /// Removes the conflict from the log.
  ///
  /// - Throws: ``SyncTableError/notUndoable(record:reason:)`` if the value's record no longer exists, or its kind isn't
  ///   synchronised; ``/Sanderling/StoreError``, for example if a constraint forbids the change. Then nothing was
  ///   changed.
  public func undo(_ conflict: SyncConflict) async throws {
    guard let table = records[conflict.record]?.synced else {
      throw SyncTableError.notUndoable(
        record: conflict.record, reason: "the log was opened without this record")
    }
    try await store.write("undo conflict") { tx in
      let db = tx.database
      let present = try table.row(conflict.key, db)
      var row = present
      switch conflict.loss {
      case .deletion: row = nil
      case .value(let column, let lost, _):
        guard present != nil, let index = table.columns.firstIndex(of: column) else {
          throw SyncTableError.notUndoable(
            record: conflict.record,
            reason: present == nil ? "the row was deleted" : "the table has no column \(column) any more")
        }
        row?[index] = lost
      case .row(let values):
        row = table.columns.enumerated().map { values[$1] ?? present?[$0] ?? .null }
      }
      try table.write(row, replacing: present, key: conflict.key, db)
      try Self.remove(conflict, db)
    }
  }

  /// Removes a conflict from the log: the lost values are of no interest.
  ///
  /// - Throws: ``/Sanderling/StoreError``.
  public func dismiss(_ conflict: SyncConflict) async throws {
    try await store.write("dismiss conflict") { try Self.remove(conflict, $0.database) }
  }

  // MARK: Statements

  static let select = """
    SELECT id, record, key, kind, side, column, lost, kept, at FROM main.sanderling_sync_conflicts ORDER BY id DESC \
    LIMIT ?1
    """
  static let delete = "DELETE FROM main.sanderling_sync_conflicts WHERE id = ?1"
  private static let insert = """
    INSERT INTO main.sanderling_sync_conflicts (record, key, kind, side, column, lost, kept, at) \
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
    """

  private static func remove(_ conflict: SyncConflict, _ db: Database) throws {
    try db.forEachRow(of: delete) {
      try $0.bind([.integer(conflict.id)])
    } row: { _ in
    }
  }

  /// Logs a lost change, in the transaction that discards it.
  ///
  /// - Parameter row: The remaining row; nil for none.
  static func note(
    _ loss: RowMerge.Loss, _ row: [StorageValue]?, of record: SyncedRecord, key: [StorageValue], _ db: Database,
    at date: Date
  ) throws {
    let columns = record.synced.columns
    let (kind, side, column, lost, kept): (String, RowMerge.Side, StorageValue, StorageValue, StorageValue) =
      switch loss {
      case .value(let side, let column, let value):
        ("value", side, .text(columns[column]), value, row?[column] ?? .null)
      case .deletion(let side): ("deletion", side, .null, .null, .null)
      case .row(let side, let values):
        ("row", side, .null, .text(StoredJSON.text(Dictionary(zip(columns, values)) { first, _ in first })), .null)
      }
    try db.forEachRow(of: insert) {
      try $0.bind([
        .text(record.name), .text(StoredJSON.text(key)), .text(kind), .text(side.rawValue), column, lost, kept,
        .integer(date.millisecondsSince1970),
      ])
    } row: { _ in
    }
  }
}

extension SyncConflict {
  fileprivate init?(reading row: ResultRow) {
    guard case .integer(let id) = row.storageValue(at: 0), case .text(let record) = row.storageValue(at: 1),
      case .text(let keyText) = row.storageValue(at: 2), let key = try? StoredJSON.values(keyText),
      case .text(let kind) = row.storageValue(at: 3), case .text(let sideName) = row.storageValue(at: 4),
      let side = Side(rawValue: sideName), case .integer(let milliseconds) = row.storageValue(at: 8)
    else { return nil }
    let lost = row.storageValue(at: 6)
    let loss: Loss
    switch (kind, row.storageValue(at: 5), lost) {
    case ("value", .text(let column), _):
      loss = .value(column: column, lost: lost, kept: row.storageValue(at: 7))
    case ("deletion", _, _): loss = .deletion
    case ("row", _, .text(let text)):
      guard let values = try? StoredJSON.row(text) else { return nil }
      loss = .row(values)
    default: return nil
    }
    self.init(
      id: id, record: record, key: key, side: side, loss: loss,
      date: Date(timeIntervalSince1970: Double(milliseconds) / 1000))
  }
}

extension Date {
  /// A date beyond the range becomes the nearest one in it.
  var millisecondsSince1970: Int64 {
    Int64(exactly: (timeIntervalSince1970 * 1000).rounded()) ?? (timeIntervalSince1970 < 0 ? .min : .max)
  }
}
