public import Sanderling

/// A kind of record that is synchronised.
public struct SyncedRecord: Sendable {
  /// The name of the record at sources and sinks.
  public let name: String
  /// The way in which local changes of a record are merged with those of other authors.
  public let conflicts: ConflictPolicy
  package let table: RecordTable
  /// The record's table with its statements.
  let synced: SyncedTable

  /// Declares that the rows of a record are synchronised.
  ///
  /// - Parameters:
  ///   - name: The name of the record at sources and sinks; by default the name of its table.
  ///   - conflicts: The way in which local changes are merged with those of other authors.
  public init<R: StoredRecord>(_ record: R.Type, named name: String? = nil, conflicts: ConflictPolicy = .merge) {
    self.init(R.table, named: name, conflicts: conflicts)
  }

  /// Declares that the rows of a table without a Swift type are synchronised.
  ///
  /// - Parameter name: The name of the record at sources and sinks; by default the name of the table.
  package init(_ table: RecordTable, named name: String? = nil, conflicts: ConflictPolicy = .merge) {
    self.table = table
    self.name = name ?? table.name
    self.conflicts = conflicts
    synced = SyncedTable(table)
  }
}
