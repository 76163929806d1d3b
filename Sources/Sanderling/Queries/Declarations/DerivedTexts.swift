/// The values that the store derives from texts of a table. Triggers record the rows whose values are out of date.
enum DerivedTexts: Hashable, Sendable {
  /// The folded texts in the column with this name.
  case folds(column: String)
  case documents(SearchIndex)

  /// The column of the derived values, or of the documents' numbers, if the table has one.
  var column: String? {
    switch self {
    case .folds(let column): column
    case .documents(let index): index.hasDocumentColumn ? SearchIndex.documentColumn : nil
    }
  }

  /// The statements that mark all derived values of a table as out of date.
  func renewalSQL(in table: String) -> [String] {
    switch self {
    case .folds(let column):
      let name = column.quotedIdentifier
      return [
        "UPDATE \(table.quotedIdentifier) SET \(name) = \(FoldedColumn.pendingSQL) WHERE \(name) IS NOT \(FoldedColumn.pendingSQL)"
      ]
    case .documents(let index): return index.renewalSQL
    }
  }
}
