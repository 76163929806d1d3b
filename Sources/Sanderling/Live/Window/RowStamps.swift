/// The identities and versions of a list's rows, apart from its elements.
///
/// Only these are needed to compare and find rows, in code that isn't generic. Code that is generic over elements isn't
/// specialized for types of other modules, and takes several times as long.
struct RowStamps: Sendable {
  private(set) var storage: StampChunks
  /// The range of these rows among the stored ones. Other rows are in the first and the last chunk only.
  private(set) var bounds: Range<Int>

  init(_ storage: StampChunks = StampChunks()) {
    self.storage = storage
    bounds = 0..<storage.count
  }

  var count: Int { bounds.count }

  subscript(position: Int) -> RowStamp {
    let (chunk, offset) = storage.location(of: bounds.lowerBound + position)
    return storage.chunks[chunk].stamp(offset)
  }

  /// Some of the rows, in shared storage, and the chunks that contain them. O(1) when they touch all chunks, otherwise
  /// O(chunks).
  func slice(_ range: Range<Int>) -> (stamps: RowStamps, chunks: Range<Int>) {
    let (chunks, start) = storage.chunks(holding: range.shifted(by: bounds.lowerBound))
    var result = RowStamps(storage[chunks])
    result.bounds = start..<start + range.count
    return (result, chunks)
  }

  /// Changes rows that are not a slice.
  mutating func change<Result>(_ body: (inout StampChunks) -> Result) -> Result {
    assert(bounds == 0..<storage.count)
    defer { bounds = 0..<storage.count }
    return body(&storage)
  }
}

extension Range<Int> {
  func shifted(by distance: Int) -> Range<Int> { lowerBound + distance..<upperBound + distance }
}

extension RowStamps: Equatable {
  /// Whether the rows have equal identities and versions. O(chunks), and O(rows) in chunks that the two don't share.
  static func == (one: RowStamps, other: RowStamps) -> Bool {
    guard one.count == other.count else { return false }
    var (left, right) = (one.cursor(at: 0), other.cursor(at: 0))
    while left.position < one.count {
      let count = min(left.remainingInChunk, right.remainingInChunk)
      if !left.isShared(with: right) {
        for offset in 0..<count where !left.isEqual(to: right, after: offset) { return false }
      }
      left.advance(by: count)
      right.advance(by: count)
    }
    return true
  }
}

// MARK: - Chunks

extension RowStamps {
  /// Rows of the list that are adjacent in one chunk.
  struct Run {
    /// Equal for runs that share their chunk.
    let identity: UInt
    /// The position of the first row in the list.
    let position: Int
    /// The offsets of the rows in the chunk.
    let offsets: Range<Int>
  }

  /// The runs of a range of rows, one for each chunk that contains some. O(chunks).
  func runs(in range: Range<Int>) -> [Run] {
    var runs: [Run] = []
    var cursor = cursor(at: range.lowerBound)
    while cursor.position < range.upperBound {
      let count = min(cursor.remainingInChunk, range.upperBound - cursor.position)
      runs.append(
        Run(identity: cursor.identity, position: cursor.position, offsets: cursor.offset..<cursor.offset + count))
      cursor.advance(by: count)
    }
    return runs
  }

  func cursor(at position: Int) -> Cursor {
    Cursor(self, at: position)
  }

  /// A position among the rows, which moves in O(1).
  struct Cursor {
    private let chunks: FewElements<StampChunk>
    private let rowCount: Int
    private var index = 0
    /// The number of rows in the current chunk; 0 after the last one.
    private var chunkCount = 0
    /// The identity of the current chunk; 0 after the last one.
    private(set) var identity: UInt = 0
    private(set) var offset = 0
    private(set) var position: Int

    fileprivate init(_ rows: RowStamps, at position: Int) {
      chunks = rows.storage.chunks
      rowCount = rows.count
      self.position = position
      guard (0..<rows.count).contains(position) else { return }
      let (chunk, offset) = rows.storage.location(of: rows.bounds.lowerBound + position)
      move(to: chunk)
      self.offset = offset
    }

    /// The row's identity by its place in its chunk. It retains the chunk.
    var identityKey: RowIdentity { RowIdentity(chunk: chunks[index], offset: offset) }

    var key: RowKey { chunks[index].key(offset) }

    var version: UInt64 { chunks[index].version(offset) }

    func hasSameKey(as other: Cursor) -> Bool {
      chunks[index].hasSameKey(offset, as: other.chunks[other.index], other.offset)
    }

    /// Whether the cursors are at the same place of a shared chunk.
    func isShared(with other: Cursor) -> Bool { offset == other.offset && identity == other.identity }

    /// Whether the rows at a distance after both cursors have the same identity and version.
    func isEqual(to other: Cursor, after distance: Int) -> Bool {
      let (one, another) = (chunks[index], other.chunks[other.index])
      return one.version(offset + distance) == another.version(other.offset + distance)
        && one.hasSameKey(offset + distance, as: another, other.offset + distance)
    }

    /// The number of rows in the chunk from this one on.
    var remainingInChunk: Int { min(chunkCount - offset, rowCount - position) }

    /// The number of rows in the chunk up to and including this one.
    var precedingInChunk: Int { min(offset, position) + 1 }

    /// - Precondition: Goes no further than to the beginning of the next chunk.
    mutating func advance(by count: Int = 1) {
      position += count
      offset += count
      if offset == chunkCount { move(to: index + 1) }
    }

    /// - Precondition: Goes no further than to the end of the previous chunk.
    mutating func retreat(by count: Int = 1) {
      position -= count
      offset -= count
      if offset < 0 {
        move(to: index - 1)
        offset = chunkCount - 1
      }
    }

    private mutating func move(to newIndex: Int) {
      index = newIndex
      let exists = chunks.indices.contains(index)
      chunkCount = exists ? chunks[index].count : 0
      identity = exists ? chunks[index].identity : 0
      offset = 0
    }
  }
}

/// The identity of a row, by its place in its chunk.
struct RowIdentity: Hashable {
  let chunk: StampChunk
  let offset: Int

  static func == (one: RowIdentity, other: RowIdentity) -> Bool {
    one.chunk.hasSameKey(one.offset, as: other.chunk, other.offset)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(chunk.entries[offset].hash)
  }
}
