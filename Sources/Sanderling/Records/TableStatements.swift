/// The SQL of the statements that depend on a table alone, written once for each table.
struct TableStatements: Sendable {
  /// All columns, in order: `"id", "name"`.
  let columnList: String
  let selectByKey: String
  let insert: String
  let deleteByKey: String

  init(name: String, columns: [ColumnDefinition], key: [Int]) {
    let table = name.quotedIdentifier
    columnList = columns.map(\.name.quotedIdentifier).joined(separator: ", ")
    let keyCondition = key.map { "\(columns[$0].name.quotedIdentifier) = ?" }.joined(separator: " AND ")
    selectByKey = "SELECT \(columnList) FROM \(table) WHERE \(keyCondition)"
    let parameters = repeatElement("?", count: columns.count).joined(separator: ", ")
    insert = "INSERT INTO \(table) (\(columnList)) VALUES (\(parameters))"
    deleteByKey = "DELETE FROM \(table) WHERE \(keyCondition)"
  }
}

extension String {
  /// The text as an SQL identifier.
  package var quotedIdentifier: String {
    "\"" + replacing("\"", with: "\"\"") + "\""
  }

  /// The text as an SQL string literal. SQL text can't hold a NUL character, which ends the statement, so a text with one
  /// is written as the blob of its bytes.
  package var quotedLiteral: String {
    utf8.contains(0)
      ? "CAST(\(Array(utf8).hexLiteral) AS TEXT)"
      : "'" + replacing("'", with: "''") + "'"
  }
}

extension Sequence<UInt8> {
  /// The bytes as an SQL blob literal.
  package var hexLiteral: String {
    let digits = Array("0123456789ABCDEF")
    var literal = "X'"
    for byte in self {
      literal.append(digits[Int(byte >> 4)])
      literal.append(digits[Int(byte & 15)])
    }
    return literal + "'"
  }
}
