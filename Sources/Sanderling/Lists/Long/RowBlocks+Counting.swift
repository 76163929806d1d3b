/// Counts rows and finds them by their places, at a snapshot whose changes are all applied.
extension RowBlocks {
  /// Counts the first rows of a gap, as many as the slice allows.
  mutating func count(_ gap: Int, _ reader: LongReader<Element>, _ slice: inout WorkSlice) throws {
    let block = self[gap]
    let (ordering, sizes) = (ordering, sizes)
    slice.limit(rows: sizes.countedInSlice)
    var parts: [Block] = []
    var last = beginning(of: gap)
    var count = 0
    // Whether the last visited row lies behind the gap.
    var isBeyond = false
    let start = slice.now
    let isLast = try reader.forEachPlace(after: last) { stamp in
      if count == 0, parts.isEmpty, sizes.countedInSlice == .max { slice.noteFirstRow(after: start) }
      count += 1
      slice.noteRow()
      guard count == sizes.usual || slice.isOver else { return true }
      let place = try stamp()
      if let end = block.end, !ordering.isBefore(place, end) {
        isBeyond = true
        return false
      }
      parts.append(Block(end: place, count: count))
      (last, count) = (place, 0)
      return !slice.isOver
    }
    if isBeyond || isLast && block.end != nil {
      count = try reader.count(after: last, upTo: block.end, ordering)
    }
    if isBeyond || isLast {
      parts.append(Block(end: block.end, count: count))
    } else {
      let counted = parts.reduce(0) { $0 + $1.count }
      parts.append(Block(gapUpTo: block.end, estimate: max(0, block.count - counted)))
    }
    replaceSubrange(gap..<gap + 1, with: parts)
  }

  /// Divides a block that isn't loaded.
  ///
  /// - Returns: Whether the block has as many rows as were counted.
  mutating func divide(_ index: Int, _ reader: LongReader<Element>) throws -> Bool {
    let block = self[index]
    let sizes = sizes
    var parts: [Block] = []
    var (count, total) = (0, 0)
    _ = try reader.forEachPlace(after: beginning(of: index)) { stamp in
      count += 1
      total += 1
      if count == sizes.usual, total < block.count {
        parts.append(Block(end: try stamp(), count: count))
        count = 0
      }
      return total < block.count
    }
    guard total == block.count else { return false }
    parts.append(Block(end: block.end, count: count))
    replaceSubrange(index..<index + 1, with: parts)
    return true
  }

  /// The position of a row that the query has; nil while rows before it aren't counted.
  mutating func position(of place: RowStamp, _ reader: LongReader<Element>) throws -> Int? {
    let index = index(of: place)
    if let gap = firstGap, gap <= index { return nil }
    if let window = self[index].loaded?.window { return start(of: index) + window.position(notBefore: place) }
    return start(of: index) + (try reader.count(after: beginning(of: index), upTo: place, ordering)) - 1
  }

  /// The rows at a range of positions. All blocks before its end are counted.
  mutating func rows(at positions: Range<Int>, _ reader: LongReader<Element>) throws -> OrderedRows<Element> {
    guard let first = indices(at: positions).first else { return OrderedRows() }
    let skipped = positions.lowerBound - start(of: first)
    let rows = try reader.rows(after: beginning(of: first), count: skipped + positions.count).rows
    return rows.slice(min(skipped, rows.count)..<rows.count)
  }

  /// Loads the rows from a place on, even inside a gap.
  ///
  /// - Returns: The position of the first row, which is an estimate if a gap precedes it, and a loaded row near it.
  /// - Throws: ``LongListError/isGone`` if no row has the key.
  mutating func show(
    _ place: LongInquiry<Element>.Place, count visible: Int, _ reader: LongReader<Element>
  ) throws -> (position: Int, anchor: LongDemand.Anchor?) {
    let wanted = Swift.max(visible, 1)
    /// The last rows before the place, the nearest first.
    var before: [RowStamp]
    var row: RowStamp?
    switch place {
    case .end:
      row = try reader.places(before: nil, count: wanted).last
      before = try row.map { try reader.places(before: $0.sortKey(ordering), count: wanted) } ?? []
    case .key(let key):
      guard let found = try reader.stamp(key) else { throw LongListError.isGone }
      before = try reader.places(before: found.sortKey(ordering), count: wanted)
      row = found
    case .values(let values): before = try reader.places(before: values, count: wanted)
    }
    // If there is no row at the place itself, the rows before it determine the position.
    guard let near = row ?? before.first else { return (0, anchor(near: 0)) }
    let index = index(of: near)
    if self[index].isGap {
      try load(in: index, after: before.count < wanted ? nil : before.last, 3 * wanted, reader)
    } else if self[index].loaded == nil {
      _ = try load(index, reader)
    }
    let home = self.index(of: near)
    let position = start(of: home) + (self[home].loaded?.window.position(notBefore: near) ?? 0)
    return (row == nil ? position + 1 : position, LongDemand.Anchor(row: near, position: position))
  }

  /// Loads the wanted rows of a counted block. Divides the block first if it has many other rows.
  ///
  /// - Returns: Whether the block has as many rows as were counted.
  mutating func load(_ positions: Range<Int>, in index: Int, _ reader: LongReader<Element>) throws -> Bool {
    let (block, start) = (self[index], start(of: index))
    let spare = sizes.usual / 8
    var cuts: [Int] = []
    let wanted = positions.clamped(to: start..<start + block.count)
    if wanted.lowerBound - start > spare { cuts.append(wanted.lowerBound - start) }
    if start + block.count - wanted.upperBound > spare { cuts.append(wanted.upperBound - start) }
    guard let last = cuts.last else { return try load(index, reader) }
    var parts: [Block] = []
    var (count, total) = (0, 0)
    _ = try reader.forEachPlace(after: beginning(of: index)) { stamp in
      count += 1
      total += 1
      if cuts.contains(total) {
        parts.append(Block(end: try stamp(), count: count))
        count = 0
      }
      return total < last
    }
    guard total == last else { return false }
    parts.append(Block(end: block.end, count: block.count - total))
    replaceSubrange(index..<index + 1, with: parts)
    return try load(wanted.lowerBound - start > spare ? index + 1 : index, reader)
  }

  /// Loads all rows of a counted block.
  ///
  /// - Returns: Whether the block has as many rows as were counted.
  mutating func load(_ index: Int, _ reader: LongReader<Element>) throws -> Bool {
    let block = self[index]
    var rows = OrderedRows<Element>()
    if block.count > 0 { rows = try reader.rows(after: beginning(of: index), count: block.count).rows }
    guard rows.count == block.count else { return false }
    if let end = block.end, rows.count > 0, ordering.isBefore(end, rows.stamp(at: rows.count - 1)) { return false }
    load(index, rows)
    return true
  }

  /// Loads rows inside a gap, and divides the gap around them.
  private mutating func load(in gap: Int, after place: RowStamp?, _ count: Int, _ reader: LongReader<Element>) throws {
    let block = self[gap]
    let start = beginning(of: gap)
    var beginning = start
    if let place, start.map({ ordering.isBefore($0, place) }) ?? true { beginning = place }
    var (rows, isLast) = try reader.rows(after: beginning, count: count)
    // Rows behind the gap belong to the next block.
    if let end = block.end, !rows.isEmpty {
      var kept = rows.count
      while kept > 0, ordering.isBefore(end, rows.stamp(at: kept - 1)) { kept -= 1 }
      isLast = isLast || kept < rows.count
      rows = rows.prefix(kept).copy
    }
    var parts: [Block] = []
    var estimate = block.count
    if let place = beginning, beginning.map({ place in start.map { ordering.isBefore($0, place) } ?? true }) ?? false {
      // The position inside the gap is unknown. The middle is the estimate.
      let before = isLast ? Swift.max(0, estimate - rows.count) : estimate / 2
      parts.append(Block(gapUpTo: place, estimate: before))
      estimate -= before
    }
    if isLast || rows.isEmpty {
      parts.append(Block(end: block.end, rows, ordering))
    } else {
      parts.append(Block(end: rows.stamp(at: rows.count - 1), rows, ordering))
      parts.append(Block(gapUpTo: block.end, estimate: Swift.max(0, estimate - rows.count)))
    }
    replaceSubrange(gap..<gap + 1, with: parts)
  }

  /// The loaded row that is nearest to a position.
  mutating func anchor(near position: Int) -> LongDemand.Anchor? {
    var best: (window: Window<Element>, range: Range<Int>)?
    for index in loadedIndices {
      guard let window = self[index].loaded?.window, window.count > 0 else { continue }
      let start = start(of: index)
      let range = start..<start + window.count
      if best.map({ range.distance(to: position) < $0.range.distance(to: position) }) ?? true { best = (window, range) }
    }
    return best.map { window, range in
      let found = range.nearest(to: position)
      return LongDemand.Anchor(row: window.stamp(at: found - range.lowerBound), position: found)
    }
  }
}

extension LongReader {
  /// The number of rows after a place, up to and including another place.
  fileprivate func count(after place: RowStamp?, upTo end: RowStamp?, _ ordering: WindowOrdering) throws -> Int {
    var count = 0
    _ = try forEachPlace(after: place) { stamp in
      if let end, ordering.isBefore(end, try stamp()) { return false }
      count += 1
      return true
    }
    return count
  }

  /// A description of the difference between the blocks before the first gap and the rows of the database; nil if there
  /// is none.
  ///
  /// - Parameter blocks: The beginning and end of each block, its number of rows, and its loaded rows.
  func difference(
    _ blocks: [(beginning: RowStamp?, end: RowStamp?, count: Int, rows: OrderedRows<Element>?)]
  ) throws -> String? {
    var counts = [Int](repeating: 0, count: blocks.count)
    var index = 0
    _ = try forEachPlace(after: nil) { stamp in
      let place = try stamp()
      while index < blocks.count, let end = blocks[index].end, ordering.isBefore(end, place) { index += 1 }
      guard index < blocks.count else { return false }
      counts[index] += 1
      return true
    }
    var position = 0
    for (block, count) in zip(blocks, counts) {
      if block.count != count {
        return "it counts \(block.count) rows from position \(position) on, and the SELECT returns \(count)"
      }
      if let rows = block.rows {
        let fresh = try self.rows(after: block.beginning, count: max(count, 1)).rows.prefix(count)
        if let difference = rows.difference(from: fresh, comparesVersions: true) {
          return "from position \(position) on, \(difference)"
        }
      }
      position += count
    }
    return nil
  }
}
