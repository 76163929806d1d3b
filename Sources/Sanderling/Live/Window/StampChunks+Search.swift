/// Searches among sorted rows.
extension StampChunks {
  /// The position of the row with a key. O(log rows); few rows are searched one by one.
  func position(of key: RowKey, _ ordering: WindowOrdering, _ index: WindowIndex?) -> Int? {
    key.withEncoding { key in
      if ordering.valueCount == 0, count >= WindowIndex.leastCount { return position(ofSortedKey: key, ordering) }
      let hash = RowKey.hash(ofEncoding: key)
      if let index { return index.first(hash) { position(ofKey: key, hash, inChunk: $0) } }
      for chunk in chunks.indices {
        if let position = position(ofKey: key, hash, inChunk: chunk) { return position }
      }
      return nil
    }
  }

  private func position(ofKey key: UnsafeRawBufferPointer, _ hash: UInt32, inChunk chunk: Int) -> Int? {
    chunks[chunk].offset(ofKey: key, hash: hash).map { start(ofChunk: chunk) + $0 }
  }

  /// The position of the row with a key, among rows that are sorted by the key alone.
  private func position(ofSortedKey key: UnsafeRawBufferPointer, _ ordering: WindowOrdering) -> Int? {
    let encoding = StampEncoding(key, keySize: key.count)
    var position = firstPosition(notBefore: encoding, ordering)
    // Keys that a collation treats as equal are adjacent, while one of them is about to leave.
    while position < count {
      let (chunk, offset) = location(of: position)
      let (isSame, isEqual) = chunks[chunk].withEncoding(offset) { row in
        (row.key.hasSameBytes(as: key), ordering.order(row, encoding) == .orderedSame)
      }
      if isSame { return position }
      if !isEqual { return nil }
      position += 1
    }
    return nil
  }

  /// The position of the first row that doesn't sort before the given one. O(log rows).
  func firstPosition(notBefore stamp: RowStamp, _ ordering: WindowOrdering) -> Int {
    stamp.withEncoding { firstPosition(notBefore: $0, ordering) }
  }

  private func firstPosition(notBefore row: StampEncoding, _ ordering: WindowOrdering) -> Int {
    let chunk = chunks.indices.partitioning { !isBefore($0, chunks[$0].count - 1, row, ordering) }
    if chunk == chunks.count { return count }
    let offset = (0..<chunks[chunk].count).partitioning { !isBefore(chunk, $0, row, ordering) }
    return start(ofChunk: chunk) + offset
  }

  private func isBefore(_ chunk: Int, _ offset: Int, _ row: StampEncoding, _ ordering: WindowOrdering) -> Bool {
    chunks[chunk].withEncoding(offset) { ordering.order($0, row) == .orderedAscending }
  }

  /// Whether a row sorts after the row before the position, and before the row after it.
  func isInPlace(_ stamp: RowStamp, at position: Int, _ ordering: WindowOrdering) -> Bool {
    stamp.withEncoding { row in
      if position > 0 {
        let (chunk, offset) = location(of: position - 1)
        if !isBefore(chunk, offset, row, ordering) { return false }
      }
      if position + 1 == count { return true }
      let (chunk, offset) = location(of: position + 1)
      return !isBefore(chunk, offset, row, ordering)
    }
  }

  /// Whether no row sorts before its predecessor. O(rows).
  func isSorted(by ordering: WindowOrdering) -> Bool {
    (0..<max(0, count - 1)).allSatisfy { position in
      let (chunk, offset) = location(of: position)
      let (nextChunk, nextOffset) = location(of: position + 1)
      return chunks[chunk].withEncoding(offset) { !isBefore(nextChunk, nextOffset, $0, ordering) }
    }
  }
}

extension WindowOrdering {
  func isBefore(_ one: RowStamp, _ other: RowStamp) -> Bool {
    one.withEncoding { one in other.withEncoding { order(one, $0) == .orderedAscending } }
  }
}

extension WindowIndex {
  /// Makes an index of sorted rows; nil where none is used. O(rows).
  init?(_ rows: StampChunks, _ ordering: WindowOrdering) {
    if rows.count < Self.leastCount || ordering.valueCount == 0 { return nil }
    self.init(rows.chunks, rowCount: rows.count)
  }
}

extension Range<Int> {
  /// The first number that satisfies a condition, which all later numbers satisfy too; the upper bound if there is
  /// none. O(log count).
  fileprivate func partitioning(by condition: (Int) -> Bool) -> Int {
    var range = self
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range = condition(middle) ? range.lowerBound..<middle : middle + 1..<range.upperBound
    }
    return range.lowerBound
  }
}
