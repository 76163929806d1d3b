import GRDB
public import Sanderling

/// A change of a record that the server hasn't acknowledged.
public struct PendingChange: Sendable, Hashable {
  /// The states of a pending change.
  public enum State: Sendable, Hashable {
    /// The change waits for its turn.
    case unsent
    /// The change was sent and has no answer yet.
    case sending
    /// The server refused the change for good. The change waits for another change of the record.
    case refused
  }

  /// The kinds of pending changes.
  public enum Kind: Sendable, Hashable {
    /// The record is new.
    case insertion
    /// The record was deleted.
    case deletion
    /// The names of the columns that differ from the server's record.
    case update(columns: [String])
  }

  /// Whether the change was sent, and refused.
  public let state: State
  /// Whether the record is new, deleted or changed.
  public let kind: Kind
  /// The reason for which the change waits; nil for a change that waits for its turn. The reason contains no value.
  ///
  /// It is the server's reason for a refusal or a conflict, the last failure, or a refused row that the record refers
  /// to.
  public internal(set) var reason: String?
}

extension Store {
  /// Returns the record's pending change, which the server hasn't acknowledged. Nil if there is none, or if the record
  /// isn't synchronised.
  ///
  /// The method reads the outbox, so lists that don't call it have no cost. O(log changes).
  ///
  /// - Throws: ``/Sanderling/StoreError``.
  public func pendingChange<R: StoredRecord>(of record: R.Type, key: R.Key) async throws -> PendingChange? {
    let synced = SyncedRecord(R.self)
    let values = try ParameterBinder.collecting(synced.synced.key.count) { try R._bind(key: key, to: $0, from: 1) }
    return try await read { tx in
      guard try tx.database.tableExists(synced.synced.changesName) else { return nil }
      guard let entry = try synced.entry(values, tx.database) else { return nil }
      return PendingChange(entry, of: synced, waitsFor: try synced.refusedParent(of: entry, tx.database))
    }
  }

  /// Returns the live number of records that differ from the server's, as far as this device knows: a list of one
  /// number.
  ///
  /// It is counted again when the outbox or a record's table changes, in O(changes log rows).
  ///
  /// - Precondition: The records' synchronisation was opened once, so that there is an outbox.
  @MainActor
  public func livePendingCount(of records: [SyncedRecord]) -> LiveList<Int> {
    liveList(RawQuery(RawSQL(stringLiteral: Self.countPendingChanges(of: records)), as: Int.self), window: 1)
  }

  static func countPendingChanges(of records: [SyncedRecord]) -> String {
    "SELECT " + (records.map { "(\($0.synced.countChanges))" } + ["0"]).joined(separator: " + ")
  }
}

extension PendingChange {
  /// - Parameter parent: The reason why a row that it refers to was refused.
  init?(_ entry: OutboxEntry, of record: SyncedRecord, waitsFor parent: String? = nil) {
    switch entry.state {
    case .unsent, .uncertain, .taken, .returned: (state, reason) = (.unsent, parent ?? entry.conflictReason)
    case .sending(_, let meanwhile): (state, reason) = (.sending, meanwhile.failure)
    case .refused(_, let refusal, _): (state, reason) = (.refused, refusal)
    }
    // A mutation that is being sent is pending, even if the row is as before.
    let sent = entry.isSending ? entry.sent.map { ($0.kind, $0.columns) } : nil
    guard let (kind, columns) = entry.difference ?? sent else { return nil }
    self.kind = Kind(kind, columns.map { record.synced.columns[$0] })
  }
}

extension SyncedRecord {
  /// The reason why the first refused parent of an entry's row was refused, so that the entry waits; nil if there is
  /// none.
  fileprivate func refusedParent(of entry: OutboxEntry, _ db: Database) throws -> String? {
    guard let row = entry.row else { return nil }
    for reference in table.references {
      let parent = SyncedRecord(reference.destination.table)
      guard let column = table.columns.firstIndex(where: { $0.property == reference.property }), !row[column].isNull,
        try db.tableExists(parent.synced.changesName), let reason = try parent.refusalOfNewRow([row[column]], db)
      else { continue }
      return "it refers to a row of \(parent.name) that the server refused: \(reason)"
    }
    return nil
  }
}

extension PendingChange.Kind {
  fileprivate init(_ kind: OutboxEntry.Sent.Kind, _ columns: [String]) {
    self =
      switch kind {
      case .insertion: .insertion
      case .deletion: .deletion
      case .update: .update(columns: columns)
      }
  }
}
