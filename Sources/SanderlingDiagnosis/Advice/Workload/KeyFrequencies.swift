/// Estimates how many rows of a table share a value, from a sample of rows: the rows that an index would find, before
/// it is built.
final class KeyFrequencies {
  private let connection: SQLiteConnection
  private let schema: DatabaseSchema
  /// The time that the values of one key may take.
  private let timeBudget: Duration
  private var values: [String: [BoundValue]] = [:]
  private var means: [String: Double?] = [:]

  /// 2,000 rows make two million pairs, so that even rare values meet in some pairs.
  private static let sampledRows: Int64 = 2_000

  init(connection: SQLiteConnection, schema: DatabaseSchema, timeBudget: Duration = .milliseconds(100)) {
    self.connection = connection
    self.schema = schema
    self.timeBudget = timeBudget
  }

  /// The mean number of rows with the same values as a row in all given keys, which are SQL expressions. Nil if the
  /// sample doesn't tell.
  ///
  /// O(sampled rows · log rows) the first time.
  func rows(sharing keys: [String], in table: String) -> Double? {
    let name = ([table] + keys).joined(separator: "\0")
    if let mean = means[name] { return mean }
    let mean = mean(of: keys, in: table)
    means[name] = mean
    return mean
  }

  private func mean(of keys: [String], in name: String) -> Double? {
    guard let table = schema.table(name), table.kind == .ordinary, let count = table.rowCount, !keys.isEmpty else {
      return nil
    }
    let columns = keys.map { values(of: $0, in: table) }
    let sampled = columns[0].count
    guard sampled > 1, columns.allSatisfy({ $0.count == sampled }) else { return nil }
    var groups: [[BoundValue]: Int] = [:]
    for place in 0..<sampled {
      let row = columns.map { $0[place] }
      // NULL equals nothing.
      if !row.contains(.null) { groups[row, default: 0] += 1 }
    }
    let pairs = groups.values.reduce(0.0) { $0 + Double($1) * Double($1 - 1) }
    return max(1, Double(count) * pairs / (Double(sampled) * Double(sampled - 1)))
  }

  /// The values of a key in the sampled rows, always in the same order; empty if SQLite gives no values.
  private func values(of key: String, in table: TableSchema) -> [BoundValue] {
    let name = "\(table.name)\0\(key)"
    if let known = values[name] { return known }
    let found = connection.limited(to: timeBudget) { try? connection.rows(question(key, table)) } ?? []
    values[name] = found.compactMap(\.first)
    return values[name] ?? []
  }

  /// Selects the key in one row of each stretch of rowids, at an irregular place. Rows at regular distances could be of
  /// one kind.
  private func question(_ key: String, _ table: TableSchema) -> String {
    let name = table.name.quotedIdentifier
    guard let row = Self.rowID(of: table) else { return "SELECT \(key) FROM \(name) LIMIT \(Self.sampledRows)" }
    return """
      WITH RECURSIVE "sampled bounds"(least, width) AS (
        SELECT min(\(row)), max(1, (max(\(row)) - min(\(row))) / \(Self.sampledRows)) FROM \(name)
      ), "sampled places"(place) AS (
        VALUES (0) UNION ALL SELECT place + 1 FROM "sampled places" WHERE place < \(Self.sampledRows)
      )
      SELECT \(key) FROM \(name) WHERE \(row) IN (
        SELECT (SELECT \(row) FROM \(name) WHERE \(row) >= least + place * width + place * place * 7919 % width
          ORDER BY \(row) LIMIT 1)
        FROM "sampled places", "sampled bounds") ORDER BY \(row)
      """
  }

  /// The name of the rowid. Nil if the table has no rowid, or if columns have all names of the rowid.
  private static func rowID(of table: TableSchema) -> String? {
    if table.isWithoutRowID { return nil }
    if let alias = table.rowIDAlias { return alias.quotedIdentifier }
    return ["rowid", "_rowid_", "oid"].first { table.column($0) == nil }
  }
}
