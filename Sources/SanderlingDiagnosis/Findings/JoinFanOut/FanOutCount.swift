/// How many rows a join makes of each row of its root.
struct FanOutCount {
  /// The rows of each branch, of the row of the root that makes the most.
  var worst: [Int64]
  /// What a row of the root adds where a branch has none.
  var worstProduct: Double
  var total: Double
  /// The rows of all branches together, without multiplication.
  var separate: Double
  var parents: Int64

  /// Whether rows of different branches multiply for some row of the root.
  var isMultiplied: Bool { worst.filter { $0 > 1 }.count > 1 }

  /// `114 × 281 × 4 = 128,136`
  var formula: String {
    let factors = worst.map { Figure.count(max(1, $0)) }.joined(separator: " × ")
    return worst.count > 1 ? "\(factors) = \(Figure.plain(worstProduct))" : factors
  }

  /// Counts the rows of each branch by the root's rows. O(rows of the branches) with indexes on what joins them.
  ///
  /// Throws `DiagnosisError`.
  static func of(_ sql: FanOutSQL, _ values: [Int: BoundValue], in context: DetectorContext) throws -> FanOutCount? {
    let siblings = sql.tree.siblings
    let columns = siblings.map { sibling -> String in
      let (from, conditions) = sql.branch(sql.tree.subtree(of: sibling.id))
      let filter = conditions.isEmpty ? "" : " WHERE \(conditions.joined(separator: " AND "))"
      return "(SELECT COUNT(*) FROM \(from)\(filter))"
    }
    let (from, conditions) = sql.from()
    let statement = try context.connection.prepare(
      sql.select(columns.joined(separator: ", "), from: from, where: conditions), authority: .reading)
    try statement.bind(sql.statement.values(values, for: statement.sql))
    var count = FanOutCount(worst: [], worstProduct: 0, total: 0, separate: 0, parents: 0)
    while try statement.step() {
      let rows = siblings.indices.map(statement.integer(at:))
      let product = rows.reduce(1.0) { $0 * Double(max(1, $1)) }
      count.parents += 1
      count.total += product
      count.separate += rows.reduce(1.0) { $0 + Double($1) }
      if product > count.worstProduct { (count.worst, count.worstProduct) = (rows, product) }
    }
    return count.parents > 0 ? count : nil
  }
}
