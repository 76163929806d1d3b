/// A recursive common table expression of the distinct values of a column, without NULL. With an index that begins with
/// the column, one search leads from each value to the next.
struct GroupWalk {
  /// The name of the common table, in quotes if SQL needs them.
  let name: String
  /// The text after FROM, with its alias.
  let rows: String
  /// The grouped column, as it is spelled after `rows`.
  let key: String

  init(table: String, rows: String, key: String) {
    (name, self.rows, self.key) = (FanOutSQL.name("groups_of_\(table)"), rows, key)
  }

  /// The column with the value.
  var value: String { "\(name).value" }

  /// A SELECT that computes columns for each value of the grouped column. With `table`, it also joins this table's rows
  /// that meet the condition.
  func selecting(_ columns: String, beside table: String? = nil, where condition: String? = nil) -> String {
    "WITH RECURSIVE \(name)(value) AS (SELECT min(\(key)) FROM \(rows) UNION ALL "
      + "SELECT (SELECT min(\(key)) FROM \(rows) WHERE \(key) > \(value)) FROM \(name) WHERE \(value) IS NOT NULL) "
      + "SELECT \(columns) FROM \(name)\(table.map { " CROSS JOIN \($0)" } ?? "") WHERE \(value) IS NOT NULL"
      + (condition.map { " AND \($0)" } ?? "")
  }
}
