/// What a long list has of its rows at a moment.
struct LongContent<Element: Sendable>: Sendable {
  /// Rows that lie side by side.
  struct Piece: Sendable {
    /// The position of the first one in the list.
    let start: Int
    let rows: LiveRows<Element>

    var range: Range<Int> { start..<start + rows.count }
  }

  /// In order; no two overlap.
  var pieces: [Piece] = []
  /// How many positions there are: how many rows, as far as they were counted, and an estimate for the others.
  var extent = 0
  /// How many rows there are at least.
  var leastCount = 0
  /// Whether the extent is the number of rows.
  var isCounted = false
  /// The last inquiry that moved what is looked at, and to where.
  var jump: (inquiry: UInt64, visible: Range<Int>) = (0, 0..<0)

  /// The loaded row that is nearest to a position.
  func anchor(near position: Int) -> LongDemand.Anchor? {
    let held = pieces.filter { !$0.rows.isEmpty }
    let nearest = held.min { $0.range.distance(to: position) < $1.range.distance(to: position) }
    guard let nearest else { return nil }
    let found = nearest.range.nearest(to: position)
    return LongDemand.Anchor(row: nearest.rows.stamps[found - nearest.start], position: found)
  }
}

extension Range<Int> {
  /// The element that is nearest to a number. The range isn't empty.
  func nearest(to number: Int) -> Int { Swift.min(Swift.max(number, lowerBound), upperBound - 1) }

  func distance(to number: Int) -> Int { abs(nearest(to: number) - number) }
}

/// A long list at one commit: how many rows it has, and those that are loaded. Immutable; copies share their storage.
///
/// Its elements are the rows by their positions, nil where a row isn't loaded.
public struct LongSnapshot<Element: Sendable>: Sendable {
  let content: LongContent<Element>
  /// The commit whose state the rows show; nil before the first rows are read.
  public let commit: Commit?
  /// The relation of the snapshot to the database: loading, current, suspended or failed.
  public let state: LiveState

  /// How many rows the query has; nil while they aren't all counted.
  public var count: Int? { content.isCounted ? content.extent : nil }

  /// How many rows the query has at least.
  public var leastCount: Int { content.leastCount }

  /// The positions of the rows. While not all are counted there may be more of them, or fewer; the list says later how many came or went.
  public var positions: Range<Int> { 0..<content.extent }

  /// The ranges of positions whose rows are loaded, in order.
  public var loadedPositions: [Range<Int>] { content.pieces.map(\.range) }

  /// The row at a position; nil where it isn't loaded, and where there is none. O(log pieces).
  public subscript(position: Int) -> Element? {
    piece(at: position).map { $0.rows[position - $0.start] }
  }

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
      && content.leastCount == other.content.leastCount && content.jump.inquiry == other.content.jump.inquiry
      && content.pieces.elementsEqual(other.content.pieces) { $0.start == $1.start && $0.rows.stamps == $1.rows.stamps }
  }
}
