public import Sanderling

/// A kind of record that is synchronised.
public struct SyncedRecord: Sendable {
  /// What sources and sinks call it.
  public let name: String
  package let table: RecordTable

  /// - Parameter name: What sources and sinks call it; the name of its table by default.
  public init<R: StoredRecord>(_ record: R.Type, named name: String? = nil) {
    table = R.table
    self.name = name ?? table.name
  }

  /// A record that no type declares: a table that was found.
  ///
  /// - Parameter name: What sources and sinks call it; the table's name by default.
  package init(_ table: RecordTable, named name: String? = nil) {
    self.table = table
    self.name = name ?? table.name
  }
}
