/// A recursive common table of the different values of a column, NULL left out: with an index that begins with it, one look
/// leads from each to the next.
struct GroupWalk {
  /// The common table's name, as SQL spells it.
  let name: String
  /// What follows FROM, with its alias.
  let rows: String
  /// The column, as it is spelled beside `rows`.
  let key: String

  init(table: String, rows: String, key: String) {
    (name, self.rows, self.key) = (FanOutSQL.name("groups_of_\(table)"), rows, key)
  }

  /// The value of a row of it.
  var value: String { "\(name).value" }

  /// A SELECT that computes columns for each value, beside the rows of a table that fulfil a condition.
  func selecting(_ columns: String, beside table: String? = nil, where condition: String? = nil) -> String {
    "WITH RECURSIVE \(name)(value) AS (SELECT min(\(key)) FROM \(rows) UNION ALL "
      + "SELECT (SELECT min(\(key)) FROM \(rows) WHERE \(key) > \(value)) FROM \(name) WHERE \(value) IS NOT NULL) "
      + "SELECT \(columns) FROM \(name)\(table.map { " CROSS JOIN \($0)" } ?? "") WHERE \(value) IS NOT NULL"
      + (condition.map { " AND \($0)" } ?? "")
  }
}
