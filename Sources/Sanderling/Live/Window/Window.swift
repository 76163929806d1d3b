/// The first rows of a query, sorted, as the engine maintains them.
///
/// All rows that sort at or before the edge are in the window, and no others. A window whose rows are all there are is
/// complete and has no edge.
struct Window<Element: Sendable>: Sendable {
  /// A row as it was read.
  struct Row: Sendable {
    let key: RowKey
    /// What the row is sorted by, the values of its key at the end.
    let sortKey: [StorageValue]
    let element: Element
    /// Differs when the element does.
    let version: UInt64
  }

  let ordering: WindowOrdering
  private(set) var isComplete = false
  /// The sort key up to which all rows are known; nil when the window is complete, and while nothing was read.
  private(set) var edge: [StorageValue]?
  private var rows = LiveRows<Element>()
  /// What each row is sorted by before its key.
  private var sortValues = ChunkedArray<[StorageValue]>()
  private var index = WindowIndex()

  /// - Parameter ordering: What the rows are sorted by, the primary key at the end.
  init(ordering: [Ordering]) {
    self.ordering = WindowOrdering(ordering)
  }

  var count: Int { rows.count }

  /// Rows to show: at most `count` of them after the first `offset`. They share the storage of the window. O(chunks).
  func rows(_ offset: Int, count: Int) -> LiveRows<Element> {
    let start = Swift.min(offset, rows.count)
    return rows.slice(start..<start + Swift.min(count, rows.count - start))
  }

  /// O(1); goes through the rows where they are few.
  func contains(_ key: RowKey) -> Bool {
    index.isUsed ? index.contains(key) : rows.stamps.position(of: key) != nil
  }

  /// The row's position among all rows of the window, those that are skipped included. O(log rows).
  func position(of key: RowKey) -> Int? {
    guard index.isUsed else { return rows.stamps.position(of: key) }
    guard let values = index.sortValues(of: key) else { return nil }
    var position = firstPosition(notBefore: values, key.values)
    // Keys that a collation finds equal, one of which is about to leave, stand side by side.
    while rows.stamps[position].id.key != key { position += 1 }
    return position
  }

  /// Whether a row with this sort key isn't known, so that it would not be in the window.
  func isBeyondEdge(_ sortKey: [StorageValue]) -> Bool {
    if isComplete { return false }
    return edge.map { ordering.isAfter(sortKey, $0) } ?? true
  }
}

// MARK: - Single rows

extension Window {
  /// Puts a row in the place of the one with its key, as it is now: moved, updated, inserted, or gone.
  ///
  /// A row that sorts after the edge is left out.
  ///
  /// - Parameter row: Nil when the query doesn't have the row.
  /// - Returns: Whether the rows differ now.
  @discardableResult
  mutating func replace(_ key: RowKey, with row: Row?) -> Bool {
    guard let position = position(of: key) else { return row.map { insert($0) } ?? false }
    guard let row, !isBeyondEdge(row.sortKey) else {
      remove(at: position)
      return true
    }
    let old = rows[position]
    if isInPlace(row, at: position) {
      sortValues[position] = row.valuesBeforeKey
      index.update(key, to: row.valuesBeforeKey)
      if old.version == row.version { return false }
      rows.replace(at: position, with: row.liveRow)
    } else {
      remove(at: position)
      // The old element where it is the same one, so that equal rows stay shared.
      place(row, as: old.version == row.version ? old : row.liveRow)
    }
    return true
  }

  /// - Returns: Whether the row was inserted; false when it sorts after the edge.
  private mutating func insert(_ row: Row) -> Bool {
    if isBeyondEdge(row.sortKey) { return false }
    place(row, as: row.liveRow)
    return true
  }

  private mutating func place(_ row: Row, as liveRow: LiveRow<Element>) {
    let values = row.valuesBeforeKey
    let position = firstPosition(notBefore: values, row.key.values)
    rows.insert(liveRow, at: position)
    sortValues.insert(values, at: position)
    if index.isUsed { index.update(row.key, to: values) } else { buildIndexIfLarge() }
  }

  private mutating func remove(at position: Int) {
    index.remove(rows.stamps[position].id.key)
    rows.remove(at: position)
    sortValues.remove(at: position)
  }

  /// Whether the row sorts after the one before the position and before the one after it.
  private func isInPlace(_ row: Row, at position: Int) -> Bool {
    let (values, key) = (row.valuesBeforeKey, row.key.values)
    if position > 0, !isBefore(position - 1, values, key) { return false }
    return position + 1 == rows.count || !isBefore(position + 1, values, key)
  }
}

// MARK: - Many rows

extension Window {
  /// Replaces all rows.
  ///
  /// - Parameters:
  ///   - rows: The first rows of the query, sorted.
  ///   - isComplete: Whether there are no others.
  mutating func reset(_ rows: [Row], isComplete: Bool) {
    self.rows = LiveRows()
    sortValues = ChunkedArray()
    index = WindowIndex()
    edge = nil
    append(rows, isComplete: isComplete)
  }

  /// Adds the rows that follow the edge, and so moves it.
  ///
  /// - Parameters:
  ///   - added: The rows that come next, sorted.
  ///   - isComplete: Whether there are none after them.
  mutating func append(_ added: [Row], isComplete: Bool) {
    assert(zip(added, added.dropFirst()).allSatisfy { !ordering.isAfter($0.sortKey, $1.sortKey) })
    assert(
      added.first.map { first in count == 0 || isBefore(count - 1, first.valuesBeforeKey, first.key.values) } ?? true)
    rows.append(contentsOf: added.map { $0.liveRow })
    sortValues.append(contentsOf: added.map { $0.valuesBeforeKey })
    if index.isUsed { for row in added { index.update(row.key, to: row.valuesBeforeKey) } } else { buildIndexIfLarge() }
    self.isComplete = isComplete
    if isComplete { edge = nil } else if let last = added.last { edge = last.sortKey }
  }

  /// Drops the rows beyond a count, and moves the edge to the last one that is left. O(chunks + dropped rows).
  mutating func trim(to maximum: Int) {
    let dropped = count - maximum
    guard dropped > 0 else { return }
    edge = maximum > 0 ? sortValues[maximum - 1] + rows.stamps[maximum - 1].id.key.values : nil
    isComplete = false
    if index.isUsed { for position in maximum..<count { index.remove(rows.stamps[position].id.key) } }
    rows.removeLast(dropped)
    sortValues.removeLast(dropped)
    if count < WindowIndex.leastCount / 2 { index = WindowIndex() }
  }
}

// MARK: - Search

extension Window {
  /// The position of the first row that doesn't sort before one. O(log rows).
  private func firstPosition(notBefore values: [StorageValue], _ key: [StorageValue]) -> Int {
    var range = 0..<rows.count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range = isBefore(middle, values, key) ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }

  /// Whether the row at a position sorts before one.
  private func isBefore(_ position: Int, _ values: [StorageValue], _ key: [StorageValue]) -> Bool {
    switch ordering.order(sortValues[position], values) {
    case .orderedAscending: true
    case .orderedDescending: false
    case .orderedSame:
      ordering.order(rows.stamps[position].id.key.values, key, from: values.count) == .orderedAscending
    }
  }

  private mutating func buildIndexIfLarge() {
    guard count >= WindowIndex.leastCount else { return }
    index = WindowIndex(
      rows: zip(
        (0..<count).lazy.map { [stamps = rows.stamps] in stamps[$0].id.key },
        (0..<count).lazy.map { [sortValues] in sortValues[$0] }))
  }
}

extension Window.Row {
  fileprivate var liveRow: LiveRow<Element> {
    LiveRow(id: RowID(key: key), element: element, version: version)
  }

  /// The sort key without the key, which the row has already.
  fileprivate var valuesBeforeKey: [StorageValue] {
    let count = sortKey.count - key.values.count
    return count == 0 ? [] : Array(sortKey[..<count])
  }
}
