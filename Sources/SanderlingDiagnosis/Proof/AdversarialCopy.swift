/// A copy of the schema in memory, for small tables whose rows are made to tell two statements apart.
///
/// The rows of an app's database may have cases tomorrow that they don't have today: NULL, ties, groups without rows. Tables of
/// a few rows are filled and emptied in less than a millisecond, so that many are tried. Belongs to the thread of the copy.
final class AdversarialCopy {
  private let copy: DatabaseCopy
  private let schema: DatabaseSchema
  /// Whether triggers fire for the rows that are put into the tables, as in the app.
  private let firesTriggers: Bool
  private var opened: SQLiteConnection?
  private var stored: [String: [[BoundValue]]] = [:]
  private var constants: [String: BoundValue?] = [:]

  /// Rows of the app's database that are looked at, from each end of a table.
  private static let storedRowsOfAnEnd = 8
  /// Longer values say nothing more.
  private static let longestValue = 200

  init(copy: DatabaseCopy, schema: DatabaseSchema, firesTriggers: Bool = false) {
    (self.copy, self.schema, self.firesTriggers) = (copy, schema, firesTriggers)
  }

  /// The connection to the empty tables. Throws `DiagnosisError` when the schema can't be copied.
  func connection() throws -> SQLiteConnection {
    if let opened { return opened }
    let connection = try copy.makeSchemaCopy()
    // For reads, rows are put there as they are, and not as the app's triggers would change them.
    for trigger in schema.triggers where !firesTriggers {
      try? connection.run("DROP TRIGGER IF EXISTS \(trigger.name.quotedIdentifier)")
    }
    opened = connection
    return connection
  }

  /// Some rows of the app's database, with the columns that can be written. O(1).
  func storedRows(of table: TableSchema) -> [[BoundValue]] {
    if let known = stored[table.name] { return known }
    let end = table.isWithoutRowID || table.kind != .ordinary ? "" : " ORDER BY rowid DESC"
    let rows = Set(["", end]).sorted().flatMap { self.rows(of: table, as: table.name, tail: $0, [:]) }
    stored[table.name] = rows
    return rows
  }

  /// Some rows that fulfil conditions, in which the table has another name. Nothing when they are hard to find.
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

  /// Lets `body` ask the app's database for a time.
  func limited<Result>(to time: Duration, _ body: () -> Result) -> Result {
    copy.connection.limited(to: time, body)
  }

  /// Rows of the app's database, those that the time leaves, with long values cut short. Nothing for a statement that SQLite refuses.
  func appRows(_ sql: String, _ values: [Int: BoundValue]) -> [[BoundValue]] {
    var rows: [[BoundValue]] = []
    try? {
      let statement = try copy.connection.prepare(sql, authority: .reading)
      try statement.bind(values)
      while try statement.step() { rows.append(statement.row) }
    }()
    return rows.map { $0.map { $0.shortened(to: Self.longestValue) } }
  }

  /// The value of a literal; nil where it has none.
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
  /// The beginning of a long text or blob.
  fileprivate func shortened(to count: Int) -> BoundValue {
    switch self {
    case .text(let text) where text.utf8.count > count: .text(String(text.prefix(count)))
    case .blob(let bytes) where bytes.count > count: .blob(Array(bytes.prefix(count)))
    default: self
    }
  }
}
