import SanderlingSQL
import SanderlingSQLite

/// The values of a column in order, each with its place and its number of rows, as a table in the copy.
///
/// Places count from 0; the table's keys count from 1.
struct ColumnDictionary {
  let key: ColumnKey
  /// The table's name in SQL.
  let name: String
  let distinct: Int64
  /// Rows with a value.
  let rows: Int64
  let affinity: Affinity
  let connection: SQLiteConnection

  /// - Throws: `DiagnosisError`, and `.stopped` when the connection's budget ends.
  init(
    _ key: ColumnKey, of column: ColumnSchema, number: Int, from source: String, on connection: SQLiteConnection
  ) throws {
    self.key = key
    self.connection = connection
    name = "sanderling values \(number)".quotedIdentifier
    affinity = key.column.path == nil ? column.affinity : .blob
    let sql = key.column.sql()
    // The table has the column's affinity and collation, so that comparisons use its index.
    let type = affinity == .blob ? "" : affinity.rawValue
    let collation = column.collation.quotedIdentifier
    do {
      try connection.run(
        "CREATE TABLE \(name) (place INTEGER PRIMARY KEY, value \(type) COLLATE \(collation), n INTEGER)")
      try connection.run(
        """
        INSERT INTO \(name) (value, n) SELECT value, count(*) FROM (SELECT \(sql) COLLATE \(collation) AS value FROM \(source)) \
        WHERE value IS NOT NULL GROUP BY value COLLATE \(collation) ORDER BY value COLLATE \(collation)
        """)
      try connection.run(
        "CREATE INDEX \("sanderling order \(number)".quotedIdentifier) ON \(name) (value)")
      let counts = try connection.rows("SELECT count(*), coalesce(sum(n), 0) FROM \(name)")[0]
      (distinct, rows) = (counts[0].integer ?? 0, counts[1].integer ?? 0)
    } catch {
      let table = name
      try connection.unlimited { try connection.run("DROP TABLE IF EXISTS \(table)") }
      throw error
    }
  }

  /// Returns the place of a value; nil if no row has it.
  func place(of value: BoundValue) throws -> Int64? {
    try connection.value("SELECT place - 1 FROM \(name) WHERE value = ?", [value])?.integer
  }

  /// Returns the number of smaller values.
  func places(below value: BoundValue) throws -> Int64 {
    try connection.value("SELECT place - 1 FROM \(name) WHERE value >= ? ORDER BY value LIMIT 1", [value])?.integer
      ?? distinct
  }

  func value(at place: Int64) throws -> BoundValue? {
    try connection.value("SELECT value FROM \(name) WHERE place = ?", [.integer(place + 1)])
  }
}

extension ColumnID {
  /// Returns the SQL of the value in a row. It is qualified by the table's SQL name if other tables have columns, too.
  func sql(of table: String? = nil) -> String {
    let quoted = (table.map { $0 + "." } ?? "") + name.quotedIdentifier
    guard let path else { return quoted }
    return "CASE WHEN json_valid(\(quoted)) THEN json_extract(\(quoted), \(path.quotedLiteral)) END"
  }
}
