public import Sanderling

/// A kind of record that is synchronised.
public struct SyncedRecord: Sendable {
  /// What sources and sinks call it.
  public let name: String
  /// What becomes of records that were changed here and by others.
  public let conflicts: ConflictPolicy
  package let table: RecordTable
  /// Its statements.
  let synced: SyncedTable

  /// - Parameters:
  ///   - name: What sources and sinks call it; the name of its table by default.
  ///   - conflicts: What becomes of records that were changed here and by others.
  public init<R: StoredRecord>(_ record: R.Type, named name: String? = nil, conflicts: ConflictPolicy = .merge) {
    self.init(R.table, named: name, conflicts: conflicts)
  }

  /// A record that no type declares: a table that was found.
  ///
  /// - Parameter name: What sources and sinks call it; the table's name by default.
  package init(_ table: RecordTable, named name: String? = nil, conflicts: ConflictPolicy = .merge) {
    self.table = table
    self.name = name ?? table.name
    self.conflicts = conflicts
    synced = SyncedTable(table)
  }
}
