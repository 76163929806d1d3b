/// An in-memory copy of the schema for small tables, whose rows are made to show differences between two statements.
///
/// The rows of an app's database may later have cases that they lack today: NULL, ties, groups without rows. Tables of
/// a few rows are filled and emptied in less than a millisecond, so many are tried. Belongs to the copy's thread.
final class AdversarialCopy {
  private let copy: DatabaseCopy
  private let schema: DatabaseSchema
  /// Whether triggers fire for the inserted rows, as in the app.
  private let firesTriggers: Bool
  private var opened: SQLiteConnection?
  private var stored: [String: [[BoundValue]]] = [:]
  private var constants: [String: BoundValue?] = [:]

  /// The number of the app's rows that are read from each end of a table.
  private static let storedRowsOfAnEnd = 8
  /// The length to which values are shortened. Longer values show no further differences.
  private static let longestValue = 200

  init(copy: DatabaseCopy, schema: DatabaseSchema, firesTriggers: Bool = false) {
    (self.copy, self.schema, self.firesTriggers) = (copy, schema, firesTriggers)
  }

  /// Returns the connection to the empty tables. Throws `DiagnosisError` if the schema can't be copied.
  func connection() throws -> SQLiteConnection {
    if let opened { return opened }
    let connection = try copy.makeSchemaCopy()
    // For reads, rows are inserted unchanged, without the app's triggers.
    for trigger in schema.triggers where !firesTriggers {
      try? connection.run("DROP TRIGGER IF EXISTS \(trigger.name.quotedIdentifier)")
    }
    opened = connection
    return connection
  }

  /// Returns some rows of the app's database, with the writable columns. O(1).
  func storedRows(of table: TableSchema) -> [[BoundValue]] {
    if let known = stored[table.name] { return known }
    let end = table.isWithoutRowID || table.kind != .ordinary ? "" : " ORDER BY rowid DESC"
    let rows = Set(["", end]).sorted().flatMap { self.rows(of: table, as: table.name, tail: $0, [:]) }
    stored[table.name] = rows
    return rows
  }

  /// Returns some rows that satisfy conditions, in which the table has another name. Empty if they are hard to find.
  func storedRows(
    of table: TableSchema, as name: String, where conditions: [String], _ values: [Int: BoundValue]
  ) -> [[BoundValue]] {
    let condition = conditions.map { "(\($0))" }.joined(separator: " AND ")
    return rows(of: table, as: name, tail: " WHERE \(condition)", values)
  }

  private func rows(
    of table: TableSchema, as alias: String, tail: String, _ values: [Int: BoundValue]
  ) -> [[BoundValue]] {
    let columns = table.writableColumns.map { $0.name.quotedIdentifier }.joined(separator: ", ")
    let from = "\(table.name.quotedIdentifier) AS \(alias.quotedIdentifier)"
    return limited(to: .milliseconds(50)) {
      appRows("SELECT \(columns) FROM \(from)\(tail) LIMIT \(Self.storedRowsOfAnEnd)", values)
    }
  }

  /// Lets `body` query the app's database for a limited time.
  func limited<Result>(to time: Duration, _ body: () -> Result) -> Result {
    copy.connection.limited(to: time, body)
  }

  /// Returns the rows of the app's database that the time allows, with long values shortened. Empty for a statement
  /// that SQLite refuses.
  func appRows(_ sql: String, _ values: [Int: BoundValue]) -> [[BoundValue]] {
    var rows: [[BoundValue]] = []
    try? {
      let statement = try copy.connection.prepare(sql, authority: .reading)
      try statement.bind(values)
      while try statement.step() { rows.append(statement.row) }
    }()
    return rows.map { $0.map { $0.shortened(to: Self.longestValue) } }
  }

  /// Returns the value of a literal; nil if it has none.
  func constant(_ sql: String) -> BoundValue? {
    if let known = constants[sql] { return known }
    let value = appRows("SELECT \(sql)", [:]).first?.first
    constants[sql] = .some(value)
    return value
  }
}

extension TableSchema {
  var writableColumns: [ColumnSchema] { columns.filter { !$0.isGenerated && !$0.isHidden } }
}

extension BoundValue {
  /// Returns the first part of a long text or blob.
  fileprivate func shortened(to count: Int) -> BoundValue {
    switch self {
    case .text(let text) where text.utf8.count > count: .text(String(text.prefix(count)))
    case .blob(let bytes) where bytes.count > count: .blob(Array(bytes.prefix(count)))
    default: self
    }
  }
}
