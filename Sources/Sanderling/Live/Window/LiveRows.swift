/// The rows of a live list at one moment: an immutable collection, whose copies and successors share their storage.
///
/// A row is reached in O(log rows); going through all takes O(rows).
public struct LiveRows<Value: Sendable>: Sendable {
  private var storage: ChunkedArray<LiveRow<Value>>
  /// Which of the stored rows these are. Others lie in the first and the last chunk only.
  private var bounds: Range<Int>

  /// No rows.
  public init() {
    self.init(ChunkedArray())
  }

  init(_ rows: some Sequence<LiveRow<Value>>) {
    self.init(ChunkedArray(rows))
  }

  private init(_ storage: ChunkedArray<LiveRow<Value>>) {
    self.storage = storage
    bounds = 0..<storage.count
  }
}

extension LiveRows: RandomAccessCollection {
  public typealias Element = LiveRow<Value>

  public var startIndex: Int { 0 }
  public var endIndex: Int { bounds.count }

  public subscript(position: Int) -> LiveRow<Value> {
    precondition(position >= 0 && position < bounds.count, "There is no row at this position")
    return storage[bounds.lowerBound + position]
  }

  public func makeIterator() -> Iterator {
    Iterator(cursor: cursor(at: 0))
  }

  /// Goes through the rows chunk by chunk.
  public struct Iterator: IteratorProtocol {
    fileprivate var cursor: Cursor

    public mutating func next() -> LiveRow<Value>? {
      guard cursor.position < cursor.end else { return nil }
      defer { cursor.advance() }
      return cursor.row
    }
  }
}

extension LiveRows: Equatable where Value: Equatable {
  public static func == (lhs: LiveRows, rhs: LiveRows) -> Bool {
    lhs.count == rhs.count && lhs.elementsEqual(rhs)
  }
}

// MARK: - Changes

extension LiveRows {
  /// O(chunks), as all single changes.
  mutating func insert(_ row: LiveRow<Value>, at position: Int) {
    dropHidden()
    storage.insert(row, at: position)
    bounds = 0..<storage.count
  }

  @discardableResult
  mutating func remove(at position: Int) -> LiveRow<Value> {
    dropHidden()
    defer { bounds = 0..<storage.count }
    return storage.remove(at: position)
  }

  mutating func replace(at position: Int, with row: LiveRow<Value>) {
    precondition(position >= 0 && position < bounds.count, "There is no row at this position")
    storage[bounds.lowerBound + position] = row
  }

  mutating func append(contentsOf rows: some Sequence<LiveRow<Value>>) {
    dropHidden()
    storage.append(contentsOf: rows)
    bounds = 0..<storage.count
  }

  mutating func removeLast(_ removed: Int) {
    dropHidden()
    storage.removeLast(removed)
    bounds = 0..<storage.count
  }

  /// Some of the rows, sharing their storage. O(1) when they touch all chunks, otherwise O(chunks).
  func slice(_ range: Range<Int>) -> LiveRows {
    let (array, start) = storage.chunks(
      holding: bounds.lowerBound + range.lowerBound..<bounds.lowerBound + range.upperBound)
    var result = LiveRows(array)
    result.bounds = start..<start + range.count
    return result
  }

  /// The first rows, at most `count`, sharing their storage.
  func prefixRows(_ count: Int) -> LiveRows {
    slice(0..<Swift.min(count, bounds.count))
  }

  /// Makes a slice a list of its own, so that positions in it are positions in the storage.
  private mutating func dropHidden() {
    if bounds.upperBound < storage.count { storage.removeLast(storage.count - bounds.upperBound) }
    if bounds.lowerBound > 0 { self = LiveRows(Array(self)) }
  }
}

// MARK: - Identities

extension LiveRows {
  func id(at position: Int) -> RowID {
    let (chunk, offset) = storage.location(of: bounds.lowerBound + position)
    return storage.chunks[chunk][offset].id
  }

  /// The position of the row with a key. O(rows).
  func position(of key: RowKey) -> Int? {
    var start = -bounds.lowerBound
    for chunk in storage.chunks {
      if let offset = chunk.firstIndex(where: { $0.id.key == key }) {
        let position = start + offset
        return (0..<bounds.count).contains(position) ? position : nil
      }
      start += chunk.count
    }
    return nil
  }
}

// MARK: - Chunks

extension LiveRows {
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
      let count = Swift.min(cursor.remainingInChunk, range.upperBound - cursor.position)
      runs.append(
        Run(identity: cursor.identity, position: cursor.position, offsets: cursor.offset..<cursor.offset + count))
      cursor.advance(by: count)
    }
    return runs
  }

  /// The identities of all chunks.
  var chunkIdentities: [UInt] { runs(in: 0..<count).map(\.identity) }

  func cursor(at position: Int) -> Cursor {
    Cursor(storage: storage, bounds: bounds, position: position)
  }

  /// A place among the rows, which moves in O(1).
  struct Cursor {
    private let storage: ChunkedArray<LiveRow<Value>>
    private let bounds: Range<Int>
    private var chunk = 0
    private(set) var offset = 0
    private(set) var position: Int

    var end: Int { bounds.count }

    fileprivate init(storage: ChunkedArray<LiveRow<Value>>, bounds: Range<Int>, position: Int) {
      self.storage = storage
      self.bounds = bounds
      self.position = position
      if (0..<bounds.count).contains(position) { (chunk, offset) = storage.location(of: bounds.lowerBound + position) }
    }

    var row: LiveRow<Value> { storage.chunks[chunk][offset] }

    var identity: UInt { storage.identity(ofChunk: chunk) }

    /// How many rows lie in the chunk from here on.
    var remainingInChunk: Int { Swift.min(storage.chunks[chunk].count - offset, bounds.count - position) }

    /// How many rows lie in the chunk up to and including this one.
    var precedingInChunk: Int { Swift.min(offset, position) + 1 }

    /// - Precondition: Goes no further than to the beginning of the next chunk.
    mutating func advance(by count: Int = 1) {
      position += count
      offset += count
      if offset == storage.chunks[chunk].count {
        chunk += 1
        offset = 0
      }
    }

    /// - Precondition: Goes no further than to the end of the chunk before.
    mutating func retreat(by count: Int = 1) {
      position -= count
      offset -= count
      if offset < 0, chunk > 0 {
        chunk -= 1
        offset = storage.chunks[chunk].count - 1
      }
    }
  }
}
