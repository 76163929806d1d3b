/// Facts about columns, from the rows of the copy. Each fact is read once.
final class ColumnFacts {
  private let connection: SQLiteConnection
  private let schema: DatabaseSchema
  /// The greatest time of one query.
  private let timeBudget: Duration
  private var widths: [String: Double] = [:]
  private var shares: [String: Double?] = [:]
  private var distinctCounts: [String: Int64] = [:]

  /// The number of rows from which averages are calculated.
  private static let sampledRows = 500

  init(connection: SQLiteConnection, schema: DatabaseSchema, timeBudget: Duration = .milliseconds(150)) {
    self.connection = connection
    self.schema = schema
    self.timeBudget = timeBudget
  }

  /// The mean size of a column's values in a sample, in bytes. A number counts as eight bytes.
  func width(of column: String, in table: String) -> Double {
    let name = column.quotedIdentifier
    let key = "\(table)\0\(column)"
    if let width = widths[key] { return width }
    let sample = "SELECT \(name) AS v FROM \(table.quotedIdentifier) LIMIT \(Self.sampledRows)"
    let sql = """
      SELECT CAST(avg(CASE typeof(v) WHEN 'text' THEN length(CAST(v AS BLOB)) WHEN 'blob' THEN length(v) \
      WHEN 'null' THEN 0 ELSE 8 END) * 100 AS INTEGER) FROM (\(sample))
      """
    let width = integer(sql).map { Double($0) / 100 } ?? 0
    widths[key] = width
    return width
  }

  /// The share of the table's rows for which a condition holds; nil if counting takes too long.
  func share(of condition: String, in table: String) -> Double? {
    let key = "\(table)\0\(condition)"
    if let share = shares[key] { return share }
    let rows = schema.table(table)?.rowCount ?? 0
    let count =
      rows > 0 ? integer("SELECT count(*) FROM \(table.quotedIdentifier) WHERE \(condition)") : nil
    let share = count.map { Double($0) / Double(max(rows, 1)) }
    shares[key] = share
    return share
  }

  /// The number of distinct values of a column among the first rows.
  func distinctValues(of column: String, in table: String) -> Int64 {
    let key = "\(table)\0\(column)"
    if let count = distinctCounts[key] { return count }
    let name = column.quotedIdentifier
    let sample = "SELECT \(name) AS v FROM \(table.quotedIdentifier) LIMIT 5000"
    let count = integer("SELECT count(DISTINCT v) FROM (\(sample))") ?? .max
    distinctCounts[key] = count
    return count
  }

  private func integer(_ sql: String) -> Int64? {
    connection.limited(to: timeBudget) { (try? connection.value(sql))??.integer }
  }
}
