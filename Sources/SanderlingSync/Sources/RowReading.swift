import Sanderling
import SanderlingSQL

/// Reads changes from rows with named columns.
struct RowReading: Sendable {
  let options: FileOptions
  /// The names of the key's columns.
  let key: [String]
  private let file: String
  private let record: String
  private let columns: [FoldedName: RecordColumn]
  private let ignored: Set<FoldedName>

  /// - Parameter file: The file's name in errors.
  init(_ record: SyncedRecord, _ options: FileOptions, of file: String) {
    self.options = options
    self.file = file
    self.record = record.name
    columns = Dictionary(uniqueKeysWithValues: record.table.columns.map { ($0.name.folded, $0) })
    key = record.table.keyColumns.map(\.name)
    // The key's columns identify the rows, so they can't be ignored.
    ignored = Set(options.ignoredColumns.map(\.folded)).subtracting(key.map(\.folded))
  }

  /// - Returns: Nil if the record has no such column.
  func column(_ name: String) -> RecordColumn? { columns[name.folded] }

  /// The first of the key's columns that isn't named.
  func missingKey(among names: [String]) -> String? {
    let names = Set(names.map(\.folded))
    return key.first { !names.contains($0.folded) }
  }

  func isOfKey(_ column: RecordColumn) -> Bool { key.contains(column.name) }

  func isIgnored(_ name: String) -> Bool { !ignored.isEmpty && ignored.contains(name.folded) }

  /// - Parameter line: The line where the row begins.
  /// - Returns: A change with NULL in its key if the row lacks the key's columns, so that it doesn't fit.
  func change(_ values: [String: StorageValue], line: Int) -> SyncChange {
    var change = SyncChange(record, key: key.map { values[$0] ?? .null }, .row(values))
    change.line = line
    return change
  }

  /// An unreadable row, whose key is unknown too.
  func change(_ refusal: RowRefusal) -> SyncChange {
    var change = SyncChange(record, key: key.map { _ in .null }, .row([:]))
    change.line = refusal.start ?? refusal.line
    change.refusal = refusal.of(file)
    return change
  }
}
