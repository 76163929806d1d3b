public import Sanderling

/// A kind of record that is synchronised.
public struct SyncedRecord: Sendable {
  /// Its name at sources and sinks.
  public let name: String
  /// The way in which local changes of a record are merged with those of other authors.
  public let conflicts: ConflictPolicy
  package let table: RecordTable
  /// Its statements.
  let synced: SyncedTable

  /// Declares that the rows of a record are synchronised.
  ///
  /// - Parameters:
  ///   - name: Its name at sources and sinks; the name of its table by default.
  ///   - conflicts: The way in which local changes are merged with those of other authors.
  public init<R: StoredRecord>(_ record: R.Type, named name: String? = nil, conflicts: ConflictPolicy = .merge) {
    self.init(R.table, named: name, conflicts: conflicts)
  }

  /// A record without a Swift type, for a table that was found.
  ///
  /// - Parameter name: Its name at sources and sinks; the table's name by default.
  package init(_ table: RecordTable, named name: String? = nil, conflicts: ConflictPolicy = .merge) {
    self.table = table
    self.name = name ?? table.name
    self.conflicts = conflicts
    synced = SyncedTable(table)
  }
}
