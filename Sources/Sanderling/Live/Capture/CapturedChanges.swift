/// What commits changed, net of each other.
struct CapturedChanges {
  /// For each changed table the keys that were written, and the rows that they had before.
  var tables: [RecordType: CapturedTable] = [:]
  /// Tables whose changes were too many to keep: what depends on them has to be loaded again.
  var overflowed: Set<RecordType> = []
  /// Whether another connection or process wrote: everything has to be loaded again.
  var cameFromOutside = false
  /// Whether the schema of the database, or of temporary objects, is another: capture has to be installed again, and then
  /// everything loaded again.
  var schemaChanged = false
  /// Which followed tables statements may have written, by their folded names.
  var touchedTables: Set<String> = []

  var isEmpty: Bool {
    tables.isEmpty && overflowed.isEmpty && !cameFromOutside && !schemaChanged && touchedTables.isEmpty
  }
}

/// The keys of one table that were written, each once, and the rows that they had before: nil for those that did not exist.
///
/// A key that is here may have the row that it had: the statement that wrote it was undone, or wrote what was there.
struct CapturedTable: RandomAccessCollection, Sendable {
  typealias Element = (key: RowKey, old: RowImage?)

  private var rows: [Element] = []
  private var positions: [RowKey: Int] = [:]

  var startIndex: Int { rows.startIndex }
  var endIndex: Int { rows.endIndex }

  subscript(position: Int) -> Element { rows[position] }

  /// Adds what a key had before a write. Of several writes of one key, the first one counts.
  mutating func add(_ key: RowKey, old: @autoclosure () -> RowImage?) {
    if positions[key] != nil { return }
    positions[key] = rows.count
    rows.append((key, old()))
  }

  /// The row that a key had, which may be none; nil for keys that were not written.
  func old(of key: RowKey) -> OldRow? {
    positions[key].map { OldRow(image: rows[$0].old) }
  }

  /// A row as it was; nothing for one that did not exist.
  struct OldRow {
    let image: RowImage?
  }
}
