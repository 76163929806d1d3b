/// Rows in their order: the readable ones, and the places of the unreadable ones. Mostly all rows are readable.
struct OrderedRows<Element: Sendable>: Sendable {
  /// An unreadable row, and its position among all rows.
  struct Unreadable: Sendable {
    let position: Int
    let row: UnreadableRow
  }

  /// The readable rows.
  private(set) var readable: LiveRows<Element>
  /// The unreadable rows, by ascending position.
  private(set) var unreadable: [Unreadable]

  init(_ readable: LiveRows<Element> = LiveRows(), unreadable: [Unreadable] = []) {
    self.readable = readable
    self.unreadable = unreadable
  }

  var count: Int { readable.count + unreadable.count }
  var isEmpty: Bool { count == 0 }
  var unreadableRows: [UnreadableRow] { unreadable.map(\.row) }

  /// The number of unreadable rows before a position. O(log unreadable rows).
  private func unreadableCount(before position: Int) -> Int {
    var range = 0..<unreadable.count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      let isBefore = unreadable[middle].position < position
      range = isBefore ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }

  /// The stamp of the readable or unreadable row at a position.
  func stamp(at position: Int) -> RowStamp {
    let before = unreadableCount(before: position)
    if before < unreadable.count, unreadable[before].position == position { return unreadable[before].row.stamp }
    return readable.stamps[position - before]
  }

  /// Some of the rows, in shared storage. O(1) when they touch all chunks, otherwise O(chunks); and O(unreadable rows).
  func slice(_ range: Range<Int>) -> OrderedRows {
    let (first, end) = (unreadableCount(before: range.lowerBound), unreadableCount(before: range.upperBound))
    return OrderedRows(
      readable.slice(range.lowerBound - first..<range.upperBound - end),
      unreadable: unreadable[first..<end].map {
        Unreadable(position: $0.position - range.lowerBound, row: $0.row)
      })
  }

  /// The first rows, at most a number of them.
  func prefix(_ count: Int) -> OrderedRows { slice(0..<Swift.min(count, self.count)) }

  mutating func append(_ other: OrderedRows) {
    let count = count
    readable.append(other.readable)
    unreadable += other.unreadable.map { Unreadable(position: count + $0.position, row: $0.row) }
  }

  /// The rows in storage of their own, which holds no other rows. O(rows).
  var copy: OrderedRows { OrderedRows(LiveRows(copying: readable), unreadable: unreadable) }
}

extension OrderedRows {
  /// Returns the first difference from rows that were just read; nil for none.
  ///
  /// - Parameter comparesVersions: Whether the rows' values are compared too, not only their identities.
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
