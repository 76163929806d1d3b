/// The SQL of the statements that depend on a table alone, written once for each table.
struct TableStatements: Sendable {
  /// All columns, in order: `"project"."id", "project"."name"`.
  let columnList: String
  let selectByKey: String
  let insert: String
  /// Inserts ``rowsPerBatch`` rows.
  let insertBatch: String
  let deleteByKey: String

  /// The number of rows that one statement inserts if there are many: they share the work of GRDB and SQLite around
  /// each statement.
  static let rowsPerBatch = 32

  /// Parameters are the columns alone: SQLite folds the texts, by a function of ours.
  init(name: String, columns: [RecordColumn], key: [Int], folded: [FoldedColumn]) {
    let table = name.quotedIdentifier
    columnList = columns.map { "\(table).\($0.name.quotedIdentifier)" }.joined(separator: ", ")
    let keyCondition = key.map { columns[$0].name }.areBound(in: name)
    selectByKey = "SELECT \(columnList) FROM \(table) WHERE \(keyCondition)"
    let written = (columns.map(\.name) + folded.map(\.name)).quotedIdentifiers
    func row(_ number: Int) -> String {
      guard !folded.isEmpty else { return "(" + repeatElement("?", count: columns.count).joined(separator: ", ") + ")" }
      let values = columns.indices.map { "?\(number * columns.count + $0 + 1)" }
      return "(" + (values + folded.map { FoldedColumn.fold(values[$0.text]) }).joined(separator: ", ") + ")"
    }
    insert = "INSERT INTO \(table) (\(written)) VALUES \(row(0))"
    let rows = (0..<Self.rowsPerBatch).map(row).joined(separator: ", ")
    insertBatch = "INSERT INTO \(table) (\(written)) VALUES \(rows)"
    deleteByKey = "DELETE FROM \(table) WHERE \(keyCondition)"
  }
}

extension Sequence<String> {
  /// A condition: each of these columns of a table equals a parameter.
  ///
  /// The columns have the name of their table before them. SQLite reads a column's name alone as a text, if the table has no such column and
  /// the app's connection accepts texts in double quotes. The statement would then not fail after a migration that took the column away.
  func areBound(in table: String) -> String {
    map { "\(table.quotedIdentifier).\($0.quotedIdentifier) = ?" }.joined(separator: " AND ")
  }
}
