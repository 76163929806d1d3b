import SanderlingSQL

/// The columns that identify the rows of a table in its record.
enum RecordKey: Equatable {
  /// Columns of the table, in the order of the table.
  case columns([String])
  /// The rowid, by a name that no column has. The record only reads the table.
  case rowID(String)
  /// Nothing identifies the rows.
  case none

  var columns: [String] {
    if case .columns(let columns) = self { columns } else { [] }
  }
}

extension FoundTable {
  /// The declared key; without a declared key, a unique index of columns that are never NULL; otherwise the rowid.
  ///
  /// A declared key counts only if each row has it. In tables with a rowid, SQLite allows NULL in a key of another type
  /// than INTEGER.
  var recordKey: RecordKey {
    guard kind == .table else { return .none }
    var key = hasRowWithoutKey ? [] : keyColumns.map(\.name)
    if key.isEmpty {
      let unique = indexes.first { index in
        index.isUnique && !index.isPartial
          && index.terms.allSatisfy {
            $0.column.flatMap(column)?.isNotNull == true && $0.collation.uppercased() == "BINARY"
          }
      }
      key = unique?.terms.compactMap(\.column) ?? []
    }
    if !key.isEmpty {
      let names = Set(key.folded)
      return .columns(columns.map(\.name).filter { names.contains($0.folded) })
    }
    return columns.map(\.definition).freeRowIDName.map { .rowID($0) } ?? .none
  }

  /// Whether SQLite allows NULL in the declared key.
  var allowsRowWithoutKey: Bool {
    !isWithoutRowID && !assignsKey && keyColumns.contains { !$0.isNotNull && !$0.isInStrictTable }
  }
}
