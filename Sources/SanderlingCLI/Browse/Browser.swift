import Foundation
import Sanderling
import SanderlingTerminal

/// A table on the terminal's alternate screen. The long list follows keys, commits of other processes and the window's
/// size.
@MainActor
final class Browser {
  fileprivate enum Prompt {
    case position(String), value(String), search(String), message(String)
  }

  private let table: BrowsedTable
  private let title: String
  private let style: TextStyle
  private let rows: BrowsedList
  private var prompt: Prompt?
  private var drawn: (frame: BrowseFrame, size: TerminalScreen.Size)?

  /// - Parameter search: The first search.
  init(_ table: BrowsedTable, title: String, search: BrowsedSearch?, style: TextStyle) {
    self.table = table
    self.title = title
    self.style = style
    rows = BrowsedList(table) { max(1, TerminalScreen.size.rows - 2) }
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
    let drawing = Task { try await keepDrawing() }
    let looking = Task { try await lookForChanges() }
    defer {
      drawing.cancel()
      looking.cancel()
      rows.end()
    }
    for await keys in TerminalKeyboard.keys {
      for key in keys where try await press(key) { return }
      // One search for all keys that were typed or pasted together.
      if case .search(let typed) = prompt { find(BrowsedSearch(typed)) }
      rows.show()
      draw()
    }
    try Task.checkCancellation()
  }

  private func keepDrawing() async throws {
    while true {
      if let drawn, TerminalScreen.size != drawn.size { rows.show() }
      draw()
      try await Task.sleep(for: .milliseconds(33))
    }
  }

  private func draw() {
    let now = (frame: frame, size: TerminalScreen.size)
    if let drawn, drawn == now { return }
    TerminalScreen.draw(now.frame.lines(size: now.size, style: style))
    drawn = now
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
      try await table.store.noticeOutsideChanges()
      await rows.caughtUp()
      rest = min(.seconds(5), start.duration(to: clock.now))
    }
  }

  private var frame: BrowseFrame {
    let snapshot = rows.current
    let end = min(snapshot.positions.upperBound, rows.top + TerminalScreen.size.rows - 2)
    var typed: String?
    var text: String?
    switch prompt {
    case .position(let typed): text = "position: \(typed)".printable
    case .value(let typed): text = "\(table.firstOrdering): \(typed)".printable
    case .message(let message): text = message
    case .search(let text): typed = text
    case nil: break
    }
    return BrowseFrame(
      title: title, columns: table.columns, top: rows.top,
      rows: (min(rows.top, end)..<end).map { position in
        snapshot[position].map { Array($0.values.dropFirst(table.hiddenCount)) }
      },
      chosen: rows.chosen, count: RowCount(snapshot), search: rows.search, total: rows.total,
      isSearching: rows.isArriving, typed: typed, prompt: text,
      problem: snapshot.state.error.map { BrowseError.noRows($0).description })
  }

  // MARK: Keys

  /// - Returns: Whether the user quits.
  private func press(_ key: TerminalKey) async throws -> Bool {
    if let prompt, try await type(key, prompt) { return false }
    switch key {
    case .character("q"): return true
    case .escape:
      guard rows.search != nil else { return true }
      find(nil)
    case .up, .character("k"): rows.move(by: -1)
    case .down, .character("j"): rows.move(by: 1)
    case .pageUp: rows.move(by: -pageHeight)
    case .pageDown, .character(" "): rows.move(by: pageHeight)
    case .home: rows.moveToStart()
    case .end: try await reporting { try await rows.moveToEnd() }
    case .character("g"): prompt = .position("")
    case .character("v"): prompt = .value("")
    case .character("/"): prompt = .search(rows.search?.text ?? "")
    default: break
    }
    return false
  }

  private var pageHeight: Int { max(1, TerminalScreen.size.rows - 2) }

  private func find(_ search: BrowsedSearch?) {
    rows.find(search) { [weak self] in self?.draw() }
  }

  /// - Returns: Whether the prompt used the key. Keys that move through the rows are not used.
  private func type(_ key: TerminalKey, _ prompt: Prompt) async throws -> Bool {
    switch (key, prompt) {
    case (_, .message): self.prompt = nil
    case (.escape, .search):
      self.prompt = nil
      find(nil)
    case (.escape, _): self.prompt = nil
    case (.character(let character), _): self.prompt = prompt.changed { $0.append(character) }
    case (.paste(let text), _): self.prompt = prompt.changed { $0 += text }
    case (.backspace, _): self.prompt = prompt.changed { $0 = String($0.dropLast()) }
    case (.enter, .position(let typed)):
      self.prompt = nil
      guard let position = Int(typed.filter { $0 != "," }), position >= 1 else {
        self.prompt = .message("\(typed.printable) is no position: type a number from 1 on.")
        return true
      }
      rows.move(to: position - 1)
    case (.enter, .value(let typed)):
      self.prompt = nil
      if rows.isArriving {
        self.prompt = .message("The search has not ended yet: wait for its end, and go there again.")
        return true
      }
      try await reporting {
        try await rows.go { list in
          if let integer = Int64(typed) { return try await list.show(from: integer) }
          if let real = Double(typed) { return try await list.show(from: real) }
          return try await list.show(from: typed)
        }
      }
    case (.enter, .search(let typed)):
      self.prompt = nil
      find(BrowsedSearch(typed))
    default: return false
    }
    return true
  }

  private func reporting(_ body: () async throws -> Void) async throws {
    do {
      try await body()
    } catch let error as CancellationError {
      throw error
    } catch {
      prompt = .message("\(error)".printable)
    }
  }
}

extension Browser.Prompt {
  /// Returns the prompt with its text changed and cut to the longest input.
  fileprivate func changed(_ change: (inout String) -> Void) -> Self {
    func changed(_ text: String) -> String {
      var text = text
      change(&text)
      return String(text.prefix(BrowsedSearch.longestInput))
    }
    return switch self {
    case .position(let text): .position(changed(text))
    case .value(let text): .value(changed(text))
    case .search(let text): .search(changed(text))
    case .message: self
    }
  }
}
