import Sanderling

/// Makes changes of rows that a file names by their columns.
struct RowReading: Sendable {
  private let record: String
  private let columns: [FoldedName: RecordColumn]
  private let key: [String]

  init(_ record: SyncedRecord) {
    self.record = record.name
    columns = Dictionary(uniqueKeysWithValues: record.table.columns.map { ($0.name.folded, $0) })
    key = record.table.keyColumns.map(\.name)
  }

  /// - Returns: nil where the record has no such column.
  func column(_ name: String) -> RecordColumn? { columns[name.folded] }

  /// The first of the key's columns that isn't named.
  func missingKey(among names: [String]) -> String? { key.first { !names.contains($0) } }

  func isOfKey(_ column: RecordColumn) -> Bool { key.contains(column.name) }

  /// A column's name as the record has it, where SQLite takes both for one.
  func name(of column: String) -> String { self.column(column)?.name ?? column }

  /// - Parameter line: Where the row begins.
  /// - Returns: A change with NULL in its key where the row doesn't have the key's columns, which then doesn't fit.
  func change(_ values: [String: StorageValue], line: Int) -> SyncChange {
    var change = SyncChange(record, key: key.map { values[$0] ?? .null }, .row(values))
    change.line = line
    return change
  }
}
