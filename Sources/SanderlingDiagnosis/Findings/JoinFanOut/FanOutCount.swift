import SanderlingTerminal

/// The number of rows that a join makes of each row of its root.
struct FanOutCount {
  /// The number of rows in each branch for the row of the root with the largest join.
  var worst: [Int64] = []
  /// The number of rows that the join makes of that row. A branch without rows counts as one row.
  var worstProduct = 0.0
  var total = 0.0
  /// The sum of the rows of the root and of their rows in all branches, which a statement without the fan-out reads.
  var separate = 0.0
  var parents: Int64 = 0
  /// The first rows of the root, by rowid, with the number of rows that the join makes of each.
  private var products: [(row: Int64, product: Double)] = []

  private static let maximumProducts = 100_000

  /// Chooses rows of the root for a comparison: rows with large joins, and rows with small joins. No join has more rows
  /// than a quarter of `maximum`, and together they have at most `maximum` rows. If all joins are larger, returns only
  /// the row with the smallest join. Nil if even that join has more than ten times `maximum` rows, or if the root has no
  /// rowid.
  func sample(rows maximum: Double = 400_000) -> [Int64]? {
    var left = maximum
    var sample: [Int64] = []
    let largest = products.filter { $0.product <= maximum / 4 }.sorted { $0.product > $1.product }
    for (row, product) in largest.prefix(20) + largest.suffix(20) where product <= left && !sample.contains(row) {
      sample.append(row)
      left -= product
    }
    if sample.isEmpty, let least = products.min(by: { $0.product < $1.product }), least.product <= 10 * maximum {
      sample = [least.row]
    }
    return sample.isEmpty ? nil : sample
  }

  /// Whether several branches have more than one row for the row of the root with the largest join.
  var isMultiplied: Bool { worst.filter { $0 > 1 }.count > 1 }

  /// The numbers of rows as factors. An example is `114 × 281 × 4`.
  var factors: String { worst.map { Figure.count(max(1, $0)) }.joined(separator: " × ") }

  /// The factors and their product.
  var formula: String {
    worst.count > 1 ? "\(factors) = \(Figure.plain(worstProduct))" : factors
  }

  /// The form of the query for the numbers.
  enum Form: CaseIterable {
    /// A subquery counts for each row of the root. This is best with indexes, or for few rows.
    case perRow
    /// The numbers of all groups are counted first. Each branch is read once, whatever indexes exist.
    case perGroup
  }

  /// Counts the rows of each branch for each row of the root; nil if the form doesn't fit the join.
  ///
  /// Throws `DiagnosisError`. O(rows of the branches) with indexes for the joins, or by group.
  static func of(
    _ sql: FanOutSQL, _ values: [Int: BoundValue], by form: Form, in context: DetectorContext
  ) throws -> FanOutCount? {
    let siblings = sql.tree.siblings
    var joins = ""
    var columns: [String] = []
    for (place, sibling) in siblings.enumerated() {
      let subtree = sql.tree.subtree(of: sibling.id)
      switch form {
      case .perRow:
        let (from, conditions) = sql.branch(subtree)
        let filter = conditions.isEmpty ? "" : " WHERE \(conditions.joined(separator: " AND "))"
        columns.append("(SELECT COUNT(*) FROM \(from)\(filter))")
      case .perGroup:
        guard let group = sql.group(of: subtree, selecting: ["COUNT(*) AS n"]) else { return nil }
        joins += " LEFT JOIN (\(group.sql)) AS count\(place + 1) ON count\(place + 1).link = \(group.parent)"
        columns.append("COALESCE(count\(place + 1).n, 0)")
      }
    }
    let (from, conditions) = sql.from()
    let key = sql.rootKey.map { ", \($0)" } ?? ""
    let statement = try context.connection.prepare(
      sql.select(columns.joined(separator: ", ") + key, from: from + joins, where: conditions), authority: .reading)
    try statement.bind(sql.statement.values(values, for: statement.sql))
    var count = FanOutCount()
    while try statement.step() {
      let rows = siblings.indices.map(statement.integer(at:))
      let product = rows.reduce(1.0) { $0 * Double(max(1, $1)) }
      count.parents += 1
      if !key.isEmpty, count.products.count < maximumProducts {
        count.products.append((statement.integer(at: siblings.count), product))
      }
      count.total += product
      count.separate += rows.reduce(1.0) { $0 + Double($1) }
      if product > count.worstProduct { (count.worst, count.worstProduct) = (rows, product) }
    }
    return count.parents > 0 ? count : nil
  }
}
