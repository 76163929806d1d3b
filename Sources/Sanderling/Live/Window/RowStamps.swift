/// What tells a row of a live list from others, and one state of it from another.
struct RowStamp: Hashable, Sendable {
  let id: RowID
  /// Differs when the row's element does.
  let version: UInt64

  static func == (one: RowStamp, other: RowStamp) -> Bool {
    // The cheaper one first.
    one.version == other.version && one.id == other.id
  }
}

/// The identities and versions of a list's rows, apart from its elements.
///
/// Rows are compared and searched for by these alone, in code that isn't generic: that of elements isn't specialized for types of
/// other modules, and takes several times as long.
struct RowStamps: Sendable {
  private(set) var storage: ChunkedArray<RowStamp>
  /// Which of the stored rows these are. Others lie in the first and the last chunk only.
  private(set) var bounds: Range<Int>

  init(_ storage: ChunkedArray<RowStamp> = ChunkedArray()) {
    self.storage = storage
    bounds = 0..<storage.count
  }

  var count: Int { bounds.count }

  subscript(position: Int) -> RowStamp { storage[bounds.lowerBound + position] }

  /// The position of the row with a key. O(rows).
  func position(of key: RowKey) -> Int? {
    var start = -bounds.lowerBound
    for chunk in storage.chunks {
      if let offset = chunk.firstIndex(where: { $0.id.key == key }) {
        let position = start + offset
        return (0..<count).contains(position) ? position : nil
      }
      start += chunk.count
    }
    return nil
  }

  /// Some of the rows, sharing their storage. O(1) when they touch all chunks, otherwise O(chunks).
  func slice(_ range: Range<Int>) -> RowStamps {
    let (chunks, start) = storage.chunks(holding: range.shifted(by: bounds.lowerBound))
    var result = RowStamps(chunks)
    result.bounds = start..<start + range.count
    return result
  }

  /// Makes a change to rows that are no slice.
  mutating func change(_ body: (inout ChunkedArray<RowStamp>) -> Void) {
    assert(bounds == 0..<storage.count)
    body(&storage)
    bounds = 0..<storage.count
  }
}

extension Range<Int> {
  func shifted(by distance: Int) -> Range<Int> { lowerBound + distance..<upperBound + distance }
}

extension RowStamps: Equatable {
  /// O(chunks), and O(rows) in those that the two don't share.
  static func == (one: RowStamps, other: RowStamps) -> Bool {
    guard one.count == other.count else { return false }
    var (left, right) = (one.cursor(at: 0), other.cursor(at: 0))
    while left.position < one.count {
      let count = min(left.remainingInChunk, right.remainingInChunk)
      if left.identity != right.identity || left.offset != right.offset {
        guard left.rows(count).elementsEqual(right.rows(count)) else { return false }
      }
      left.advance(by: count)
      right.advance(by: count)
    }
    return true
  }
}

// MARK: - Chunks

extension RowStamps {
  /// A part of the rows that lie in one chunk.
  struct Run {
    /// The same for runs that share their chunk.
    let identity: UInt
    /// The position of the first row in the list.
    let position: Int
    /// Which rows of the chunk they are.
    let offsets: Range<Int>
  }

  /// The parts of a range of rows, one for each chunk that holds some. O(chunks).
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

  /// A place among the rows, which moves in O(1).
  struct Cursor {
    private let chunks: [[RowStamp]]
    private let rowCount: Int
    private var index = 0
    /// The chunk at hand; empty behind the last one.
    private var chunk: [RowStamp] = []
    private(set) var offset = 0
    private(set) var position: Int

    fileprivate init(_ rows: RowStamps, at position: Int) {
      chunks = rows.storage.chunks
      rowCount = rows.count
      self.position = position
      guard (0..<rows.count).contains(position) else { return }
      (index, offset) = rows.storage.location(of: rows.bounds.lowerBound + position)
      chunk = chunks[index]
    }

    var row: RowStamp { chunk[offset] }

    /// The next rows of the chunk.
    func rows(_ count: Int) -> ArraySlice<RowStamp> { chunk[offset..<offset + count] }

    var identity: UInt { chunk.storageIdentity }

    /// How many rows lie in the chunk from here on.
    var remainingInChunk: Int { min(chunk.count - offset, rowCount - position) }

    /// How many rows lie in the chunk up to and including this one.
    var precedingInChunk: Int { min(offset, position) + 1 }

    /// - Precondition: Goes no further than to the beginning of the next chunk.
    mutating func advance(by count: Int = 1) {
      position += count
      offset += count
      if offset == chunk.count { move(to: index + 1) }
    }

    /// - Precondition: Goes no further than to the end of the chunk before.
    mutating func retreat(by count: Int = 1) {
      position -= count
      offset -= count
      if offset < 0 {
        move(to: index - 1)
        offset = chunk.count - 1
      }
    }

    private mutating func move(to newIndex: Int) {
      index = newIndex
      chunk = chunks.indices.contains(index) ? chunks[index] : []
      offset = 0
    }
  }
}
