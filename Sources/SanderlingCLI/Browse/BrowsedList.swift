import Sanderling

/// The browsed rows, all of a table or those that a search finds, and the chosen row.
///
/// There is one list of all rows, and at most one of the last search. While a search's first rows are read, the earlier
/// rows stay on the screen.
@MainActor
final class BrowsedList {
  private let table: BrowsedTable
  private let all: LongList<BrowsedRow>
  /// The list on the screen, or the next one.
  private(set) var list: LongList<BrowsedRow>
  private(set) var search: BrowsedSearch?
  /// The rows on the screen until the list has rows.
  private var former: LongSnapshot<BrowsedRow>?
  /// The key of the row that is or was chosen among them; nil for the first row of the next list.
  private var formerKey: BrowsedRow.Key?
  private var arrival: Task<Void, any Error>?
  /// The wait for the list. A wait for a replaced list never ends by itself.
  private var catchingUp: Task<Void, Never>?
  /// The position of the first row on the screen, and the chosen one from there.
  private(set) var top = 0
  private(set) var chosen = 0
  private var lastShift = 0
  /// How many rows the screen has.
  private let height: @MainActor () -> Int

  init(_ table: BrowsedTable, height: @escaping @MainActor () -> Int) {
    self.table = table
    self.height = height
    all = table.store.longList(table.query, visible: height())
    list = all
  }

  /// The rows on the screen. The chosen row keeps its place while rows come and go before it.
  var current: LongSnapshot<BrowsedRow> {
    if let former { return former }
    let snapshot = list.current
    let moved = list.shift - lastShift
    lastShift += moved
    if top > 0 { top += moved }
    place(in: snapshot)
    return snapshot
  }

  /// The number of all rows, whatever a search finds.
  var total: RowCount { RowCount(all.current) }

  /// Whether a search's rows are yet to come.
  var isArriving: Bool { former != nil }

  private func place(in snapshot: LongSnapshot<BrowsedRow>) {
    top = max(0, min(top, snapshot.positions.upperBound - height()))
    chosen = max(0, min(chosen, snapshot.positions.upperBound - 1 - top, height() - 1))
  }

  /// Waits until outside changes are on the screen or have failed, or another search begins. It waits at most a minute,
  /// because a dropped table may not come back.
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

  /// Requests the rows on the screen.
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

  /// Remembers the chosen row, which is then searched in the next rows.
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

  /// Goes to a place that has to be looked for.
  func go(_ find: (LongList<BrowsedRow>) async throws -> Int) async throws {
    let position = try await find(list)
    lastShift = list.shift
    let shown = list.shownPositions
    top = shown.lowerBound
    chosen = max(0, min(position - top, height() - 1))
  }

  // MARK: Searching

  /// Shows the rows that a search finds, or all of them. The chosen row stays chosen if it is among them.
  ///
  /// - Parameter arrived: Called once they are shown.
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

  /// Where the row is in a list that is chosen, after all that happens meanwhile. Where it can't be looked for, the list says why.
  private func positionOfChosen(in list: LongList<BrowsedRow>) async -> Int? {
    while true {
      let key = formerKey
      let position = (try? await position(of: key, in: list)) ?? nil
      if key == formerKey { return position }
    }
  }

  /// Where a row is in a list, which has it loaded then.
  private func position(of key: BrowsedRow.Key?, in list: LongList<BrowsedRow>) async throws -> Int? {
    guard let key else { return nil }
    // As a rule it is among the first ones.
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
    // The chosen row stays at its place on the screen, if there are enough rows before and after it.
    let wanted = position.map { $0 - chosen } ?? 0
    top = max(0, min(wanted, snapshot.positions.upperBound - height()))
    chosen = position.map { $0 - top } ?? 0
    place(in: snapshot)
    show()
  }

  /// Ends the lists.
  func end() {
    arrival?.cancel()
    catchingUp?.cancel()
    table.wanted.end()
  }
}
