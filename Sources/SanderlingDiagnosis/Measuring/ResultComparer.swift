import GRDBSQLite

/// Whether two statements return the same rows.
///
/// Values must be of one type and equal; floating-point numbers may differ by a billionth, since sums depend on their
/// order. In bounded memory: rows are kept as hashes, and beyond `maximumRows` as sums of hashes.
struct ResultComparer {
  enum Order: Sendable {
    /// The rows may come in any order.
    case none
    /// The rows come in the order of these result columns, from 0; rows that are equal in them, in any order. With
    /// `isLimited`, a LIMIT may cut the last of such groups anywhere.
    case by([Int], isLimited: Bool)
  }

  enum Verdict: Hashable, Sendable {
    case same
    case different(String)
    /// The budget ended before the answer.
    case unknown(DiagnosisError.StopReason)
  }

  let connection: SQLiteConnection
  /// Rows of each result that are kept as hashes, at 50 bytes or so.
  var maximumRows = 200_000
  static let tolerance = 1e-9

  /// Throws `DiagnosisError` when one of them can't be run. O(rows).
  func compare(
    _ one: String, _ other: String, bindings: [Int: BoundValue] = [:], otherBindings: [Int: BoundValue]? = nil,
    order: Order = .none
  ) throws -> Verdict {
    let statements = try [one, other].map { try connection.prepare($0, authority: .reading) }
    try statements[0].bind(bindings)
    try statements[1].bind(otherBindings ?? bindings)
    let names = statements.map { statement in (0..<statement.columnCount).map(statement.columnName) }
    guard names[0].count == names[1].count else { return .different("the numbers of columns differ") }
    guard names[0] == names[1] else { return .different("the names of columns differ") }
    do {
      switch order {
      case .none: return try compareAny(statements[0], statements[1])
      case .by(let keys, let isLimited):
        return try compareOrdered(
          statements[0], statements[1], keys: keys.filter(names[0].indices.contains), isLimited: isLimited)
      }
    } catch DiagnosisError.stopped(let reason) {
      return .unknown(reason)
    }
  }

  private func compareAny(_ one: SQLiteStatement, _ other: SQLiteStatement) throws -> Verdict {
    var rows = RowSet(maximumCount: maximumRows)
    var otherRows = RowSet(maximumCount: maximumRows)
    while try one.step() { rows.insert(RowImage(one)) }
    while try other.step() { otherRows.insert(RowImage(other)) }
    if rows.count != otherRows.count { return .different("\(rows.count) rows became \(otherRows.count)") }
    return rows.isSame(as: otherRows) ? .same : .different("rows differ")
  }

  private func compareOrdered(
    _ one: SQLiteStatement, _ other: SQLiteStatement, keys: [Int], isLimited: Bool
  ) throws -> Verdict {
    var rows = RowSet(maximumCount: maximumRows)
    var otherRows = RowSet(maximumCount: maximumRows)
    var group: RowImage?
    while true {
      let (has, otherHas) = (try one.step(), try other.step())
      guard has == otherHas else { return .different("the numbers of rows differ") }
      if !has { break }
      let (key, otherKey) = (RowImage(one, columns: keys), RowImage(other, columns: keys))
      guard key.isSame(as: otherKey) else { return .different("the order differs") }
      if let last = group, !last.isSame(as: key) {
        guard rows.isSame(as: otherRows) else { return .different("rows differ") }
        (rows, otherRows) = (RowSet(maximumCount: maximumRows), RowSet(maximumCount: maximumRows))
      }
      group = key
      rows.insert(RowImage(one))
      otherRows.insert(RowImage(other))
    }
    return isLimited || rows.isSame(as: otherRows) ? .same : .different("rows differ")
  }
}

/// A row as a hash of all but its floating-point numbers, and these.
private struct RowImage: Comparable {
  var high: Int
  var low: Int
  var reals: [Double] = []

  init(_ statement: SQLiteStatement, columns: [Int]? = nil) {
    var hasher = Hasher()
    for column in columns ?? Array(0..<statement.columnCount) {
      let type = statement.type(at: column)
      hasher.combine(type)
      switch type {
      case SQLITE_INTEGER: hasher.combine(statement.integer(at: column))
      case SQLITE_FLOAT: reals.append(statement.real(at: column))
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

  func isSame(as other: RowImage) -> Bool {
    high == other.high && low == other.low && reals.count == other.reals.count
      && zip(reals, other.reals).allSatisfy {
        $0 == $1 || abs($0 - $1) <= ResultComparer.tolerance * max(abs($0), abs($1))
      }
  }
}

/// Rows in any order.
private struct RowSet {
  let maximumCount: Int
  private(set) var count = 0
  private var images: [RowImage] = []
  private var sums = (0, 0)
  /// Each number times a factor from its row's hash, so that numbers that change rows change the sum.
  private var realSum = 0.0
  private var realMagnitude = 0.0

  init(maximumCount: Int) {
    self.maximumCount = maximumCount
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
