/// What a consumer of a long list wants to have of it.
struct LongDemand: Sendable {
  /// A loaded row, and where it is.
  struct Anchor: Sendable {
    let row: RowStamp
    let position: Int
  }

  /// The positions that are looked at.
  var visible: Range<Int>
  /// Those, and others that may be looked at next.
  var wanted: Range<Int>
  /// What moves the positions when rows come and go before it; nil while nothing was shown.
  var anchor: Anchor?
  /// The last inquiry that moved what is looked at; zero for none.
  var jump: UInt64 = 0
  /// What tells it from others of its list.
  var number: UInt64 = 0

  /// The same at the positions that it has once rows came or went before the anchor. Who looks at the first row sees what comes before it.
  ///
  /// - Parameter position: Where the anchor is now; nil where that isn't known.
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
