/// A connection to a database whose schema is read. Each connection throws its own errors.
package protocol SchemaConnection {
  /// The handle of SQLite.
  var schemaHandle: OpaquePointer? { get }

  /// All rows of a statement that reads the schema. Parameters are texts.
  func schemaRows(_ sql: String, _ arguments: [String]) throws -> [SchemaRow]
}

/// A row of a schema: of `sqlite_schema` or of a pragma. The schema of a damaged or hostile database may hold any value anywhere.
package struct SchemaRow {
  package enum Value {
    case integer(Int64), text(String)
    /// NULL, a real or a blob. A schema has none of them.
    case none
  }

  private let values: [Value]

  package init(_ values: [Value]) { self.values = values }

  /// The text at a place; nil for other values.
  package func text(_ place: Int) -> String? {
    guard values.indices.contains(place), case .text(let text) = values[place] else { return nil }
    return text
  }

  /// The integer at a place; 0 for other values.
  package func integer(_ place: Int) -> Int {
    guard values.indices.contains(place), case .integer(let integer) = values[place] else { return 0 }
    return Int(clamping: integer)
  }
}
