import GRDB
public import Sanderling

/// A change of a record that the server hasn't acknowledged.
public struct PendingChange: Sendable, Hashable {
  public enum State: Sendable, Hashable {
    /// It waits for its turn.
    case unsent
    /// It is being sent, or was, without an answer yet.
    case sending
    /// The server will not take it. It waits for another change of the record.
    case refused
  }

  public enum Kind: Sendable, Hashable {
    case insertion
    case deletion
    /// The names of the columns that differ from what the server has.
    case update(columns: [String])
  }

  public let state: State
  public let kind: Kind
}

extension Store {
  /// What of a record the server hasn't acknowledged; nil where it has all, or the record isn't synchronised.
  ///
  /// It asks the outbox, so lists that don't ask for it don't pay for it. O(log changes).
  ///
  /// - Throws: ``StoreError``.
  public func pendingChange<R: StoredRecord>(of record: R.Type, key: R.Key) async throws -> PendingChange? {
    let synced = SyncedRecord(R.self)
    let values = try ParameterBinder.collecting(synced.synced.key.count) { try R._bind(key: key, to: $0, from: 1) }
    return try await read { tx in
      guard try tx.database.tableExists(synced.synced.changesName) else { return nil }
      return try synced.entry(values, tx.database).flatMap { PendingChange($0, of: synced) }
    }
  }

  /// How many records differ from what the server has, as far as this device knows, followed: a list of one number.
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
  init?(_ entry: OutboxEntry, of record: SyncedRecord) {
    state =
      switch entry.state {
      case .unsent, .uncertain, .taken, .returned: .unsent
      case .sending: .sending
      case .refused: .refused
      }
    // A mutation that is under way is pending, though the row may be as it was before.
    let sent = entry.isSending ? entry.sent.map { ($0.kind, $0.columns) } : nil
    guard let (kind, columns) = entry.difference ?? sent else { return nil }
    self.kind = Kind(kind, columns.map { record.synced.columns[$0] })
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
