/// A connection to a database whose schema is read. Each kind of connection throws its own errors.
package protocol SchemaConnection {
  /// SQLite's handle of the connection.
  var schemaHandle: OpaquePointer? { get }

  /// Returns all rows of a statement that reads the schema. Its parameters are texts.
  func schemaRows(_ sql: String, _ arguments: [String]) throws -> [SchemaRow]
}

/// A row of a schema: of `sqlite_schema` or of a pragma. A damaged or hostile database may have any value in any
/// column.
package struct SchemaRow {
  package enum Value {
    case integer(Int64), text(String)
    /// NULL, a real or a blob, which no valid schema needs.
    case none
  }

  private let values: [Value]

  package init(_ values: [Value]) { self.values = values }

  /// Returns the text of a column; nil for other values.
  package func text(_ place: Int) -> String? {
    guard values.indices.contains(place), case .text(let text) = values[place] else { return nil }
    return text
  }

  /// Returns the integer of a column; 0 for other values.
  package func integer(_ place: Int) -> Int {
    guard values.indices.contains(place), case .integer(let integer) = values[place] else { return 0 }
    return Int(clamping: integer)
  }
}
