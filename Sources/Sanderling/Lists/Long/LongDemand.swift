/// The rows of a long list that a consumer wants.
struct LongDemand: Sendable {
  /// A loaded row and its position.
  struct Anchor: Sendable {
    let row: RowStamp
    let position: Int
  }

  /// The visible positions.
  var visible: Range<Int>
  /// The positions to load: the visible ones, and others that may become visible next.
  var wanted: Range<Int>
  /// The row whose position the demand follows when rows before it are inserted or deleted; nil before the first load.
  var anchor: Anchor?
  /// The ID of the last inquiry that moved the visible positions; zero for none.
  var jump: UInt64 = 0
  /// A number that identifies the demand within its list.
  var number: UInt64 = 0

  /// The same demand after rows were inserted or deleted before the anchor. A demand at the first row stays there, and
  /// so shows rows that are inserted before it.
  ///
  /// - Parameter position: The anchor's present position; nil if it isn't known.
  func moved(anchorTo position: Int?) -> LongDemand {
    guard let anchor, let position, position != anchor.position, visible.lowerBound > 0 else { return self }
    var moved = self
    moved.visible = visible.moved(by: position - anchor.position)
    moved.wanted = wanted.moved(by: position - anchor.position)
    moved.anchor = Anchor(row: anchor.row, position: position)
    return moved
  }
}

extension Range<Int> {
  /// The range moved by a distance, with bounds of at least 0.
  fileprivate func moved(by distance: Int) -> Range<Int> {
    Swift.max(0, lowerBound + distance)..<Swift.max(0, upperBound + distance)
  }
}
