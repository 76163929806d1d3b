import Sanderling

/// The browsed rows in their arrangement, and the chosen row among them.
///
/// There is one list of all rows, and at most one list of matches or of rows in another order. While its first rows are
/// read, the former rows stay visible.
@MainActor
final class BrowsedList {
  private let table: BrowsedTable
  private let all: LongList<BrowsedRow>
  /// The list that is visible, or becomes visible once it has rows.
  private(set) var list: LongList<BrowsedRow>
  private(set) var arrangement = BrowsedArrangement()
  /// The arrangement to return to if SQLite can't sort the rows in the chosen order.
  private var formerArrangement = BrowsedArrangement()
  /// The rows that stay visible until the list has its first rows.
  private var former: LongSnapshot<BrowsedRow>?
  /// The key of the chosen row when the former rows were replaced; nil for the first row of the new list.
  private var formerKey: BrowsedRow.Key?
  private var arrival: Task<Void, any Error>?
  /// The task that waits for the list. A new arrangement cancels the task, since the former list may never answer.
  private var catchingUp: Task<Void, Never>?
  /// The position of the first visible row, and the distance of the chosen row from it.
  private(set) var top = 0
  private(set) var chosen = 0
  private var lastShift = 0
  /// Returns the number of rows that fit the screen.
  private let height: @MainActor () -> Int

  init(_ table: BrowsedTable, height: @escaping @MainActor () -> Int) {
    self.table = table
    self.height = height
    all = table.store.longList(table.query(BrowsedArrangement()), visible: height())
    list = all
  }

  /// The visible rows. The screen keeps its rows while rows before them come and go.
  var current: LongSnapshot<BrowsedRow> {
    if let former { return former }
    let snapshot = list.current
    let moved = list.shift - lastShift
    lastShift += moved
    if top > 0 { top += moved }
    place(in: snapshot)
    return snapshot
  }

  /// The number of all rows, with or without a search.
  var total: RowCount { RowCount(all.current) }

  /// Whether the rows of an arrangement are still to come.
  var isArriving: Bool { former != nil }

  /// Whether rows in another order are still to come.
  var isReordering: Bool { former != nil && arrangement.order != formerArrangement.order }

  /// The order of the visible rows.
  var formerOrder: BrowsedArrangement.Order? { former == nil ? arrangement.order : formerArrangement.order }

  /// Whether the positions of the visible rows are counted, and no estimates.
  var isExact: Bool {
    let snapshot = current
    return min(snapshot.positions.upperBound, top + height()) <= snapshot.exactPositions.upperBound
  }

  private func place(in snapshot: LongSnapshot<BrowsedRow>) {
    // The chosen row stays chosen in a window of another size.
    let position = max(0, min(top + chosen, snapshot.positions.upperBound - 1))
    top = max(0, min(top, snapshot.positions.upperBound - height()), position - height() + 1)
    chosen = position - top
  }

  /// Waits until the list shows the noticed outside changes, fails, or another arrangement begins. The wait ends after a
  /// minute, since a dropped table may never come back.
  func caughtUp() async {
    let list = list
    let waiting = Task { _ = try? await list.caughtUp() }
    let limit = Task {
      try await Task.sleep(for: .seconds(60))
      waiting.cancel()
    }
    catchingUp = waiting
    await waiting.value
    limit.cancel()
  }

  // MARK: Moving

  /// Requests the visible rows.
  func show() {
    // The list may have moved the visible rows since the last drawing.
    _ = current
    if former == nil { list.show(top..<top + height()) }
  }

  func move(by distance: Int) {
    let last = current.positions.upperBound - 1
    let position = max(0, min(last, top + chosen + distance))
    if position < top { top = position }
    if position >= top + height() { top = position - height() + 1 }
    chosen = position - top
    noteChosen()
  }

  /// Chooses the row with a key, if it is loaded and near the visible rows.
  func choose(_ key: BrowsedRow.Key) {
    let snapshot = current
    let near = max(0, top - height())..<max(0, min(snapshot.positions.upperBound, top + 2 * height()))
    if let position = near.first(where: { (try? snapshot[$0]?.key) == key }) { move(by: position - top - chosen) }
  }

  /// The key of the chosen row; nil while it is being read, and without rows.
  var chosenKey: BrowsedRow.Key? { try? current[top + chosen]?.key }

  /// Whether there are rows, or rows are still being read.
  var mayHaveRows: Bool { current.count != 0 && current.state.error == nil }

  func moveToStart() {
    (top, chosen) = (0, 0)
    if former != nil { formerKey = nil }
  }

  /// A row that is chosen while an arrangement loads is looked for in the new list.
  private func noteChosen() {
    if let former, !former.positions.isEmpty { formerKey = try? former[top + chosen]?.key }
  }

  /// Goes to a position, and waits until the rows before it are counted.
  ///
  /// - Returns: False if there is no such position.
  /// - Throws: The error of a failed read, `CancellationError`.
  func move(to position: Int) async throws -> Bool {
    while true {
      try await arrived()
      let snapshot = current
      if snapshot.exactPositions.contains(position) { break }
      if snapshot.count != nil { return false }
      if let error = snapshot.state.error { throw error }
      try await Task.sleep(for: .milliseconds(10))
    }
    moveToStart()
    move(by: position)
    return true
  }

  func moveToEnd() async throws {
    try await go { try await $0.showEnd() }
    chosen = height() - 1
  }

  /// Waits until the rows of the arrangement are visible.
  private func arrived() async throws {
    while isArriving { try await Task.sleep(for: .milliseconds(10)) }
    try Task.checkCancellation()
  }

  /// Goes to a position that the list has to find.
  func go(_ find: (LongList<BrowsedRow>) async throws -> Int) async throws {
    try await arrived()
    let list = list
    let position = try await find(list)
    try Task.checkCancellation()
    lastShift = list.shift
    let shown = list.shownPositions
    top = shown.lowerBound
    chosen = max(0, min(position - top, height() - 1))
  }

  // MARK: Arranging

  /// Shows the rows of an arrangement. The chosen row stays chosen if it is among them. Exception: if the first row is
  /// chosen, the first row of another order is chosen.
  ///
  /// - Parameter arrived: Called once the rows are visible. Its argument is the error of an order in which the rows
  ///   can't be read. The rows then keep their former order.
  func show(_ arrangement: BrowsedArrangement, arrived: @escaping @MainActor ((any Error)?) -> Void) {
    guard arrangement != self.arrangement else { return }
    let isReordered = arrangement.order != self.arrangement.order
    if former == nil {
      former = current
      formerArrangement = self.arrangement
      noteChosen()
    }
    if isReordered, top + chosen == 0 { formerKey = nil }
    self.arrangement = arrangement
    arrival?.cancel()
    catchingUp?.cancel()
    table.wanted.end()
    let found =
      arrangement == BrowsedArrangement() ? all : table.store.longList(table.query(arrangement), visible: height())
    list = found
    arrival = Task { [weak self] in
      while found.current.commit == nil, found.state.error == nil { try await Task.sleep(for: .milliseconds(2)) }
      let position = await self?.positionOfChosen(in: found)
      try Task.checkCancellation()
      let error = found.current.commit == nil ? found.state.error : nil
      if let error, let self, arrangement.order != nil, arrangement.order != formerArrangement.order {
        var kept = arrangement
        kept.order = formerArrangement.order
        return show(kept) { arrived($0 ?? error) }
      }
      self?.arrive(at: position ?? nil)
      arrived(nil)
    }
  }

  /// Returns the position of the chosen row in a new list. The choice may change meanwhile, so the search is repeated
  /// until the key stays the same. Nil if the row isn't found; the list reports the error of a failed search.
  private func positionOfChosen(in list: LongList<BrowsedRow>) async -> Int? {
    while true {
      let key = formerKey
      let position = (try? await position(of: key, in: list)) ?? nil
      if key == formerKey { return position }
    }
  }

  /// Returns the position of a row, and has the list load it.
  private func position(of key: BrowsedRow.Key?, in list: LongList<BrowsedRow>) async throws -> Int? {
    guard let key else { return nil }
    // The row is usually among the first rows.
    let snapshot = list.current
    for position in snapshot.loadedPositions.first(where: { $0.lowerBound == 0 }) ?? 0..<0 {
      if try snapshot[position]?.key == key { return position }
    }
    do {
      return try await list.show(key: key)
    } catch is LongListError {
      return nil
    }
  }

  private func arrive(at position: Int?) {
    former = nil
    lastShift = list.shift
    let snapshot = list.current
    // The chosen row keeps its line on the screen, if enough rows lie before and after it.
    let wanted = position.map { $0 - chosen } ?? 0
    top = max(0, min(wanted, snapshot.positions.upperBound - height()))
    chosen = position.map { $0 - top } ?? 0
    place(in: snapshot)
    show()
  }

  /// Ends all reads.
  func end() {
    arrival?.cancel()
    catchingUp?.cancel()
    table.wanted.end()
  }
}
