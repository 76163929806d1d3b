/// Rows in their order: the readable rows, and the places of the unreadable ones, which are rare.
struct OrderedRows<Element: Sendable>: Sendable {
  /// A row that can't be read, and its position among all rows.
  struct Unreadable: Sendable {
    let position: Int
    let row: UnreadableRow
  }

  /// The rows that can be read.
  private(set) var readable: LiveRows<Element>
  /// The others, ascending.
  private(set) var unreadable: [Unreadable]

  init(_ readable: LiveRows<Element> = LiveRows(), unreadable: [Unreadable] = []) {
    self.readable = readable
    self.unreadable = unreadable
  }

  var count: Int { readable.count + unreadable.count }
  var isEmpty: Bool { count == 0 }
  var unreadableRows: [UnreadableRow] { unreadable.map(\.row) }

  /// How many of the rows before a position can't be read. O(log unreadable rows).
  private func unreadableCount(before position: Int) -> Int {
    var range = 0..<unreadable.count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      let isBefore = unreadable[middle].position < position
      range = isBefore ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }

  /// The stamp of the row at a position, whether the row can be read or not.
  func stamp(at position: Int) -> RowStamp {
    let before = unreadableCount(before: position)
    if before < unreadable.count, unreadable[before].position == position { return unreadable[before].row.stamp }
    return readable.stamps[position - before]
  }

  /// Some of the rows, sharing their storage. O(1) when they touch all chunks, otherwise O(chunks); and O(unreadable rows).
  func slice(_ range: Range<Int>) -> OrderedRows {
    let (first, end) = (unreadableCount(before: range.lowerBound), unreadableCount(before: range.upperBound))
    return OrderedRows(
      readable.slice(range.lowerBound - first..<range.upperBound - end),
      unreadable: unreadable[first..<end].map {
        Unreadable(position: $0.position - range.lowerBound, row: $0.row)
      })
  }

  /// At most so many of the first rows.
  func prefix(_ count: Int) -> OrderedRows { slice(0..<Swift.min(count, self.count)) }

  mutating func append(_ other: OrderedRows) {
    let count = count
    readable.append(other.readable)
    unreadable += other.unreadable.map { Unreadable(position: count + $0.position, row: $0.row) }
  }

  /// Rows with storage of their own, so that they hold no others. O(rows).
  var copy: OrderedRows { OrderedRows(LiveRows(copying: readable), unreadable: unreadable) }
}

extension OrderedRows {
  /// The first difference from freshly read rows; nil if there is none.
  ///
  /// - Parameter comparesVersions: Whether the rows' values count, in addition to their identities.
  func difference(from fresh: OrderedRows, comparesVersions: Bool) -> String? {
    for (shown, read) in zip(unreadable, fresh.unreadable) {
      if shown.position != read.position || shown.row.id != read.row.id {
        return "it can't read \(shown.row.id) at \(shown.position), and the SELECT \(read.row.id) at \(read.position)"
      }
      if comparesVersions, shown.row.stamp.version != read.row.stamp.version {
        return "row \(shown.position), which can't be read, has other values than the SELECT returns"
      }
    }
    if unreadable.count != fresh.unreadable.count {
      return "it has \(unreadable.count) rows that can't be read, and the SELECT returns \(fresh.unreadable.count)"
    }
    return readable.stamps.difference(from: fresh.readable.stamps, comparesVersions: comparesVersions)
  }
}
