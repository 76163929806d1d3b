import Sanderling

/// Makes changes of rows that a file names by their columns.
struct RowReading: Sendable {
  private let record: String
  private let columns: [String: RecordColumn]
  private let key: [String]

  init(_ record: SyncedRecord) {
    self.record = record.name
    columns = Dictionary(uniqueKeysWithValues: record.table.columns.map { ($0.name, $0) })
    key = record.table.keyColumns.map(\.name)
  }

  func column(_ name: String) -> RecordColumn? { columns[name] }

  /// - Returns: A change with NULL in its key where the row doesn't have the key's columns, which then doesn't fit.
  func change(_ values: [String: StorageValue]) -> SyncChange {
    SyncChange(record, key: key.map { values[$0] ?? .null }, .row(values))
  }
}
