/// The unreadable rows of a window, in the window's order. There are mostly none, and then they take no memory.
struct UnreadableRows: Sendable {
  private(set) var rows: [UnreadableRow] = []

  init(_ rows: [UnreadableRow] = []) {
    self.rows = rows
  }

  var count: Int { rows.count }

  /// The index of the row with a key. O(rows).
  func index(of key: RowKey) -> Int? {
    if rows.isEmpty { return nil }
    return key.withEncoding { key in
      let hash = RowKey.hash(ofEncoding: key)
      return rows.firstIndex { row in
        row.stamp.hash == hash && row.stamp.withEncoding { $0.key.hasSameBytes(as: key) }
      }
    }
  }

  /// The number of rows that sort before a stamp. O(log rows).
  func count(before stamp: RowStamp, _ ordering: WindowOrdering) -> Int {
    firstIndex { !ordering.isBefore(rows[$0].stamp, stamp) }
  }

  /// The number of these rows among the first rows of a window. O(log rows), with as many calls of `readableCount`.
  ///
  /// - Parameter readableCount: The number of the window's readable rows that sort before a stamp.
  func count(inFirst count: Int, readableCount: (RowStamp) -> Int) -> Int {
    firstIndex { $0 + readableCount(rows[$0].stamp) >= count }
  }

  /// The first index that satisfies a condition, which all later indices satisfy too; the count if there is none.
  private func firstIndex(where condition: (Int) -> Bool) -> Int {
    var range = 0..<rows.count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range = condition(middle) ? range.lowerBound..<middle : middle + 1..<range.upperBound
    }
    return range.lowerBound
  }
}

// MARK: - Changes

extension UnreadableRows {
  /// - Returns: Whether the row was there.
  mutating func remove(_ key: RowKey) -> Bool {
    guard let index = index(of: key) else { return false }
    rows.remove(at: index)
    return true
  }

  /// Replaces the row with the same key, or inserts a row.
  ///
  /// - Parameter readableCount: The number of the window's readable rows that sort before a stamp.
  /// - Returns: Whether the rows changed: the row is new, has other values, or has another position in the window.
  mutating func replace(
    _ key: RowKey, with row: UnreadableRow, _ ordering: WindowOrdering, readableCount: (RowStamp) -> Int
  ) -> Bool {
    let former = index(of: key).map { ($0, rows.remove(at: $0)) }
    let position = count(before: row.stamp, ordering)
    rows.insert(row, at: position)
    guard let (formerPosition, formerRow) = former, formerRow.stamp.version == row.stamp.version else { return true }
    return formerPosition + readableCount(formerRow.stamp) != position + readableCount(row.stamp)
  }

  /// Appends rows that sort after all others.
  mutating func append(_ added: [UnreadableRow]) {
    rows += added
  }

  /// Removes all rows except the first ones.
  mutating func keep(first count: Int) {
    rows.removeSubrange(count...)
  }
}
