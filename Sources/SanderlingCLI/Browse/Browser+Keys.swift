import Sanderling

/// The keys of the browser.
extension Browser {
  /// - Returns: Whether the user quits.
  func press(_ key: TerminalKey) -> Bool {
    if help != nil {
      if help?.advance(TerminalScreen.size) != true { help = nil }
      return false
    }
    if let prompt, type(key, prompt) { return false }
    if key == .character("?") {
      help = KeyHelp()
      return false
    }
    if let record {
      press(key, in: record)
      return false
    }
    switch key {
    case .character("q"): return true
    case .escape:
      // Escape never quits, since the wait or record that it should end may just have ended.
      if rows.isReordering { sort(rows.formerOrder) } else { find(nil) }
    case .up, .character("k"): rows.move(by: -1)
    case .down, .character("j"): rows.move(by: 1)
    case .pageUp: rows.move(by: -pageHeight)
    case .pageDown, .character(" "): rows.move(by: pageHeight)
    case .home: rows.moveToStart()
    case .end, .character("G"):
      jump({ "The last rows are being read" }) { [rows] in try await rows.moveToEnd() }
    case .left, .character("h"): column = max(0, column - 1)
    case .right, .character("l"): column = max(0, min(table.columns.count - 1, column + 1))
    case .character("0"): (column, firstColumn) = (0, 0)
    case .character("$"): column = max(0, table.columns.count - 1)
    case .enter: if rows.mayHaveRows { record = BrowsedRecord(table) }
    case .character("g"): prompt = .position("")
    case .character("v"): prompt = .value("")
    case .character("s"): sort(rows.arrangement.next(of: column))
    case .character("/"): prompt = .search(rows.arrangement.search?.text ?? "")
    default: break
    }
    return false
  }

  private func press(_ key: TerminalKey, in record: BrowsedRecord) {
    switch key {
    case .escape, .enter, .backspace, .character("q"):
      if let key = record.key { rows.choose(key) }
      record.end()
      self.record = nil
    case .up, .character("k"): record.move { $0.move(by: -1) }
    case .down, .character("j"): record.move { $0.move(by: 1) }
    case .pageUp: record.move { [pageHeight] in $0.move(by: -pageHeight) }
    case .pageDown, .character(" "): record.move { [pageHeight] in $0.move(by: pageHeight) }
    case .home: record.move { $0.moveToStart() }
    case .end, .character("G"): record.move { $0.moveToEnd() }
    case .tab: record.move { $0.moveToNextColumn() }
    case .left, .character("h"), .character("p"): moveRecord(record, by: -1)
    case .right, .character("l"), .character("n"): moveRecord(record, by: 1)
    default: break
    }
  }

  private func moveRecord(_ record: BrowsedRecord, by distance: Int) {
    if let key = record.key { rows.choose(key) }
    rows.move(by: distance)
    record.forget()
  }

  private var pageHeight: Int { BrowseFrame.height(TerminalScreen.size) }

  func find(_ search: BrowsedSearch?) {
    var arrangement = rows.arrangement
    arrangement.search = search
    arrange(arrangement)
  }

  private func sort(_ order: BrowsedArrangement.Order?) {
    var arrangement = rows.arrangement
    arrangement.order = order
    arrange(arrangement)
  }

  private func arrange(_ arrangement: BrowsedArrangement) {
    rows.show(arrangement) { [weak self] error in
      if let error { self?.prompt = .message(BrowseError.noRows(error).description) }
      self?.draw()
    }
  }

  // MARK: Prompts

  /// - Returns: Whether the prompt used the key. Keys that move through the rows are not used.
  private func type(_ key: TerminalKey, _ prompt: BrowsePrompt) -> Bool {
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
      if !typed.isEmpty { go(toPosition: typed) }
    case (.enter, .value(let typed)):
      self.prompt = nil
      go(toValue: typed)
    case (.enter, .search(let typed)):
      self.prompt = nil
      find(BrowsedSearch(typed))
    default: return false
    }
    return true
  }

  private func go(toPosition typed: String) {
    guard let position = Int(typed.filter { $0 != "," && $0 != " " }), position >= 1 else {
      prompt = .message("\(typed.printable) is no position: type a number from 1 on.")
      return
    }
    let waiting: @MainActor () -> String = { [rows] in
      rows.isArriving
        ? "The rows are being read"
        : "The rows before row \(position.grouped) are being counted, \(RowCount(rows.current)) so far"
    }
    jump(waiting) { [weak self, rows] in
      if try await rows.move(to: position - 1) { return }
      let last = RowCount(rows.current).least
      self?.prompt = .message(
        "There is no row \(position.grouped): "
          + (last == 0 ? "there are no rows." : "the last row is \(last.grouped)."))
    }
  }

  private func go(toValue typed: String) {
    jump({ "The rows from \(typed.printable) on are being read" }) { [rows] in
      try await rows.go { list in
        if let integer = Int64(typed) { return try await list.show(from: integer) }
        if let real = Double(typed) { return try await list.show(from: real) }
        return try await list.show(from: typed)
      }
    }
  }
}
