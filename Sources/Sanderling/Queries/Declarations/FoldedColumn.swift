import Foundation

/// A column that contains the folded texts of another column: see ``Searchable(_:)``.
///
/// The column belongs to no property. It is NULL if the text is NULL, and an empty blob until the text is folded. The
/// empty blob is its default, and a trigger sets it when another writer changes the text. So other writers need not
/// know the column.
package struct FoldedColumn: Hashable, Sendable {
  /// The position of the column whose texts are folded.
  package let text: Int
  package let textName: String
  package let name: String
  private let acceptsNull: Bool

  /// The suffix of a folded column's name.
  static let nameSuffix = "_folded"

  /// The column's value until the text is folded, as SQL.
  static let pendingSQL = "X''"

  init(of column: RecordColumn, at index: Int) {
    text = index
    textName = column.name
    name = Self.name(of: column)
    acceptsNull = column.acceptsNull
  }

  /// Whether a column of a database was made for the folds of another column of its table.
  package static func isMade(_ name: String, defaultSQL: String?, beside columns: [String]) -> Bool {
    guard name.hasSuffix(nameSuffix), defaultSQL == pendingSQL else { return false }
    let text = name.dropLast(nameSuffix.count)
    return columns.contains { $0.folded == String(text).folded }
  }

  static func name(of column: RecordColumn) -> String { name(of: column.name) }

  /// The name of the column for the folds of a column's texts.
  package static func name(of text: String) -> String { text + nameSuffix }

  /// The SQL expression for the fold of `text`, which is an SQL expression itself.
  static func fold(_ text: String) -> String { "\(FoldFunction.name)(\(text))" }

  /// The column as a table declares it.
  var definition: RecordColumn {
    RecordColumn(name, property: "", as: String?.self, default: .constant(.blob(Data())))
  }
}
