/// The net changes of commits.
struct CapturedChanges {
  /// For each changed table the keys that were written, and the rows that they had before.
  var tables: [RecordType: CapturedTable] = [:]
  /// Tables with too many changes to keep: everything that depends on them must be reloaded.
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

/// The written keys of one table, each once, with the row before the writes: nil if there was none.
///
/// The row of a key may be unchanged: the write was undone, or wrote the same values.
struct CapturedTable: RandomAccessCollection, Sendable {
  typealias Element = (key: RowKey, old: RowImage?)

  private var rows: [Element] = []
  private var positions: [RowKey: Int] = [:]

  var startIndex: Int { rows.startIndex }
  var endIndex: Int { rows.endIndex }

  subscript(position: Int) -> Element { rows[position] }

  /// Adds the row of a key before a write. The first of several writes of a key counts.
  mutating func add(_ key: RowKey, old: @autoclosure () -> RowImage?) {
    if positions[key] != nil { return }
    positions[key] = rows.count
    rows.append((key, old()))
  }

  /// The row that a key had, which may be none; nil for keys that were not written.
  func old(of key: RowKey) -> OldRow? {
    positions[key].map { OldRow(image: rows[$0].old) }
  }

  /// A row before a write; nothing if it did not exist.
  struct OldRow {
    let image: RowImage?
  }
}
