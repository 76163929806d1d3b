import Foundation
import Sanderling

/// A table on the terminal's second screen: a long list that follows the keys, what others write, and the window's size.
@MainActor
final class Browser {
  private enum Prompt {
    case position(String), value(String), message(String)
  }

  private let table: BrowsedTable
  private let title: String
  private let list: LongList<BrowsedRow>
  private let style: TextStyle
  private var top = 0
  private var chosen = 0
  private var prompt: Prompt?
  private var lastShift = 0

  init(_ table: BrowsedTable, title: String, style: TextStyle) {
    self.table = table
    self.title = title
    self.style = style
    list = table.store.longList(table.query, visible: Self.height)
  }

  /// How many rows fit.
  private static var height: Int { max(1, TerminalScreen.size.rows - 2) }
  private var height: Int { Self.height }

  /// Shows the table until the user has enough.
  func run() async throws {
    TerminalKeyboard.enter()
    TerminalScreen.enter()
    defer {
      TerminalScreen.leave()
      TerminalKeyboard.leave()
    }
    let drawing = Task { try await draw() }
    let looking = Task { try await lookForChanges() }
    defer {
      drawing.cancel()
      looking.cancel()
    }
    for await key in TerminalKeyboard.keys {
      if try await press(key) { return }
      show()
    }
    try Task.checkCancellation()
  }

  private func draw() async throws {
    var last: [String] = []
    var lastSize = TerminalScreen.size
    while true {
      let size = TerminalScreen.size
      if size != lastSize { show() }
      lastSize = size
      let lines = frame.lines(size: size, style: style)
      if lines != last { TerminalScreen.draw(lines) }
      last = lines
      try await Task.sleep(for: .milliseconds(33))
    }
  }

  /// Another process's commits tell nobody.
  private func lookForChanges() async throws {
    while true {
      try await Task.sleep(for: .milliseconds(250))
      try await table.store.noticeOutsideChanges()
    }
  }

  private var frame: BrowseFrame {
    let snapshot = list.current
    follow(snapshot)
    let end = min(snapshot.positions.upperBound, top + height)
    let text: String? =
      switch prompt {
      case .position(let typed): "position: \(typed)"
      case .value(let typed): "\(table.firstOrdering): \(typed)"
      case .message(let message): message
      case nil: nil
      }
    return BrowseFrame(
      title: title, columns: table.columns, top: top,
      rows: (min(top, end)..<end).map { position in
        snapshot[position].map { Array($0.values.dropFirst(table.hiddenCount)) }
      },
      chosen: chosen, count: snapshot.count, leastCount: snapshot.leastCount, prompt: text,
      problem: snapshot.state.error.map { "The rows can't be read: \($0)".printable })
  }

  /// Keeps what is looked at in place while rows come and go before it.
  private func follow(_ snapshot: LongSnapshot<BrowsedRow>) {
    let moved = list.shift - lastShift
    lastShift += moved
    if top > 0 { top += moved }
    top = max(0, min(top, snapshot.positions.upperBound - height))
    chosen = max(0, min(chosen, snapshot.positions.upperBound - 1 - top, height - 1))
  }

  private func show() {
    list.show(top..<top + height)
  }

  /// - Returns: Whether the user has enough.
  private func press(_ key: TerminalKey) async throws -> Bool {
    if let prompt {
      try await type(key, prompt)
      return false
    }
    switch key {
    case .character("q"), .escape: return true
    case .up, .character("k"): move(by: -1)
    case .down, .character("j"): move(by: 1)
    case .pageUp: move(by: -height)
    case .pageDown, .character(" "): move(by: height)
    case .home: (top, chosen) = (0, 0)
    case .end:
      try await go { try await self.list.showEnd() }
      chosen = height - 1
    case .character("g"): prompt = .position("")
    case .character("/"): prompt = .value("")
    default: break
    }
    return false
  }

  private func move(by distance: Int) {
    let last = list.current.positions.upperBound - 1
    let position = max(0, min(last, top + chosen + distance))
    if position < top { top = position }
    if position >= top + height { top = position - height + 1 }
    chosen = position - top
  }

  private func type(_ key: TerminalKey, _ prompt: Prompt) async throws {
    switch (key, prompt) {
    case (.escape, _), (_, .message): self.prompt = nil
    case (.character(let character), .position(let typed)): self.prompt = .position(typed + String(character))
    case (.character(let character), .value(let typed)): self.prompt = .value(typed + String(character))
    case (.backspace, .position(let typed)): self.prompt = .position(String(typed.dropLast()))
    case (.backspace, .value(let typed)): self.prompt = .value(String(typed.dropLast()))
    case (.enter, .position(let typed)):
      self.prompt = nil
      guard let position = Int(typed.filter { $0 != "," }), position >= 1 else {
        self.prompt = .message("\(typed.printable) is no position: type a number from 1 on.")
        return
      }
      (top, chosen) = (0, 0)
      move(by: position - 1)
    case (.enter, .value(let typed)):
      self.prompt = nil
      try await go {
        if let integer = Int64(typed) { return try await self.list.show(from: integer) }
        if let real = Double(typed) { return try await self.list.show(from: real) }
        return try await self.list.show(from: typed)
      }
    default: break
    }
  }

  /// Goes to a place that has to be looked for.
  private func go(_ find: () async throws -> Int) async throws {
    do {
      let position = try await find()
      lastShift = list.shift
      let shown = list.shownPositions
      top = shown.lowerBound
      chosen = max(0, min(position - top, height - 1))
    } catch let error as CancellationError {
      throw error
    } catch {
      prompt = .message("\(error)".printable)
    }
  }
}
