/// The first rows of a query, sorted, as the engine maintains them.
///
/// All rows that sort at or before the edge are in the window, and no others. A window whose rows are all there are is
/// complete and has no edge.
struct Window<Element: Sendable>: Sendable {
  /// A row as it was read.
  struct Row: Sendable {
    let stamp: RowStamp
    let element: Element
  }

  let ordering: WindowOrdering
  private(set) var isComplete = false
  /// The row up to which all rows are known; nil when the window is complete, and while nothing was read.
  private var edgeStamp: RowStamp? {
    get { edgeStamps.first }
    set { edgeStamps = newValue.map { [$0] } ?? [] }
  }
  /// None or one: a complete window, as most small ones are, has no memory for it.
  private var edgeStamps: [RowStamp] = []
  private var rows = LiveRows<Element>()
  /// None or one, as of edges: a small window has no memory for it.
  private var indexes: [WindowIndex] = []

  init(ordering: WindowOrdering) {
    self.ordering = ordering
  }

  var count: Int { rows.count }

  /// The sort key up to which all rows are known, the key at the end; nil when the window is complete, and while nothing was read.
  var edge: [StorageValue]? { edgeStamp?.withEncoding { $0.sortKey(ordering.valueCount) } }

  /// Rows to show: at most `count` of them after the first `offset`. They share the storage of the window. O(chunks).
  func rows(_ offset: Int, count: Int) -> LiveRows<Element> {
    let start = Swift.min(offset, rows.count)
    return rows.slice(start..<start + Swift.min(count, rows.count - start))
  }

  /// O(log rows).
  func contains(_ key: RowKey) -> Bool { position(of: key) != nil }

  /// The row's position among all rows of the window, those that are skipped included. O(log rows).
  func position(of key: RowKey) -> Int? {
    rows.stamps.storage.position(of: key, ordering, indexes.first)
  }

  /// The position of the first row that doesn't sort before one; the count if all do. O(log rows).
  func position(notBefore stamp: RowStamp) -> Int { rows.stamps.storage.firstPosition(notBefore: stamp, ordering) }

  func stamp(at position: Int) -> RowStamp { rows.stamps[position] }

  /// The counts and sums that were read with a row; nil when there is no such row, or one is no integer.
  func counts(of key: RowKey) -> [Int64]? {
    position(of: key).flatMap { rows.stamps[$0].withEncoding { $0.counts(after: ordering.valueCount) } }
  }

  /// Whether a row isn't known, so that it would not be in the window.
  private func isBeyondEdge(_ stamp: RowStamp) -> Bool {
    if isComplete { return false }
    guard let edgeStamp else { return true }
    return ordering.isBefore(edgeStamp, stamp)
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
    guard let row, !isBeyondEdge(row.stamp) else {
      remove(at: position)
      return true
    }
    let (chunk, offset) = rows.stamps.storage.location(of: position)
    let isSame = rows.stamps.storage.chunks[chunk].version(offset) == row.stamp.version
    if rows.stamps.storage.isInPlace(row.stamp, at: position, ordering) {
      let isEqual = isSame && rows.stamps.storage.chunks[chunk].hasSameBytes(offset, as: row.stamp)
      if !isEqual { rows.replace(at: position, with: row.stamp, isSame ? nil : row.element) }
      return !isSame
    }
    // The old element where it is the same one, so that equal rows stay shared.
    let element = isSame ? rows[position] : row.element
    remove(at: position)
    place(row.stamp, element)
    return true
  }

  /// - Returns: Whether the row was inserted; false when it sorts after the edge.
  private mutating func insert(_ row: Row) -> Bool {
    if isBeyondEdge(row.stamp) { return false }
    place(row.stamp, row.element)
    return true
  }

  private mutating func place(_ stamp: RowStamp, _ element: Element) {
    let position = rows.stamps.storage.firstPosition(notBefore: stamp, ordering)
    let insertion = rows.insert(stamp, element, at: position)
    if indexes.isEmpty { buildIndexIfLarge() } else { indexes[0].follow(insertion, rows.stamps.storage.chunks) }
  }

  private mutating func remove(at position: Int) {
    let removal = rows.remove(at: position)
    if !indexes.isEmpty { indexes[0].follow(removal, rows.stamps.storage.chunks) }
  }
}

// MARK: - Many rows

extension Window {
  /// Replaces all rows.
  ///
  /// - Parameters:
  ///   - rows: The first rows of the query, sorted.
  ///   - index: Their index; nil where there is none.
  ///   - isComplete: Whether there are no others.
  mutating func reset(_ rows: LiveRows<Element>, index: WindowIndex?, isComplete: Bool) {
    assert(rows.stamps.storage.isSorted(by: ordering))
    self.rows = rows
    indexes = index.map { [$0] } ?? []
    edgeStamp = nil
    moveEdge(isComplete: isComplete, hasMoreRows: !rows.isEmpty)
  }

  /// Adds the rows that follow the edge, and so moves it. O(chunks + added rows).
  ///
  /// - Parameters:
  ///   - added: The rows that come next, sorted.
  ///   - isComplete: Whether there are none after them.
  mutating func append(_ added: LiveRows<Element>, isComplete: Bool) {
    let oldCount = rows.stamps.storage.chunks.count
    let joins = rows.append(added)
    assert(rows.stamps.storage.isSorted(by: ordering))
    if !indexes.isEmpty {
      indexes[0].follow(
        appended: rows.stamps.storage.chunks, after: oldCount,
        joined: joins ? added.stamps.storage.chunks[0].count : 0)
    } else {
      buildIndexIfLarge()
    }
    moveEdge(isComplete: isComplete, hasMoreRows: !added.isEmpty)
  }

  private mutating func moveEdge(isComplete: Bool, hasMoreRows: Bool) {
    self.isComplete = isComplete
    if isComplete { edgeStamp = nil } else if hasMoreRows { edgeStamp = rows.stamps[count - 1] }
  }

  /// Drops the rows beyond a count, and moves the edge to the last one that is left. O(chunks + dropped rows).
  mutating func trim(to maximum: Int) {
    let dropped = count - maximum
    guard dropped > 0 else { return }
    edgeStamp = maximum > 0 ? rows.stamps[maximum - 1] : nil
    isComplete = false
    if !indexes.isEmpty { indexes[0].willRemoveLast(dropped, rows.stamps.storage.chunks) }
    rows.removeLast(dropped)
    if count < WindowIndex.leastCount / 2 { indexes = [] }
  }

  private mutating func buildIndexIfLarge() {
    if let index = WindowIndex(rows.stamps.storage, ordering) { indexes = [index] }
  }
}
