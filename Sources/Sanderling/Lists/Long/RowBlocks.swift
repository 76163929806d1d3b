/// All rows of a query in order, in blocks of some hundred rows. Few of the blocks are loaded.
///
/// The ends of the blocks divide all possible sort keys, so that each row belongs to one block, including rows that
/// will be inserted. A block that was not counted is a gap, and its number of rows is an estimate.
struct RowBlocks<Element: Sendable> {
  struct Block {
    /// The last place that belongs to the block; nil for the last block, which is unbounded.
    var end: RowStamp?
    var count: Int
    var isGap = false
    /// All rows of the block; nil if they aren't loaded. A gap is never loaded.
    fileprivate(set) var loaded: LoadedBlock<Element>?

    init(end: RowStamp?, count: Int) {
      self.end = end
      self.count = count
    }

    init(gapUpTo end: RowStamp?, estimate: Int) {
      self.init(end: end, count: estimate)
      isGap = true
    }

    init(end: RowStamp?, _ rows: OrderedRows<Element>, _ ordering: WindowOrdering) {
      self.init(end: end, count: rows.count)
      loaded = LoadedBlock(rows, ordering)
    }
  }

  let ordering: WindowOrdering
  let sizes: BlockSizes
  private(set) var blocks: [Block]
  /// The number of rows before each block, then the number of all rows. Valid only if ``startsAreKnown``.
  private var starts: [Int] = []
  private var startsAreKnown = false
  /// The indices of loaded blocks, in order. Cached, like ``firstGap``, since there are thousands of blocks and most
  /// changes leave both alone.
  private(set) var loadedIndices: [Int] = []
  private(set) var firstGap: Int?
  /// Whether a block may have become too large since the last search.
  private(set) var mayHaveLarge = false
  private var mayHaveSmall = false

  init(_ ordering: WindowOrdering, _ sizes: BlockSizes, _ blocks: [Block]) {
    self.ordering = ordering
    self.sizes = sizes
    self.blocks = blocks
    noteStructure()
  }

  /// Updates the cached properties after the blocks were replaced.
  private mutating func noteStructure() {
    startsAreKnown = false
    loadedIndices.removeAll(keepingCapacity: true)
    firstGap = nil
    for index in blocks.indices {
      if blocks[index].loaded != nil { loadedIndices.append(index) }
      if blocks[index].isGap, firstGap == nil { firstGap = index }
      noteCount(of: index)
    }
  }

  private mutating func noteCount(of index: Int) {
    // `divideLoaded` divides loaded blocks, and loaded blocks are never joined.
    if blocks[index].loaded != nil { return }
    let count = blocks[index].count
    if count > sizes.greatest { mayHaveLarge = true } else if count < sizes.least { mayHaveSmall = true }
  }

  subscript(index: Int) -> Block { blocks[index] }

  var indices: Range<Int> { blocks.indices }

  /// The number of rows in all blocks, including the estimates of gaps.
  var count: Int {
    mutating get {
      updateStarts()
      return starts[blocks.count]
    }
  }

  /// The least number of rows: the rows of counted blocks.
  var countedCount: Int { blocks.reduce(0) { $1.isGap ? $0 : $0 + $1.count } }

  /// The number of rows before a block.
  mutating func start(of index: Int) -> Int {
    updateStarts()
    return starts[index]
  }

  private mutating func updateStarts() {
    if startsAreKnown { return }
    startsAreKnown = true
    starts.removeAll(keepingCapacity: true)
    starts.reserveCapacity(blocks.count + 1)
    var start = 0
    for index in blocks.indices {
      starts.append(start)
      start += blocks[index].count
    }
    starts.append(start)
  }
}

// MARK: - Places

extension RowBlocks {
  /// The place after which a block begins; nil for the first one.
  func beginning(of index: Int) -> RowStamp? { index == 0 ? nil : blocks[index - 1].end }

  /// The block to which a row belongs. O(log blocks).
  func index(of row: RowStamp) -> Int {
    var range = 0..<blocks.count - 1
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      let isBefore = blocks[middle].end.map { ordering.isBefore($0, row) } ?? false
      range = isBefore ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }

  /// The blocks that have rows at a range of positions. O(log blocks), and O(blocks) after a change.
  mutating func indices(at positions: Range<Int>) -> Range<Int> {
    updateStarts()
    let positions = positions.clamped(to: 0..<starts[blocks.count])
    guard !positions.isEmpty else { return 0..<0 }
    return index(at: positions.lowerBound)..<index(at: positions.upperBound - 1) + 1
  }

  /// The last block that begins at or before a position. Earlier blocks that begin at the same position are empty.
  private func index(at position: Int) -> Int {
    var range = 0..<blocks.count
    while range.count > 1 {
      let middle = range.lowerBound + range.count / 2
      range = starts[middle] <= position ? middle..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }
}

// MARK: - Changes

extension RowBlocks {
  /// Adjusts the count of a block that isn't loaded, after insertions and deletions.
  mutating func add(_ change: Int, to index: Int) {
    blocks[index].count += change
    startsAreKnown = false
    noteCount(of: index)
  }

  /// Replaces the row with a key in the loaded blocks.
  ///
  /// - Parameter row: Nil if the query doesn't have the row.
  /// - Returns: Whether the loaded rows changed.
  mutating func replace(_ key: RowKey, with row: Window<Element>.Row?) -> Bool {
    let home = row.map { index(of: $0.stamp) }
    var hasNews = false
    for index in loadedIndices {
      guard let loaded = blocks[index].loaded else { continue }
      let row = index == home ? row : nil
      if row == nil, !loaded.window.contains(key) { continue }
      if loaded.window.replace(key, with: row) { hasNews = true }
      blocks[index].count = loaded.window.count
      noteCount(of: index)
    }
    startsAreKnown = startsAreKnown && !hasNews
    return hasNews
  }

  /// Stores the rows of a block.
  mutating func load(_ index: Int, _ rows: OrderedRows<Element>) {
    blocks[index].loaded = LoadedBlock(rows, ordering)
    if !loadedIndices.contains(index) { loadedIndices = (loadedIndices + [index]).sorted() }
  }

  mutating func unload(_ index: Int) {
    blocks[index].loaded = nil
    loadedIndices.removeAll { $0 == index }
    // The unloaded block may now be joined or divided.
    noteCount(of: index)
  }

  mutating func replaceSubrange(_ range: Range<Int>, with others: [Block]) {
    blocks.replaceSubrange(range, with: others)
    noteStructure()
  }

  /// Joins small blocks with their neighbours. Loaded blocks and gaps are left alone. O(blocks).
  mutating func joinSmall() {
    guard mayHaveSmall else { return }
    mayHaveSmall = false
    var joined: [Block] = []
    joined.reserveCapacity(blocks.count)
    for block in blocks {
      if let last = joined.last, last.mayJoin, block.mayJoin, last.count + block.count <= 2 * sizes.usual,
        min(last.count, block.count) < sizes.least
      {
        joined[joined.count - 1].count += block.count
        joined[joined.count - 1].end = block.end
      } else {
        joined.append(block)
      }
    }
    guard joined.count < blocks.count else { return }
    blocks = joined
    noteStructure()
    mayHaveSmall = false
  }

  /// Divides loaded blocks that have become too large.
  mutating func divideLoaded() {
    for index in loadedIndices.reversed() {
      guard blocks[index].count > sizes.greatest, let window = blocks[index].loaded?.window else { continue }
      var parts: [Block] = []
      for start in stride(from: 0, to: window.count, by: sizes.usual) {
        let rows = window.part(after: start, count: sizes.usual)
        let isLast = start + rows.count == window.count
        let end = isLast ? blocks[index].end : window.stamp(at: start + rows.count - 1)
        parts.append(Block(end: end, rows.copy, ordering))
      }
      replaceSubrange(index..<index + 1, with: parts)
    }
  }

  /// A counted block that is too large and isn't loaded; nil if there is none. O(blocks) after a block has grown.
  mutating func findLarge() -> Int? {
    guard mayHaveLarge else { return nil }
    let found = blocks.indices.first { index in
      blocks[index].count > sizes.greatest && !blocks[index].isGap && blocks[index].loaded == nil
    }
    mayHaveLarge = found != nil
    return found
  }
}

extension RowBlocks.Block {
  fileprivate var mayJoin: Bool { loaded == nil && !isGap }
}

/// The rows of a loaded block. Only the engine's turns use it, one at a time.
final class LoadedBlock<Element: Sendable> {
  var window: Window<Element>

  init(_ rows: OrderedRows<Element>, _ ordering: WindowOrdering) {
    window = Window(ordering: ordering)
    window.reset(rows, index: nil, isComplete: true)
  }
}

/// The limits on the number of rows in a block.
package struct BlockSizes: Sendable {
  /// The number of rows in a new block.
  package var usual = 256
  /// The greatest number of rows that one slice counts, besides its limit of time.
  package var countedInSlice = Int.max
  /// Whether counting pauses after each slice until the query's rows change or a caller asks. For tests that write
  /// between slices.
  package var restsAfterSlice = false

  package init(usual: Int = 256, countedInSlice: Int = .max, restsAfterSlice: Bool = false) {
    self.usual = usual
    self.countedInSlice = countedInSlice
    self.restsAfterSlice = restsAfterSlice
  }

  /// A block with more rows than this is divided.
  var greatest: Int { 4 * usual }
  /// A block with fewer rows than this is joined to its neighbour.
  var least: Int { usual / 4 }
}
