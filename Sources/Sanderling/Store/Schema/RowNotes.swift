import SanderlingSQL

/// The SQL of triggers that note the rows of a table before they are written: for synchronisation and for histories.
///
/// REPLACE removes rows without firing delete triggers, so the triggers search for these rows before the write. Whether
/// the statement removes, changes or ignores a found row is left open.
package struct RowNotes {
  package let target: CaptureTarget
  package let keyColumns: [String]
  private let note: (_ row: String, _ source: String, _ conditions: [String]) -> String

  /// - Parameter note: The statement that notes the row called `row`, from a FROM clause and under conditions.
  package init(
    _ target: CaptureTarget, keyColumns: [String],
    note: @escaping (_ row: String, _ source: String, _ conditions: [String]) -> String
  ) {
    self.target = target
    self.keyColumns = keyColumns
    self.note = note
  }

  /// Note the rows that an inserted row may replace.
  package var replaced: [String] { target.uniqueKeys.map { lookup($0) } }

  /// Note the rows that an updated row may replace.
  package var replacedByUpdate: [String] { target.uniqueKeys.map { lookup($0, where: change(of: $0)) } }

  /// The columns whose assignment can remove other rows or change the row's identity.
  package var uniqueColumns: String {
    var names = keyColumns
    for unique in target.uniqueKeys {
      let rowID = unique.isRowID ? ActualColumn.rowIDNames : []
      for name in unique.terms.map(\.column) + (unique.condition?.columns ?? []) + rowID
      where !names.contains(where: { $0.folded == name.folded }) { names.append(name) }
    }
    return names.quotedIdentifiers
  }

  /// True if an update changes the key, compared by bytes and storage classes.
  package var keyChanges: String {
    keyColumns.map { "OLD.\($0.quotedIdentifier)".differsSQL(from: "NEW.\($0.quotedIdentifier)") }
      .joined(separator: " OR ")
  }

  private func lookup(_ unique: CaptureTarget.UniqueKey, where isChanged: String? = nil) -> String {
    note(
      "existing", " FROM \(target.name.quotedIdentifier) AS existing",
      target.isReplaced(by: unique) + (isChanged.map { ["(\($0))"] } ?? []))
  }

  private func change(of unique: CaptureTarget.UniqueKey) -> String {
    (unique.terms.map(\.column) + (unique.condition?.columns ?? [])).map { column in
      "OLD.\(column.quotedIdentifier) IS NOT \(target.newValue(column)) COLLATE BINARY"
    }.joined(separator: " OR ")
  }
}
