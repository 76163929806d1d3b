/// What a consumer of a long list wants to have of it, by positions in what it was shown.
struct LongDemand: Sendable {
  /// A row that it was shown, and where.
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

  init(visible: Range<Int>, wanted: Range<Int>, anchor: Anchor? = nil) {
    self.visible = visible
    self.wanted = wanted
    self.anchor = anchor
  }

  /// The positions that are wanted, once rows came or went before the anchor.
  ///
  /// Who looks at the first row sees the rows that come before it.
  ///
  /// - Parameter shift: How far the anchor has moved.
  func wanted(shiftedBy shift: Int) -> [Range<Int>] {
    let shifted = max(0, wanted.lowerBound + shift)..<max(0, wanted.upperBound + shift)
    return visible.lowerBound == 0 && shift > 0 ? [wanted, shifted] : [shifted]
  }
}
