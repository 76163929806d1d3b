/// The first rows of a query, sorted, as the engine maintains them.
///
/// The window contains exactly the rows that sort at or before the edge. A window with all rows of the query is
/// complete and has no edge.
struct Window<Element: Sendable>: Sendable {
  /// A row as it was read.
  enum Row: Sendable {
    case readable(RowStamp, Element)
    case unreadable(UnreadableRow)

    var stamp: RowStamp {
      switch self {
      case .readable(let stamp, _): stamp
      case .unreadable(let row): row.stamp
      }
    }
  }

  let ordering: WindowOrdering
  private(set) var isComplete = false
  /// The stamp of the row up to which all rows are known; nil when the window is complete, and before the first load.
  private var edgeStamp: RowStamp? {
    get { edgeStamps.first }
    set { edgeStamps = newValue.map { [$0] } ?? [] }
  }
  /// The edge's stamp, or empty. An array, so that a complete window, as most small ones are, has no memory for it.
  private var edgeStamps: [RowStamp] = []
  /// The readable rows.
  private var rows = LiveRows<Element>()
  /// The unreadable rows, mostly none. Each has its place among the rows, and counts like a readable row.
  private var unreadable = UnreadableRows()
  /// The index, or empty. An array, so that a small window has no memory for it.
  private var indexes: [WindowIndex] = []

  init(ordering: WindowOrdering) {
    self.ordering = ordering
  }

  var count: Int { rows.count + unreadable.count }

  /// The sort key up to which all rows are known, with the key at the end. Nil when the window is complete, and before
  /// the first load.
  var edge: [StorageValue]? { edgeStamp?.withEncoding { $0.sortKey(ordering.valueCount) } }

  /// Rows to show: at most `count` of them after the first `offset`. They share the storage of the window. O(chunks).
  func part(after offset: Int, count: Int) -> OrderedRows<Element> {
    let start = Swift.min(offset, self.count)
    let end = start + Swift.min(count, self.count - start)
    let others = unreadableCount(inFirst: start)..<unreadableCount(inFirst: end)
    return OrderedRows(
      rows.slice(start - others.lowerBound..<end - others.upperBound),
      unreadable: others.map { index in
        let row = unreadable.rows[index]
        return .init(position: index + readableCount(before: row.stamp) - start, row: row)
      })
  }

  /// Whether the window contains the row with a key. O(log rows).
  func contains(_ key: RowKey) -> Bool { readablePosition(of: key) != nil || unreadable.index(of: key) != nil }

  /// The row's position among all rows of the window, including those that the query's offset skips. O(log rows).
  func position(of key: RowKey) -> Int? {
    if let index = unreadable.index(of: key) { return index + readableCount(before: unreadable.rows[index].stamp) }
    return readablePosition(of: key).map { position in
      unreadable.count == 0 ? position : position + unreadable.count(before: rows.stamps[position], ordering)
    }
  }

  /// The position of the first row that doesn't sort before the given one; the count if all do. O(log rows).
  func position(notBefore stamp: RowStamp) -> Int {
    readableCount(before: stamp) + unreadable.count(before: stamp, ordering)
  }

  func stamp(at position: Int) -> RowStamp {
    let before = unreadableCount(inFirst: position)
    if before < unreadableCount(inFirst: position + 1) { return unreadable.rows[before].stamp }
    return rows.stamps[position - before]
  }

  /// The counts and sums that were read with a row; nil when there is no such row, or one of them is no integer.
  func counts(of key: RowKey) -> [Int64]? {
    let stamp =
      readablePosition(of: key).map { rows.stamps[$0] } ?? unreadable.index(of: key).map { unreadable.rows[$0].stamp }
    return stamp?.withEncoding { $0.counts(after: ordering.valueCount) }
  }

  private func readablePosition(of key: RowKey) -> Int? {
    rows.stamps.storage.position(of: key, ordering, indexes.first)
  }

  /// The number of readable rows that sort before a stamp. O(log rows).
  private func readableCount(before stamp: RowStamp) -> Int {
    rows.stamps.storage.firstPosition(notBefore: stamp, ordering)
  }

  /// The number of unreadable rows among the first rows. O(log² rows).
  private func unreadableCount(inFirst count: Int) -> Int {
    unreadable.count(inFirst: count) { readableCount(before: $0) }
  }

  /// Whether a row sorts after the edge, so that it is not in the window.
  private func isBeyondEdge(_ stamp: RowStamp) -> Bool {
    if isComplete { return false }
    guard let edgeStamp else { return true }
    return ordering.isBefore(edgeStamp, stamp)
  }
}

// MARK: - Single rows

extension Window {
  /// Replaces the row with a key by its present state: it is moved, updated, inserted or removed.
  ///
  /// A row that sorts after the edge is left out.
  ///
  /// - Parameter row: Nil when the query doesn't have the row.
  /// - Returns: Whether the rows changed.
  @discardableResult
  mutating func replace(_ key: RowKey, with row: Row?) -> Bool {
    switch row.flatMap({ isBeyondEdge($0.stamp) ? nil : $0 }) {
    case nil:
      let wasReadable = removeReadable(key)
      return unreadable.remove(key) || wasReadable
    case .readable(let stamp, let element):
      let wasUnreadable = unreadable.remove(key)
      return replaceReadable(key, stamp, element) || wasUnreadable
    case .unreadable(let row):
      let wasReadable = removeReadable(key)
      let (stamps, ordering) = (rows.stamps.storage, ordering)
      let hasChanged = unreadable.replace(key, with: row, ordering) { stamps.firstPosition(notBefore: $0, ordering) }
      return hasChanged || wasReadable
    }
  }

  private mutating func replaceReadable(_ key: RowKey, _ stamp: RowStamp, _ element: Element) -> Bool {
    guard let position = readablePosition(of: key) else {
      place(stamp, element)
      return true
    }
    let (chunk, offset) = rows.stamps.storage.location(of: position)
    let isSame = rows.stamps.storage.chunks[chunk].version(offset) == stamp.version
    if rows.stamps.storage.isInPlace(stamp, at: position, ordering) {
      let isEqual = isSame && rows.stamps.storage.chunks[chunk].hasSameBytes(offset, as: stamp)
      if !isEqual { rows.replace(at: position, with: stamp, isSame ? nil : element) }
      return !isSame
    }
    // An unchanged element is kept, so that equal rows stay shared.
    let element = isSame ? rows[position] : element
    remove(at: position)
    place(stamp, element)
    return true
  }

  private mutating func removeReadable(_ key: RowKey) -> Bool {
    guard let position = readablePosition(of: key) else { return false }
    remove(at: position)
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
  ///   - index: The index of the readable rows; nil where there is none.
  ///   - isComplete: Whether the query has no other rows.
  mutating func reset(_ rows: OrderedRows<Element>, index: WindowIndex?, isComplete: Bool) {
    assert(rows.readable.stamps.storage.isSorted(by: ordering))
    self.rows = rows.readable
    unreadable = UnreadableRows(rows.unreadableRows)
    indexes = index.map { [$0] } ?? []
    edgeStamp = nil
    moveEdge(isComplete: isComplete, hasMoreRows: !rows.isEmpty)
  }

  /// Appends the rows that follow the edge, which moves the edge. O(chunks + added rows).
  ///
  /// - Parameters:
  ///   - added: The next rows, sorted.
  ///   - isComplete: Whether the query has no rows after them.
  mutating func append(_ added: OrderedRows<Element>, isComplete: Bool) {
    let oldCount = rows.stamps.storage.chunks.count
    let joins = rows.append(added.readable)
    unreadable.append(added.unreadableRows)
    assert(rows.stamps.storage.isSorted(by: ordering))
    if !indexes.isEmpty {
      indexes[0].follow(
        appended: rows.stamps.storage.chunks, after: oldCount,
        joined: joins ? added.readable.stamps.storage.chunks[0].count : 0)
    } else {
      buildIndexIfLarge()
    }
    moveEdge(isComplete: isComplete, hasMoreRows: !added.isEmpty)
  }

  private mutating func moveEdge(isComplete: Bool, hasMoreRows: Bool) {
    self.isComplete = isComplete
    if isComplete { edgeStamp = nil } else if hasMoreRows { edgeStamp = stamp(at: count - 1) }
  }

  /// Removes the rows beyond a count, and moves the edge to the last remaining row. O(chunks + dropped rows).
  mutating func trim(to maximum: Int) {
    guard count > maximum else { return }
    edgeStamp = maximum > 0 ? stamp(at: maximum - 1) : nil
    isComplete = false
    let kept = unreadableCount(inFirst: maximum)
    unreadable.keep(first: kept)
    let dropped = rows.count - (maximum - kept)
    if !indexes.isEmpty { indexes[0].willRemoveLast(dropped, rows.stamps.storage.chunks) }
    rows.removeLast(dropped)
    if rows.count < WindowIndex.leastCount / 2 { indexes = [] }
  }

  private mutating func buildIndexIfLarge() {
    if let index = WindowIndex(rows.stamps.storage, ordering) { indexes = [index] }
  }
}
