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
}
