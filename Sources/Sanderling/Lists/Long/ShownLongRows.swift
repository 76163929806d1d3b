/// The rows that a long list shows, and the positions that are looked at.
@MainActor
final class ShownLongRows<Element: Sendable>: ShownPublication<LongSnapshot<Element>> {
  private(set) var shift = 0
  /// The positions that are looked at.
  private(set) var visible: Range<Int>
  /// Passes the demand to the query.
  var onDemand: (LongDemand) -> Void = { _ in }
  /// How far the positions that are looked at moved last.
  private var speed = 0
  /// Positions that were looked at in this turn of the main actor; nil for none.
  private var accessed: Range<Int>?
  private var isShownExplicitly = false
  /// The last inquiry that moved the positions that are looked at; zero for none.
  private var jump: UInt64 = 0
  /// The target of the last jump, minus the ``shift`` of that moment. Adding a later shift gives its present position.
  private var jumpStart = 0

  init(visible: Range<Int>) {
    self.visible = visible
    super.init(.unread)
  }

  override func replace(with newest: LongSnapshot<Element>) {
    let position = LongChange(from: published, to: newest).position(after: visible.lowerBound)
    changeContent {
      published = newest
      if newest.content.jump.inquiry > jump {
        (jump, visible) = newest.content.jump
        (speed, jumpStart) = (0, visible.lowerBound - shift)
      } else if visible.lowerBound > 0, position != visible.lowerBound {
        // A viewer at the first row sees the rows that are inserted before it.
        shift += position - visible.lowerBound
        visible = position..<position + visible.count
      }
    }
    // The rows around are included: the visible rows may have moved otherwise than the query assumed, if the anchor was
    // deleted.
    let around = max(0, visible.lowerBound - visible.count)..<visible.upperBound + visible.count
    if !isLoaded(around.moved(into: newest.positions)) { demand(ahead: 0) }
  }

  /// The present position of the row that an inquiry found.
  ///
  /// - Parameters:
  ///    - position: The position in the answer.
  ///    - answer: The inquiry, and the position to be shown first at that moment.
  func position(_ position: Int, of answer: (inquiry: UInt64, first: Int)) -> Int {
    jump == answer.inquiry ? jumpStart + shift + position - answer.first : position
  }

  private func isLoaded(_ positions: Range<Int>) -> Bool {
    var position = positions.lowerBound
    while position < positions.upperBound {
      guard let piece = published.piece(at: position) else { return false }
      position = piece.range.upperBound
    }
    return true
  }

  func show(_ positions: Range<Int>) {
    isShownExplicitly = true
    change(to: positions)
  }

  /// Notes that a position is looked at.
  func noteAccess(_ position: Int) {
    if isShownExplicitly || position < 0 || position >= SelectStatement.mostRows { return }
    if let accessed {
      self.accessed = min(accessed.lowerBound, position)..<max(accessed.upperBound, position + 1)
      return
    }
    accessed = position..<position + 1
    Task { @MainActor [weak self] in self?.takeAccessed() }
  }

  private func takeAccessed() {
    guard let range = accessed.take() else { return }
    // A view that updates one of its rows looks at that alone.
    if visible.contains(range.lowerBound), visible.contains(range.upperBound - 1) { return }
    change(to: range)
  }

  private func change(to positions: Range<Int>) {
    let moved = positions.lowerBound - visible.lowerBound
    visible = positions
    speed = abs(moved) < 4 * positions.count ? moved : 0
    // The rows that will pass in the next frames at this speed.
    demand(ahead: min(8 * visible.count, 4 * abs(speed)))
  }

  /// Asks for the visible rows, as many before and after them, and more in the direction in which they move.
  private func demand(ahead: Int) {
    let around = max(visible.count, 8)
    let lower = visible.lowerBound - around - (speed < 0 ? ahead : 0)
    let upper = visible.upperBound + around + (speed > 0 ? ahead : 0)
    onDemand(
      LongDemand(
        visible: visible, wanted: max(0, lower)..<upper, anchor: published.content.anchor(near: visible.lowerBound),
        jump: jump))
  }
}

extension Range<Int> {
  /// The range, moved back if it exceeds the last position.
  fileprivate func moved(into positions: Range<Int>) -> Range<Int> {
    let lower = Swift.max(0, Swift.min(lowerBound, positions.upperBound - count))
    return (lower..<lower + count).clamped(to: positions)
  }
}
