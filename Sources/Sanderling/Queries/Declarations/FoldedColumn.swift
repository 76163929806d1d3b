import Foundation

/// A column that holds the folded texts of another one: see ``Searchable()``.
///
/// No property has it. It is NULL where the text is, and an empty blob where nobody has folded the text yet, which is its default and
/// what a trigger sets where another writer changes the text: so whoever writes needs to know nothing of it.
package struct FoldedColumn: Hashable, Sendable {
  /// The position of the column that is folded.
  package let text: Int
  package let textName: String
  package let name: String
  private let acceptsNull: Bool

  /// What the name of the folded column ends with.
  static let nameSuffix = "_folded"

  /// What stands in the column until the text is folded, as SQL.
  static let pendingSQL = "X''"

  init(of column: RecordColumn, at index: Int) {
    text = index
    textName = column.name
    name = Self.name(of: column)
    acceptsNull = column.acceptsNull
  }

  /// Whether a column that was found was made for the folds of another one of its table.
  package static func isMade(_ name: String, defaultSQL: String?, beside columns: [String]) -> Bool {
    guard name.hasSuffix(nameSuffix), defaultSQL == pendingSQL else { return false }
    let text = name.dropLast(nameSuffix.count)
    return columns.contains { $0.folded == String(text).folded }
  }

  static func name(of column: RecordColumn) -> String { name(of: column.name) }

  /// The name of the column for the folds of a column's texts.
  package static func name(of text: String) -> String { text + nameSuffix }

  /// The folded text, where `text` is an SQL expression for the text itself.
  static func fold(_ text: String) -> String { "\(FoldFunction.name)(\(text))" }

  /// The column as a table declares it.
  var definition: RecordColumn {
    RecordColumn(name, property: "", as: String?.self, default: .constant(.blob(Data())))
  }
}
