/// An array in chunks. Copies share their chunks, and a change copies the list of chunks and one or two of them.
///
/// Chunks are never empty.
struct ChunkedArray<Value> {
  /// How many values a chunk has at most.
  static var capacity: Int { 64 }

  private(set) var chunks: [[Value]] = []
  /// For each chunk how many values there are up to its end.
  private var ends: [Int] = []

  init() {}

  init(_ values: some Sequence<Value>) {
    append(contentsOf: values)
  }

  private init(chunks: [[Value]]) {
    self.chunks = chunks
    updateEnds(from: 0)
  }

  var count: Int { ends.last ?? 0 }

  /// Where a value lies. O(log chunks).
  ///
  /// - Precondition: There is a value at the position.
  func location(of position: Int) -> (chunk: Int, offset: Int) {
    let chunk = ends.firstIndex(after: position)
    return (chunk, position - start(ofChunk: chunk))
  }

  func start(ofChunk chunk: Int) -> Int {
    chunk == 0 ? 0 : ends[chunk - 1]
  }

  subscript(position: Int) -> Value {
    get {
      let (chunk, offset) = location(of: position)
      return chunks[chunk][offset]
    }
    set {
      let (chunk, offset) = location(of: position)
      chunks[chunk][offset] = newValue
    }
  }
}

// MARK: - Changes

extension ChunkedArray {
  /// Inserts a value before the one at the position, or at the end.
  mutating func insert(_ value: Value, at position: Int) {
    if position == count {
      append(value)
      return
    }
    var (chunk, offset) = location(of: position)
    if chunks[chunk].count == Self.capacity {
      split(chunk)
      if offset > chunks[chunk].count {
        offset -= chunks[chunk].count
        chunk += 1
      }
    }
    chunks[chunk].insert(value, at: offset)
    updateEnds(from: chunk)
  }

  /// Removes the value at a position.
  mutating func remove(at position: Int) {
    let (chunk, offset) = location(of: position)
    chunks[chunk].remove(at: offset)
    if chunks[chunk].isEmpty {
      chunks.remove(at: chunk)
      updateEnds(from: chunk)
    } else {
      updateEnds(from: mergeIfSmall(chunk))
    }
  }

  /// Appends values, which fill the last chunk and then whole ones, each as large as it has to be.
  mutating func append(contentsOf values: some Sequence<Value>) {
    let first = max(0, chunks.count - 1)
    var remaining = Array(values)[...]
    let room = chunks.last.map { Self.capacity - $0.count } ?? 0
    if room > 0 {
      chunks[chunks.count - 1] += remaining.prefix(room)
      remaining = remaining.dropFirst(room)
    }
    while !remaining.isEmpty {
      chunks.append(Array(remaining.prefix(Self.capacity)))
      remaining = remaining.dropFirst(Self.capacity)
    }
    updateEnds(from: first)
  }

  /// Removes values from the end. O(chunks).
  mutating func removeLast(_ removed: Int) {
    guard removed > 0 else { return }
    let remaining = count - removed
    guard remaining > 0 else {
      self = ChunkedArray()
      return
    }
    let (chunk, offset) = location(of: remaining - 1)
    chunks.removeSubrange((chunk + 1)...)
    if offset + 1 < chunks[chunk].count { chunks[chunk] = Array(chunks[chunk][...offset]) }
    updateEnds(from: chunk)
  }

  private mutating func append(_ value: Value) {
    let last = chunks.count - 1
    if last >= 0, chunks[last].count < Self.capacity {
      chunks[last].append(value)
      ends[last] += 1
    } else {
      chunks.append([value])
      ends.append(count + 1)
    }
  }

  private mutating func split(_ chunk: Int) {
    let values = chunks[chunk]
    let middle = values.count / 2
    chunks.replaceSubrange(chunk...chunk, with: [Array(values[..<middle]), Array(values[middle...])])
    ends.insert(0, at: chunk)
    updateEnds(from: chunk)
  }

  /// Joins a chunk that has become small with a neighbour, if both leave room for more.
  ///
  /// - Returns: The first chunk that changed.
  private mutating func mergeIfSmall(_ chunk: Int) -> Int {
    guard chunks[chunk].count <= Self.capacity / 4, chunks.count > 1 else { return chunk }
    let first = chunk == 0 ? 0 : chunk - 1
    guard chunks[first].count + chunks[first + 1].count <= Self.capacity * 3 / 4 else { return chunk }
    let second = chunks.remove(at: first + 1)
    chunks[first] += second
    return first
  }

  private mutating func updateEnds(from chunk: Int) {
    ends.removeSubrange(min(chunk, ends.count)...)
    ends.reserveCapacity(chunks.count)
    var end = ends.last ?? 0
    for chunk in chunks[chunk...] {
      end += chunk.count
      ends.append(end)
    }
  }
}

// MARK: - Sharing

extension ChunkedArray {
  /// The chunks that hold a part of the values, and where the part begins in them. O(chunks); the values are shared.
  func chunks(holding range: Range<Int>) -> (array: ChunkedArray, start: Int) {
    guard !range.isEmpty else { return (ChunkedArray(), 0) }
    let first = location(of: range.lowerBound).chunk
    let last = location(of: range.upperBound - 1).chunk
    if first == 0, last == chunks.count - 1 { return (self, range.lowerBound) }
    return (ChunkedArray(chunks: Array(chunks[first...last])), range.lowerBound - start(ofChunk: first))
  }

  /// A part of the values. O(values).
  func array(in range: Range<Int>) -> [Value] {
    guard !range.isEmpty else { return [] }
    var (chunk, offset) = location(of: range.lowerBound)
    var result: [Value] = []
    result.reserveCapacity(range.count)
    while result.count < range.count {
      let end = min(chunks[chunk].count, offset + range.count - result.count)
      result += chunks[chunk][offset..<end]
      chunk += 1
      offset = 0
    }
    return result
  }
}

extension Array {
  /// What tells the array's storage from that of all others that exist at the same time, except empty ones.
  var storageIdentity: UInt {
    withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
  }
}

extension ChunkedArray: Sendable where Value: Sendable {}

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
