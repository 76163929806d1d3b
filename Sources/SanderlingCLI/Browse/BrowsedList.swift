import Sanderling

/// The browsed rows, all of a table or the matches of a search, and the chosen row among them.
///
/// There is one list of all rows, and at most one list of matches. While the first matches are read, the former rows
/// stay visible.
@MainActor
final class BrowsedList {
  private let table: BrowsedTable
  private let all: LongList<BrowsedRow>
  /// The list that is visible, or becomes visible once it has rows.
  private(set) var list: LongList<BrowsedRow>
  private(set) var search: BrowsedSearch?
  /// The rows that stay visible until the list has its first rows.
  private var former: LongSnapshot<BrowsedRow>?
  /// The key of the chosen row when the former rows were replaced; nil for the first row of the new list.
  private var formerKey: BrowsedRow.Key?
  private var arrival: Task<Void, any Error>?
  /// The task that waits for the list. A new search cancels the task, since the list that it replaces may never answer.
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
    all = table.store.longList(table.query, visible: height())
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

  /// Whether the rows of a search are still to come.
  var isArriving: Bool { former != nil }

  private func place(in snapshot: LongSnapshot<BrowsedRow>) {
    top = max(0, min(top, snapshot.positions.upperBound - height()))
    chosen = max(0, min(chosen, snapshot.positions.upperBound - 1 - top, height() - 1))
  }

  /// Waits until the list shows the noticed outside changes, fails, or another search begins. The wait ends after a
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

  func moveToStart() {
    (top, chosen) = (0, 0)
    if former != nil { formerKey = nil }
  }

  /// A row that is chosen while a search loads is searched for in the new list.
  private func noteChosen() {
    if let former, !former.positions.isEmpty { formerKey = try? former[top + chosen]?.key }
  }

  func move(to position: Int) {
    moveToStart()
    move(by: position)
  }

  func moveToEnd() async throws {
    guard former == nil else { return move(by: .max / 2) }
    try await go { try await $0.showEnd() }
    chosen = height() - 1
  }

  /// Goes to a position that the list has to find.
  func go(_ find: (LongList<BrowsedRow>) async throws -> Int) async throws {
    let position = try await find(list)
    lastShift = list.shift
    let shown = list.shownPositions
    top = shown.lowerBound
    chosen = max(0, min(position - top, height() - 1))
  }

  // MARK: Searching

  /// Shows the matches of a search, or all rows. The chosen row stays chosen if it is among them.
  ///
  /// - Parameter arrived: Called once the rows are visible.
  func find(_ search: BrowsedSearch?, arrived: @escaping @MainActor () -> Void) {
    guard search != self.search else { return }
    if former == nil {
      former = current
      noteChosen()
    }
    self.search = search
    arrival?.cancel()
    catchingUp?.cancel()
    table.wanted.end()
    let found = search.map { table.store.longList(table.query(whileFinding: $0), visible: height()) } ?? all
    list = found
    arrival = Task { [weak self] in
      while found.current.commit == nil, found.state.error == nil { try await Task.sleep(for: .milliseconds(2)) }
      let position = await self?.positionOfChosen(in: found)
      try Task.checkCancellation()
      self?.arrive(at: position ?? nil)
      arrived()
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
