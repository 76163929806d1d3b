/// The shown rows of a long list, and its visible positions.
@MainActor
final class ShownLongRows<Element: Sendable>: ShownPublication<LongSnapshot<Element>> {
  private(set) var shift = 0
  /// The visible positions.
  private(set) var visible: Range<Int>
  /// Passes the demand to the query.
  var onDemand: (LongDemand) -> Void = { _ in }
  /// The distance of the last move of the visible positions.
  private var speed = 0
  /// The positions that were accessed in this turn of the main actor; nil for none.
  private var accessed: Range<Int>?
  private var isShownExplicitly = false
  /// The ID of the last inquiry that moved the visible positions; zero for none.
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
        // At the first row, the view stays and shows rows that are inserted before it.
        shift += position - visible.lowerBound
        visible = position..<position + visible.count
      }
    }
    // The check includes the rows around. If the anchor was deleted, the visible rows may have moved otherwise than the
    // query assumed.
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

  /// Records an access to a position.
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
    // A view that updates one visible row accesses that row alone.
    if visible.contains(range.lowerBound), visible.contains(range.upperBound - 1) { return }
    change(to: range)
  }

  private func change(to positions: Range<Int>) {
    let moved = positions.lowerBound - visible.lowerBound
    visible = positions
    speed = abs(moved) < 4 * positions.count ? moved : 0
    // Loads ahead the rows that will pass in the next frames at this speed.
    demand(ahead: min(8 * visible.count, 4 * abs(speed)))
  }

  /// Requests the visible rows, as many before and after them, and more in the direction of their move.
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
