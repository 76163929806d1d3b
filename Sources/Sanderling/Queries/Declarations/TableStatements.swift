/// The SQL of statements that depend on a table alone, written once for each table.
struct TableStatements: Sendable {
  /// All columns, in order: `"project"."id", "project"."name"`.
  let columnList: String
  let selectByKey: String
  let insert: String
  /// The statement that inserts ``rowsPerBatch`` rows.
  let insertBatch: String
  let deleteByKey: String

  /// The number of rows in one statement that inserts many. They share the work of GRDB and SQLite around each
  /// statement.
  static let rowsPerBatch = 32

  /// Writes the statements. Only the columns are parameters: SQLite folds the texts, by a function of the library.
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
  /// The condition that each of the columns equals a parameter.
  ///
  /// The column names are qualified by their table. SQLite may read an unqualified name as a text if the table has no
  /// such column and the app's connection accepts texts in double quotes. The statement would then not fail after a
  /// migration that removed the column.
  func areBound(in table: String) -> String {
    map { "\(table.quotedIdentifier).\($0.quotedIdentifier) = ?" }.joined(separator: " AND ")
  }
}
