/// The net changes of some commits.
struct CapturedChanges {
  /// The written keys of each table, with the rows that they had before.
  var tables: [RecordType: CapturedTable] = [:]
  /// Tables with too many changes to keep. All queries that depend on them must be reloaded.
  var overflowed: Set<RecordType> = []
  /// The outside changes. All queries that they concern must be reloaded.
  var outside = OutsideChanges.none
  /// Whether the schema of the database or of temporary objects changed. Then capture must be installed again before
  /// all queries are reloaded.
  var schemaChanged = false
  /// The folded names of the followed tables that statements may have written.
  var touchedTables: Set<String> = []

  var isEmpty: Bool {
    tables.isEmpty && overflowed.isEmpty && outside == .none && !schemaChanged && touchedTables.isEmpty
  }
}

/// The tables that other connections and processes may have written.
enum OutsideChanges: Equatable {
  case none, all
  /// The folded names of the tables.
  case tables(Set<String>)

  /// Adds tables; nil for all.
  mutating func add(_ tables: Set<String>?) {
    self =
      switch (self, tables) {
      case (.none, let tables?): .tables(tables)
      case (.tables(let known), let tables?): .tables(known.union(tables))
      case (.all, _), (_, nil): .all
      }
  }
}

/// The written keys of one table, each once, with the rows that they had before; nil for rows that did not exist.
///
/// The row of a key may be unchanged: its write was undone, or wrote the same values.
struct CapturedTable: RandomAccessCollection, Sendable {
  typealias Element = (key: RowKey, old: RowImage?)

  private var rows: [Element] = []
  private var positions: [RowKey: Int] = [:]

  var startIndex: Int { rows.startIndex }
  var endIndex: Int { rows.endIndex }

  subscript(position: Int) -> Element { rows[position] }

  /// Adds the row of a key before a write. Of several writes of a key, the first counts.
  mutating func add(_ key: RowKey, old: @autoclosure () -> RowImage?) {
    if positions[key] != nil { return }
    positions[key] = rows.count
    rows.append((key, old()))
  }

  /// The row that a key had, which may be none; nil for keys that were not written.
  func old(of key: RowKey) -> OldRow? {
    positions[key].map { OldRow(image: rows[$0].old) }
  }

  /// The row of a key before the changes. Its image is nil for a row that did not exist.
  struct OldRow {
    let image: RowImage?
  }
}
