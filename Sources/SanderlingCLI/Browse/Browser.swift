import Foundation
import Sanderling
import SanderlingTerminal

/// A table on the terminal's alternate screen. The long list follows keys, commits of other processes and the window's
/// size.
@MainActor
final class Browser {
  private enum Event {
    case keys([TerminalKey])
    case jumpEnded
  }

  /// The contents of the screen.
  private enum Contents: Equatable {
    case table(BrowseFrame)
    case record(RecordFrame)
    case help(KeyHelp)
  }

  let table: BrowsedTable
  private let title: String
  private let style: TextStyle
  let rows: BrowsedList
  var prompt: BrowsePrompt?
  /// The shown record; nil while the table is shown.
  var record: BrowsedRecord?
  /// The list of the keys; nil while it isn't shown.
  var help: KeyHelp?
  /// The jump that waits for the database.
  private(set) var jump: BrowseJump?
  /// The keys that wait for the end of the jump.
  private var held: [TerminalKey] = []
  /// The chosen column, and the first column to show.
  var column = 0
  var firstColumn = 0
  private var drawn: (contents: Contents, size: TerminalScreen.Size, screen: Int)?
  /// The number of noticed commits of other processes.
  private var changeCount = 0
  private let (events, eventsInput) = AsyncStream.makeStream(of: Event.self)

  /// - Parameter search: The first search.
  init(_ table: BrowsedTable, title: String, search: BrowsedSearch?, style: TextStyle) {
    self.table = table
    self.title = title
    self.style = style
    rows = BrowsedList(table) { BrowseFrame.height(TerminalScreen.size) }
    if search != nil { find(search) }
  }

  /// Shows the table until the user quits.
  func run() async throws {
    TerminalKeyboard.enter()
    TerminalScreen.enter()
    defer {
      TerminalScreen.leave()
      TerminalKeyboard.leave()
    }
    let suspension = await TerminalSuspension()
    let typing = Task { [eventsInput] in
      for await keys in TerminalKeyboard.keys { eventsInput.yield(.keys(keys)) }
      eventsInput.finish()
    }
    let drawing = Task { try await keepDrawing() }
    let looking = Task { try await lookForChanges() }
    defer {
      suspension.end()
      for task in [drawing, looking] { task.cancel() }
      typing.cancel()
      jump?.task.cancel()
      record?.end()
      rows.end()
    }
    for await event in events {
      if case .keys(let keys) = event { held += keys }
      if takeKeys() { return }
      // One search for all keys that were typed or pasted together.
      if case .search(let typed) = prompt { find(BrowsedSearch(typed)) }
      rows.show()
      draw()
    }
    try Task.checkCancellation()
  }

  /// - Returns: Whether the user quits.
  private func takeKeys() -> Bool {
    if jump != nil, let escape = held.firstIndex(of: .escape) {
      jump?.task.cancel()
      jump = nil
      held.removeSubrange(...escape)
    }
    if jump != nil, held == [.character("q")] { return true }
    while jump == nil, !held.isEmpty {
      if press(held.removeFirst()) { return true }
    }
    return false
  }

  /// Begins a jump. Later keys wait for its end, except escape and q.
  ///
  /// - Parameter waiting: Describes the wait.
  func jump(_ waiting: @escaping @MainActor () -> String, _ work: @escaping @MainActor () async throws -> Void) {
    let task = Task { [weak self] in
      var failure: (any Error)?
      do {
        try await work()
      } catch {
        failure = error
      }
      guard let self, !Task.isCancelled else { return }
      jump = nil
      if let failure { prompt = .message(BrowseError.noRows(failure).description) }
      eventsInput.yield(.jumpEnded)
    }
    jump = BrowseJump(task: task, waiting: waiting)
  }

  // MARK: Drawing

  private func keepDrawing() async throws {
    while true {
      if let drawn, TerminalScreen.size != drawn.size { rows.show() }
      draw()
      try await Task.sleep(for: .milliseconds(33))
    }
  }

  func draw() {
    let now = (contents: contents, size: TerminalScreen.size, screen: TerminalScreen.number)
    if let drawn, drawn == now { return }
    drawn = now
    switch now.contents {
    case .table(var frame):
      let window = frame.window(now.size)
      (firstColumn, frame.firstColumn) = (window.first, window.first)
      drawn?.contents = .table(frame)
      TerminalScreen.draw(frame.lines(window, size: now.size, style: style))
    case .record(let frame): TerminalScreen.draw(frame.lines(size: now.size, style: style))
    case .help(let help): TerminalScreen.draw(help.lines(size: now.size, style: style))
    }
  }

  /// Watches for commits of other processes, which send no notice. Each commit makes the list read its rows again.
  ///
  /// The next commit is noticed only after these rows are visible. Otherwise rows that take long to read would never
  /// appear during an import. Between two commits, the browser rests as long as the last read took, and at most five
  /// seconds.
  private func lookForChanges() async throws {
    let clock = ContinuousClock()
    var rest = Duration.zero
    while true {
      try await Task.sleep(for: max(.milliseconds(250), rest))
      while rows.isArriving { try await Task.sleep(for: .milliseconds(10)) }
      let start = clock.now
      do {
        if try await table.store.noticeOutsideChanges() { changeCount += 1 }
      } catch {
        // Another process may lock the database for a while.
        try await Task.sleep(for: .seconds(1))
        continue
      }
      await rows.caughtUp()
      rest = min(.seconds(5), start.duration(to: clock.now))
    }
  }

  private var contents: Contents {
    if let record, let key = record.key ?? rows.chosenKey { record.show(key, afterChanges: changeCount) }
    if let help { return .help(help) }
    let frame = frame
    if let record { return .record(record.frame(row: frame.rowPlace)) }
    return .table(frame)
  }

  private var frame: BrowseFrame {
    let snapshot = rows.current
    let end = min(snapshot.positions.upperBound, rows.top + BrowseFrame.height(TerminalScreen.size))
    var typed: String?
    var text: String?
    switch prompt {
    case .position(let typed): text = "position: \(typed)".printable
    case .value(let typed): text = "\(firstOrdering): \(typed)".printable
    case .message(let message): text = message
    case .search(let text): typed = text
    case nil: text = jump?.message
    }
    var frame = BrowseFrame(
      title: title, columns: table.columns, top: rows.top,
      rows: (min(rows.top, end)..<end).map { position in
        // The same array makes the comparison of two frames fast.
        snapshot[position].map { table.hiddenCount == 0 ? $0.values : Array($0.values.dropFirst(table.hiddenCount)) }
      },
      chosen: rows.chosen, count: RowCount(snapshot), search: rows.arrangement.search, total: rows.total,
      isSearching: rows.isArriving, typed: typed, prompt: text,
      problem: snapshot.state.error.map { BrowseError.noRows($0).description })
    frame.order = rows.arrangement.order
    frame.isExact = rows.isExact
    (frame.keyColumns, frame.column, frame.firstColumn) = (table.keyColumns, column, firstColumn)
    if rows.isReordering || table.mustSort(rows.arrangement) && frame.rows.contains(where: { $0 == nil }) {
      frame.sorting = sorting
    }
    return frame
  }

  /// The description of a sort that isn't complete.
  private var sorting: String {
    guard let order = rows.arrangement.order else { return "reading the rows in their first order…" }
    let name = table.columns[order.column].printable
    return "sorting by \(name)…"
      + (table.mustSort(rows.arrangement) ? " No index has this order, so all rows are read." : "")
      + (rows.isReordering ? " Escape stops it." : "")
  }

  /// The column that the rows are sorted by first.
  private var firstOrdering: String { rows.arrangement.order.map { table.columns[$0.column] } ?? table.firstOrdering }
}
