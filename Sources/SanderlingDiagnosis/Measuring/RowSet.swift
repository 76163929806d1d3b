import SanderlingSQLite

/// A row: a hash of its values, and separately the floating-point numbers that may depend on the order of sums.
struct RowImage: Comparable {
  var high: Int
  var low: Int
  var reals: [Double] = []

  /// - Parameter stored: The result columns that are columns of tables, whose numbers depend on no order of sums.
  init(_ statement: SQLiteStatement, columns: [Int]? = nil, stored: Set<Int>) {
    var hasher = Hasher()
    for column in columns ?? Array(0..<statement.columnCount) {
      let type = statement.type(at: column)
      hasher.combine(type)
      switch type {
      case SQLITE_INTEGER: hasher.combine(statement.integer(at: column))
      case SQLITE_FLOAT:
        let real = statement.real(at: column)
        if stored.contains(column) { hasher.combine(real) } else { reals.append(real) }
      case SQLITE_TEXT, SQLITE_BLOB:
        statement.withBytes(at: column) {
          hasher.combine($0.count)
          hasher.combine(bytes: $0)
        }
      default: break
      }
    }
    var second = hasher
    second.combine(true)
    low = hasher.finalize()
    high = second.finalize()
  }

  static func < (one: RowImage, other: RowImage) -> Bool {
    if one.high != other.high { return one.high < other.high }
    if one.low != other.low { return one.low < other.low }
    return one.reals.lexicographicallyPrecedes(other.reals)
  }

  /// Whether two of the rows are equal or nearly equal. Also true if checking takes too long.
  ///
  /// O(rows · log rows), and at most `mostComparisons` more.
  static func hasNeighbours(_ rows: [RowImage], mostComparisons: Int = 500_000) -> Bool {
    let rows = rows.sorted()
    var comparisons = 0
    for (place, row) in rows.enumerated() {
      for other in rows[(place + 1)...] {
        // Rows with the same hash are sorted by their first numbers, so all later ones are farther away.
        guard row.high == other.high, row.low == other.low, row.reals.count == other.reals.count,
          row.reals.isEmpty || isSame(row.reals[0], other.reals[0])
        else { break }
        comparisons += 1
        if row.isSame(as: other) || comparisons > mostComparisons { return true }
      }
    }
    return false
  }

  func isSame(as other: RowImage) -> Bool {
    high == other.high && low == other.low && reals.count == other.reals.count
      && zip(reals, other.reals).allSatisfy(Self.isSame)
  }

  /// Whether the order of additions can explain the difference between two numbers. A sum whose terms cancel is zero or
  /// nearly zero: `0.1 + 0.2 - 0.3`.
  static func isSame(_ one: Double, _ other: Double) -> Bool {
    one == other
      || abs(one - other) <= max(ResultComparer.tolerance * max(abs(one), abs(other)), ResultComparer.leastNumber)
  }
}

/// Rows in any order.
struct RowSet {
  let maximumCount: Int
  private(set) var count = 0
  private var images: [RowImage] = []
  private var sums = (0, 0)
  /// Each number is multiplied by a factor from its row's hash, so that exchanging numbers between rows changes the
  /// sum.
  private var realSum = 0.0
  private var realMagnitude = 0.0

  init(maximumCount: Int) {
    self.maximumCount = maximumCount
  }

  /// Adds all rows of another set.
  mutating func insert(_ other: RowSet) {
    let room = max(0, maximumCount - count)
    images += other.images.prefix(room)
    count += other.count
    sums = (sums.0 &+ other.sums.0, sums.1 &+ other.sums.1)
    realSum += other.realSum
    realMagnitude += other.realMagnitude
  }

  mutating func insert(_ image: RowImage) {
    count += 1
    if count <= maximumCount { images.append(image) }
    sums = (sums.0 &+ image.high, sums.1 &+ image.low &* (image.high | 1))
    for (place, real) in image.reals.enumerated() {
      let factor = 1 + Double(UInt64(bitPattern: Int64(image.low &+ place)) >> 11) / Double(UInt64(1) << 53)
      realSum += real * factor
      realMagnitude += abs(real) * factor
    }
  }

  func isSame(as other: RowSet) -> Bool {
    guard count == other.count, sums == other.sums else { return false }
    guard count <= maximumCount else {
      return realSum == other.realSum
        || abs(realSum - other.realSum) <= ResultComparer.tolerance * max(realMagnitude, other.realMagnitude)
    }
    return zip(images.sorted(), other.images.sorted()).allSatisfy { $0.isSame(as: $1) }
  }
}
