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
    let table = SyncedTable(R.table)
    let values = try ParameterBinder.collecting(table.key.count) { try R._bind(key: key, to: $0, from: 1) }
    return try await read { tx in
      guard try tx.database.tableExists(table.changesName) else { return nil }
      return try table.entries(table.selectEntriesOfKey, values, tx.database).first.flatMap(PendingChange.init)
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
  init?(_ entry: OutboxEntry) {
    let state: State =
      switch entry.state {
      case .unsent: .unsent
      case .sending: .sending
      case .refused: .refused
      }
    // What is being sent is pending, though the row may be as it was before.
    let (kind, columns) = entry.difference ?? (entry.sent, entry.sentColumns)
    if entry.difference == nil, entry.state != .sending { return nil }
    self.state = state
    self.kind =
      switch kind {
      case .insertion: .insertion
      case .deletion: .deletion
      case .update, .nothing: .update(columns: columns)
      }
  }
}
