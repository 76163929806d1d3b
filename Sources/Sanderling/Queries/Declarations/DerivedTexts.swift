/// What the store derives from texts of a table, while triggers note where that has to be done.
enum DerivedTexts: Hashable, Sendable {
  /// The folded texts in a column of this name.
  case folds(column: String)
  case documents(SearchIndex)

  /// The column that they are in, or by which their rows are known, where the table has one for that.
  var column: String? {
    switch self {
    case .folds(let column): column
    case .documents(let index): index.hasDocumentColumn ? SearchIndex.documentColumn : nil
    }
  }

  /// The statements that have all of a table derived anew.
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
