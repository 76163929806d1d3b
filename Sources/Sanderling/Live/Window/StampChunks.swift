/// The stamps of a list in chunks. Copies share their chunks. A change copies the list of chunks, and one or two
/// chunks.
///
/// Chunks are never empty. This type decides which chunk contains a row. The elements follow by the results of its
/// changes.
struct StampChunks: Sendable {
  /// The most rows of a chunk, in a list with a number of rows. Longer lists have larger chunks, since a change copies
  /// the list of chunks too.
  static func capacity(_ count: Int) -> Int { count < 16_384 ? 64 : 256 }

  /// The bytes of encoded values from which on a chunk of several rows counts as full.
  static let greatestSize = 1 << 16

  /// The place of an inserted row, and how the chunks made room.
  struct Insertion {
    /// The chunk that was split, and the offset from which on its rows are in the next chunk.
    var split: (chunk: Int, offset: Int)?
    let chunk: Int
    let offset: Int
    /// Whether the row is alone in a new chunk.
    let isNewChunk: Bool
  }

  /// The place of a removed row, and how the chunks closed the gap.
  struct Removal {
    let hash: UInt32
    let chunk: Int
    let offset: Int
    /// Whether the chunk contained only this row.
    let removesChunk: Bool
    /// The chunk that was then joined with the next chunk, and the number of rows that it got.
    var join: (chunk: Int, count: Int)?
  }

  private(set) var chunks: FewElements<StampChunk>
  /// The number of rows before each chunk except the first. Empty for a list of one chunk, as most lists are.
  private var starts: [Int] = []
  private(set) var count = 0

  init(_ chunks: [StampChunk] = []) {
    self.chunks = FewElements(chunks)
    updateStarts(from: 0)
  }

  /// The place of a row. O(log chunks).
  ///
  /// - Precondition: There is a row at the position.
  func location(of position: Int) -> (chunk: Int, offset: Int) {
    let chunk = starts.firstIndex(after: position)
    return (chunk, position - start(ofChunk: chunk))
  }

  func start(ofChunk chunk: Int) -> Int {
    chunk == 0 ? 0 : starts[chunk - 1]
  }

  /// The chunks that contain a range of rows, and the range's start in them. O(chunks); the rows are shared.
  func chunks(holding range: Range<Int>) -> (chunks: Range<Int>, start: Int) {
    guard !range.isEmpty else { return (0..<0, 0) }
    let first = location(of: range.lowerBound)
    return (first.chunk..<location(of: range.upperBound - 1).chunk + 1, first.offset)
  }

  subscript(range: Range<Int>) -> StampChunks {
    range == chunks.indices ? self : StampChunks(Array(chunks[range]))
  }
}

// MARK: - Changes

extension StampChunks {
  /// See ``StampChunk/combineVersions(_:)``.
  mutating func combineVersions(ofChunk chunk: Int, _ fingerprints: [UInt64]) {
    chunks[chunk].combineVersions(fingerprints)
  }

  /// Inserts a row before the row at the position, or at the end.
  mutating func insert(_ stamp: RowStamp, at position: Int) -> Insertion {
    if position == count { return append(stamp) }
    var (chunk, offset) = location(of: position)
    var split: (chunk: Int, offset: Int)?
    if isFull(chunk) {
      let middle = chunks[chunk].count / 2
      split = (chunk, middle)
      let whole = chunks[chunk]
      chunks.replaceSubrange(chunk...chunk, with: [whole.part(0..<middle), whole.part(middle..<whole.count)])
      starts.insert(start(ofChunk: chunk) + middle, at: chunk)
      if offset > middle {
        offset -= middle
        chunk += 1
      }
    }
    chunks[chunk].insert(stamp, at: offset)
    for index in chunk..<starts.count { starts[index] += 1 }
    count += 1
    return Insertion(split: split, chunk: chunk, offset: offset, isNewChunk: false)
  }

  private mutating func append(_ stamp: RowStamp) -> Insertion {
    let last = chunks.count - 1
    if last >= 0, !isFull(last) {
      let offset = chunks[last].count
      chunks[last].insert(stamp, at: offset)
      count += 1
      return Insertion(chunk: last, offset: offset, isNewChunk: false)
    }
    chunks.append(StampChunk(stamp))
    if last >= 0 { starts.append(count) }
    count += 1
    return Insertion(chunk: last + 1, offset: 0, isNewChunk: true)
  }

  private func isFull(_ chunk: Int) -> Bool {
    let chunk = chunks[chunk]
    return chunk.count >= Self.capacity(count) || chunk.count > 1 && chunk.size > Self.greatestSize
  }

  /// Removes the row at a position.
  mutating func remove(at position: Int) -> Removal {
    let (chunk, offset) = location(of: position)
    let hash = chunks[chunk].entries[offset].hash
    if chunks[chunk].count == 1 {
      chunks.remove(at: chunk)
      updateStarts(from: chunk)
      return Removal(hash: hash, chunk: chunk, offset: offset, removesChunk: true)
    }
    chunks[chunk].remove(at: offset)
    for index in chunk..<starts.count { starts[index] -= 1 }
    count -= 1
    return Removal(
      hash: hash, chunk: chunk, offset: offset, removesChunk: false, join: joinIfSmall(chunk))
  }

  /// Joins a chunk that has become small with a neighbour, if that leaves room for more rows.
  private mutating func joinIfSmall(_ chunk: Int) -> (chunk: Int, count: Int)? {
    let capacity = Self.capacity(count)
    guard chunks[chunk].count <= capacity / 4, chunks.count > 1 else { return nil }
    let first = chunk == 0 ? 0 : chunk - 1
    guard canJoin(chunks[first], chunks[first + 1], capacity * 3 / 4) else { return nil }
    let second = chunks.remove(at: first + 1)
    chunks[first].append(second)
    starts.remove(at: first)
    return (first, second.count)
  }

  private func canJoin(_ one: StampChunk, _ other: StampChunk, _ greatestCount: Int) -> Bool {
    one.count + other.count <= greatestCount && one.size + other.size <= Self.greatestSize
  }

  mutating func replace(at position: Int, with stamp: RowStamp) {
    let (chunk, offset) = location(of: position)
    chunks[chunk].replace(at: offset, with: stamp)
  }

  /// Appends the rows of another list, whose chunks are shared.
  ///
  /// - Returns: Whether the first added chunk was joined to the last chunk.
  mutating func append(_ other: StampChunks) -> Bool {
    let first = Swift.max(0, chunks.count - 1)
    let joins = canJoinAppended(other)
    if joins {
      chunks[first].append(other.chunks[0])
      chunks += other.chunks.dropFirst()
    } else {
      chunks += other.chunks
    }
    updateStarts(from: first)
    return joins
  }

  private func canJoinAppended(_ other: StampChunks) -> Bool {
    guard let last = chunks.last, let next = other.chunks.first else { return false }
    return canJoin(last, next, Self.capacity(count + other.count))
  }

  /// Removes rows from the end. O(chunks).
  mutating func removeLast(_ removed: Int) {
    guard removed > 0 else { return }
    let remaining = count - removed
    guard remaining > 0 else {
      self = StampChunks()
      return
    }
    let (chunk, offset) = location(of: remaining - 1)
    chunks.removeSubrange((chunk + 1)...)
    if offset + 1 < chunks[chunk].count { chunks[chunk] = chunks[chunk].part(0..<offset + 1) }
    updateStarts(from: chunk)
  }

  /// - Parameter first: The first chunk whose rows or start changed.
  private mutating func updateStarts(from first: Int) {
    let startCount = Swift.max(0, chunks.count - 1)
    starts.removeSubrange(Swift.min(first, starts.count, startCount)...)
    starts.reserveCapacity(startCount)
    var end = starts.last ?? 0
    for chunk in chunks.indices[starts.count...] {
      end += chunks[chunk].count
      if chunk < startCount { starts.append(end) }
    }
    count = end
  }
}

extension [Int] {
  /// The index of the first element that is greater than the value, in an ascending array. O(log count).
  fileprivate func firstIndex(after value: Int) -> Int {
    var range = 0..<count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range = self[middle] > value ? range.lowerBound..<middle : middle + 1..<range.upperBound
    }
    return range.lowerBound
  }
}
