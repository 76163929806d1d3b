/// The rows of a long list that a consumer wants.
struct LongDemand: Sendable {
  /// A loaded row and its position.
  struct Anchor: Sendable {
    let row: RowStamp
    let position: Int
  }

  /// The positions that are looked at.
  var visible: Range<Int>
  /// The visible positions, and others that may become visible next.
  var wanted: Range<Int>
  /// The row that moves the positions when rows come or go before it; nil before anything was shown.
  var anchor: Anchor?
  /// The last inquiry that moved the visible positions; zero for none.
  var jump: UInt64 = 0
  /// Identifies the demand among those of its list.
  var number: UInt64 = 0

  /// The same demand after rows came or went before the anchor. At the first row, the demand stays there and shows new
  /// rows before it.
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
  /// The range so far on, or as far as there are positions.
  fileprivate func moved(by distance: Int) -> Range<Int> {
    Swift.max(0, lowerBound + distance)..<Swift.max(0, upperBound + distance)
  }
}
