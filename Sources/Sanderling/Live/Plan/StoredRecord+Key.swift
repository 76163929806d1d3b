import GRDBSQLite

extension StoredRecord {
  /// The query for the record with a key.
  static func query(key: Key) -> Selection<Self, Self> {
    let condition: Term
    do {
      let values = try KeyValues.values(of: self, key: key)
      condition =
        Term.all(
          zip(table.key, values).map { index, value in
            .binary(.equal, .column(ColumnTerm(scope: .root, owner: RecordType(self), index: index)), .constant(value))
          }) ?? .literal(.integer(0))
    } catch {
      condition = .invalid((error as? ValueError)?.message ?? String(describing: error))
    }
    return query.updating { $0.add(condition: condition) }
  }
}

/// The stored form of keys, which records only bind to the parameters of a statement.
private enum KeyValues {
  static func values<R: StoredRecord>(of record: R.Type, key: R.Key) throws -> [StorageValue] {
    let count = R.table.key.count
    var connection: OpaquePointer?
    defer { sqlite3_close_v2(connection) }
    let sql = "SELECT " + Array(repeating: "?", count: count).joined(separator: ", ")
    var statement: OpaquePointer?
    guard sqlite3_open(":memory:", &connection) == SQLITE_OK,
      sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK, let statement
    else { throw ValueError("SQLite has no memory left for the key") }
    defer { sqlite3_finalize(statement) }
    try R.bind(key: key, to: ParameterBinder(statement: statement), from: 1)
    guard sqlite3_step(statement) == SQLITE_ROW else { throw ValueError("SQLite has no memory left for the key") }
    let row = ResultRow(statement: statement)
    return (0..<count).map { row.storageValue(at: Int32($0)) }
  }
}
