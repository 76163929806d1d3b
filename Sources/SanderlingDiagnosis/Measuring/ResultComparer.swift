import SanderlingSQLite

/// Compares the rows that two statements return.
///
/// Values must have the same type and be equal. Computed floating-point numbers may differ by a billionth or a tiny
/// amount, because sums depend on their order. Stored numbers must be equal. Memory is bounded: rows are kept as
/// hashes, and beyond `maximumRows` as sums of hashes.
struct ResultComparer {
  enum Order: Sendable {
    /// The rows may come in any order.
    case none
    /// The rows come in the order of these result columns, from 0. Rows that are equal in them may come in any order.
    /// With `isLimited`, a LIMIT may cut the last group of equal rows anywhere.
    case by([Int], isLimited: Bool)
  }

  enum Verdict: Hashable, Sendable {
    case same
    case different(String)
    /// The budget ended before the answer.
    case unknown(DiagnosisError.StopReason)
  }

  let connection: SQLiteConnection
  /// The number of rows of each result that are kept as hashes, with about 50 bytes each.
  var maximumRows = 200_000
  static let tolerance = 1e-9
  /// A smaller number may be the rounding error of a sum whose terms cancel.
  static let leastNumber = 1e-12

  /// Compares the results of two statements. Throws `DiagnosisError` if a statement can't run. O(rows).
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
    // If one statement reads a result column from a row, the column is no sum in the other statement either.
    let stored = statements[0].storedColumns.union(statements[1].storedColumns)
    do {
      switch order {
      case .none: return try compareAny(statements[0], statements[1], stored: stored)
      case .by(let keys, let isLimited):
        return try compareOrdered(
          statements[0], statements[1], stored: stored, keys: keys.filter(names[0].indices.contains),
          isLimited: isLimited)
      }
    } catch DiagnosisError.stopped(let reason) {
      return .unknown(reason)
    }
  }

  private func compareAny(
    _ one: SQLiteStatement, _ other: SQLiteStatement, stored: Set<Int>
  ) throws -> Verdict {
    var rows = RowSet(maximumCount: maximumRows)
    var otherRows = RowSet(maximumCount: maximumRows)
    while try one.step() { rows.insert(RowImage(one, stored: stored)) }
    while try other.step() { otherRows.insert(RowImage(other, stored: stored)) }
    if rows.count != otherRows.count { return .different("\(rows.count) rows became \(otherRows.count)") }
    return rows.isSame(as: otherRows) ? .same : .different("rows differ")
  }

  private func compareOrdered(
    _ one: SQLiteStatement, _ other: SQLiteStatement, stored: Set<Int>, keys: [Int], isLimited: Bool
  ) throws -> Verdict {
    var rows = RowSet(maximumCount: maximumRows)
    var otherRows = RowSet(maximumCount: maximumRows)
    var group: RowImage?
    while true {
      let (has, otherHas) = (try one.step(), try other.step())
      guard has == otherHas else { return .different("the numbers of rows differ") }
      if !has { break }
      let key = RowImage(one, columns: keys, stored: stored)
      let otherKey = RowImage(other, columns: keys, stored: stored)
      guard key.isSame(as: otherKey) else { return .different("the order differs") }
      if let last = group, !last.isSame(as: key) {
        guard rows.isSame(as: otherRows) else { return .different("rows differ") }
        (rows, otherRows) = (RowSet(maximumCount: maximumRows), RowSet(maximumCount: maximumRows))
      }
      group = key
      rows.insert(RowImage(one, stored: stored))
      otherRows.insert(RowImage(other, stored: stored))
    }
    return isLimited || rows.isSame(as: otherRows) ? .same : .different("rows differ")
  }
}
