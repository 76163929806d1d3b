/// The tables of a store, as its record types declare them.
///
/// ```swift
/// print(try StoreSchema([Project.self, TodoTask.self]).sql)
/// ```
///
/// Each property marked ``References(_:onDelete:onUpdate:)`` gets an index `<table>_on_<column>`, unless the key or a
/// declared index of all rows begins with its column. Without an index, SQLite scans the whole table each time a
/// referenced row is deleted.
public struct StoreSchema: Sendable {
  let records: [RecordType]
  let tables: [DeclaredTable]
  /// The views and virtual tables of records. The app creates them.
  let views: [DeclaredTable]
  /// A hash of the schema, equal in every process.
  let fingerprint: String

  /// Compiles the schema of records, without a database.
  ///
  /// - Parameter records: All record types of the store, in any order.
  /// - Throws: ``SchemaError`` if the declarations contradict each other.
  public init(_ records: [any StoredRecord.Type]) throws {
    self.records = records.map { RecordType($0) }
    let definitions = records.map { (record: String(describing: $0), definition: $0.table) }
    var validation = SchemaValidation(definitions)
    let declared = definitions.map { record, definition in
      DeclaredTable(
        definition, record: record, deletedWith: validation.rowsDeleted(with: definition, of: record), &validation)
    }
    tables = declared.filter { !$0.isView }
    views = declared.filter(\.isView)
    validation.checkNames(of: declared)
    if !validation.problems.isEmpty { throw SchemaError(problems: validation.problems) }
    fingerprint = StableHash.hexadecimal(
      of: tables.flatMap(\.statements) + views.flatMap { [$0.name] + $0.columns.map(\.name) })
  }

  /// The statements that create the schema in an empty database.
  public var sql: String {
    tables.flatMap(\.statements).map { $0 + ";\n" }.joined()
  }
}

/// Faults in the declarations of record types, which prevent their storage in one database.
public struct SchemaError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The faults, each with its records and properties.
  public let problems: [String]

  public var description: String {
    "The records can't be stored as they are declared:\n" + problems.map { "- \($0)\n" }.joined()
  }
}
