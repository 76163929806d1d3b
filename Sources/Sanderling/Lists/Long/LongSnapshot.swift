/// The state of a long list at one moment.
struct LongContent<Element: Sendable>: Sendable {
  /// Adjacent readable rows, or one unreadable row.
  struct Piece: Sendable {
    enum Rows: Sendable {
      case readable(LiveRows<Element>)
      case unreadable(UnreadableRow)
    }

    /// The position of the first row in the list.
    let start: Int
    let rows: Rows
    let stamps: RowStamps

    var range: Range<Int> { start..<start + stamps.count }
    var isReadable: Bool { if case .readable = rows { true } else { false } }

    init(start: Int, _ rows: LiveRows<Element>) {
      self.start = start
      self.rows = .readable(rows)
      stamps = rows.stamps
    }

    init(start: Int, _ row: UnreadableRow) {
      self.start = start
      rows = .unreadable(row)
      stamps = RowStamps(StampChunks([StampChunk(row.stamp)]))
    }
  }

  /// The loaded pieces, in order and without overlaps.
  var pieces: [Piece] = []
  /// The number of positions: the counted rows, and the estimates for the gaps.
  var extent = 0
  /// The least number of rows.
  var leastCount = 0
  /// Whether the extent is the number of rows.
  var isCounted = false
  /// The end of the exact positions: the position of the first gap, or the number of rows.
  var exactEnd = 0
  /// The ID of the last inquiry that moved the visible positions, and the positions that it moved them to.
  var jump: (inquiry: UInt64, visible: Range<Int>) = (0, 0..<0)

  /// Adds loaded rows behind all other pieces.
  mutating func add(_ rows: OrderedRows<Element>, at start: Int) {
    var end = 0
    for unreadable in rows.unreadable {
      addReadable(rows.slice(end..<unreadable.position), at: start + end)
      pieces.append(Piece(start: start + unreadable.position, unreadable.row))
      end = unreadable.position + 1
    }
    addReadable(rows.slice(end..<rows.count), at: start + end)
  }

  private mutating func addReadable(_ rows: OrderedRows<Element>, at start: Int) {
    if !rows.isEmpty { pieces.append(Piece(start: start, rows.readable)) }
  }

  /// The loaded row that is nearest to a position.
  func anchor(near position: Int) -> LongDemand.Anchor? {
    let nearest = pieces.min { $0.range.distance(to: position) < $1.range.distance(to: position) }
    guard let nearest else { return nil }
    let found = nearest.range.nearest(to: position)
    return LongDemand.Anchor(row: nearest.stamps[found - nearest.start], position: found)
  }
}

extension Range<Int> {
  /// The element that is nearest to a number. The range must not be empty.
  func nearest(to number: Int) -> Int { Swift.min(Swift.max(number, lowerBound), upperBound - 1) }

  func distance(to number: Int) -> Int { abs(nearest(to: number) - number) }
}

/// A long list at one commit: its loaded rows, and the number of all rows. Immutable; copies share their storage.
///
/// The subscript returns the row at a position, or nil if the row isn't loaded.
public struct LongSnapshot<Element: Sendable>: Sendable {
  let content: LongContent<Element>
  /// The commit whose state the rows show; nil before the first rows are read.
  public let commit: Commit?
  /// The relation of the snapshot to the database: loading, current, suspended or failed.
  public let state: LiveState

  /// The number of rows of the query; nil while not all are counted.
  public var count: Int? { content.isCounted ? content.extent : nil }

  /// The least number of rows that the query has.
  public var leastCount: Int { content.leastCount }

  /// The positions of the rows. While not all rows are counted, their number is an estimate. Later snapshots correct it
  /// by insertions and removals.
  public var positions: Range<Int> { 0..<content.extent }

  /// The positions before the first row that isn't counted. Later positions are estimates.
  package var exactPositions: Range<Int> { 0..<content.exactEnd }

  /// The ranges of positions whose rows are loaded and can be read, in order.
  public var loadedPositions: [Range<Int>] { content.pieces.filter(\.isReadable).map(\.range) }

  /// The row at a position. Nil if the position isn't loaded, its row can't be read, or no such position exists. O(log
  /// pieces).
  public subscript(position: Int) -> Element? {
    guard let piece = piece(at: position), case .readable(let rows) = piece.rows else { return nil }
    return rows[position - piece.start]
  }

  /// The unreadable row at a position, if one is loaded there. An unreadable row keeps its position and is counted.
  /// O(log pieces).
  public func unreadableRow(at position: Int) -> UnreadableRow? {
    guard let piece = piece(at: position), case .unreadable(let row) = piece.rows else { return nil }
    return row
  }

  /// The positions of loaded rows that can't be read, in order. Usually there are none. O(pieces).
  public var unreadablePositions: [Int] { content.pieces.filter { !$0.isReadable }.map(\.start) }

  /// The piece that holds a position.
  func piece(at position: Int) -> LongContent<Element>.Piece? {
    let pieces = content.pieces
    var range = 0..<pieces.count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      if pieces[middle].range.contains(position) { return pieces[middle] }
      range = pieces[middle].start > position ? range.lowerBound..<middle : middle + 1..<range.upperBound
    }
    return nil
  }
}

extension LongSnapshot: LivePublication {
  static var unread: LongSnapshot { LongSnapshot(content: LongContent(), commit: nil, state: .loading) }

  func inState(_ state: LiveState) -> LongSnapshot {
    LongSnapshot(content: content, commit: commit, state: state)
  }

  func hasSameContent(as other: LongSnapshot) -> Bool {
    content.extent == other.content.extent && content.isCounted == other.content.isCounted
      && content.exactEnd == other.content.exactEnd
      && content.leastCount == other.content.leastCount && content.jump.inquiry == other.content.jump.inquiry
      && content.pieces.elementsEqual(other.content.pieces) { $0.start == $1.start && $0.stamps == $1.stamps }
  }
}
