import Foundation
import Observation
import Sanderling
import TasksModel

/// The app on a terminal. A frame is a function of the models and of the properties here, and is drawn again when one of
/// these changes.
@MainActor @Observable
public final class TerminalApp {
  enum Screen: Int, CaseIterable { case today, agenda, projects, search }

  enum Prompt {
    case add, day, search
  }

  let model: TasksModel
  let terminal: Terminal
  private(set) var screen = Screen.today
  /// The project whose tasks the agenda shows; nil for all tasks.
  private(set) var project: ProjectSummary?
  private(set) var agenda: AgendaModel
  /// The text that the user types, and its purpose.
  private(set) var prompt: (purpose: Prompt, text: String)?
  private(set) var message: String?
  /// The first visible position and the chosen position, without the moves that the long list reports.
  private var fixedTop = 0
  private var fixedChosen = 0

  init(_ model: TasksModel, on terminal: Terminal) {
    (self.model, self.terminal) = (model, terminal)
    agenda = model.agenda
  }

  /// Runs the app on standard input and output.
  ///
  /// - Returns: The exit code.
  public static func run(_ arguments: [String]) async -> Int32 {
    do {
      let environment = ProcessInfo.processInfo.environment
      let arguments = try Arguments(arguments, environment: environment, today: Today().day)
      guard !arguments.asksForHelp else {
        print(Arguments.usage)
        return 0
      }
      let terminal = try Terminal()
      defer { terminal.close() }
      let model = try await TasksModel.open(arguments.location, server: arguments.server)
      if !arguments.drafts.isEmpty { model.importer.start(arguments.drafts) }
      await TerminalApp(model, on: terminal).run()
      try await model.close()
      return 0
    } catch {
      FileHandle.standardError.write(Data("tasks-terminal: \(error.localizedDescription)\n".utf8))
      return 1
    }
  }

  /// Shows the app until the user quits, or the terminal is gone.
  func run() async {
    draw()
    var decoder = KeyDecoder()
    for await bytes in terminal.typed {
      for key in decoder.keys(bytes) {
        if await press(key) { return }
      }
    }
  }

  private func draw() {
    withObservationTracking {
      terminal.show(frame)
    } onChange: { [weak self] in
      Task { @MainActor in self?.draw() }
    }
  }

  // MARK: Rows

  /// The number of rows that fit the screen: all but the tabs, an empty line, the message and the keys.
  var height: Int { max(1, terminal.size.rows - 4) }

  var count: Int {
    switch screen {
    case .today: model.today.tasks.rows.count
    case .agenda: agenda.tasks.positions.count
    case .projects: model.projects.rows.count
    case .search: model.search.rows.count
    }
  }

  func task(at position: Int) -> TodoTask? {
    switch screen {
    case .today: model.today.tasks.rows[safe: position]
    case .agenda: agenda.tasks.current[position]
    case .projects: nil
    case .search: model.search.rows[safe: position]
    }
  }

  /// The agenda moves its rows while others come and go before them.
  private var shift: Int { screen == .agenda ? agenda.tasks.shift : 0 }
  var top: Int { max(0, min(fixedTop + shift, count - height)) }
  var chosen: Int { max(0, min(fixedChosen + shift, count - 1)) }

  private func choose(_ position: Int, atTop: Bool = false) {
    let chosen = max(0, min(position, count - 1))
    var top = atTop ? chosen : self.top
    if chosen < top { top = chosen }
    if chosen >= top + height { top = chosen - height + 1 }
    (fixedTop, fixedChosen) = (top - shift, chosen - shift)
    if screen == .agenda { agenda.tasks.show(self.top..<self.top + height) }
  }

  // MARK: Keys

  /// - Returns: Whether the user quits.
  private func press(_ key: Key) async -> Bool {
    if key == .interrupt { return true }
    message = nil
    if let prompt, await type(key, prompt.purpose, prompt.text) { return false }
    switch key {
    case .character("q"): return true
    case .character("1"), .character("2"), .character("3"), .character("4"):
      if case .character(let digit) = key, let number = digit.wholeNumberValue { show(Screen.allCases[number - 1]) }
    case .tab: show(Screen.allCases[(screen.rawValue + 1) % Screen.allCases.count])
    case .up: choose(chosen - 1)
    case .down: choose(chosen + 1)
    case .pageUp: choose(chosen - height)
    case .pageDown: choose(chosen + height)
    case .home: choose(0)
    case .end: await goToEnd()
    case .enter: if screen == .projects, let project = model.projects.rows[safe: chosen] { show(.agenda, of: project) }
    case .escape: if screen == .agenda, project != nil { show(.projects) }
    case .character("/"):
      show(.search)
      prompt = (.search, model.search.input)
    case .character("a"): prompt = (.add, "")
    case .character("g"):
      if screen != .agenda { show(.agenda) }
      prompt = (.day, "")
    case .character("t"):
      if screen != .agenda { show(.agenda) }
      await go(to: model.today.today.day)
    case .character(let letter): await change(letter)
    case .backspace, .interrupt: break
    }
    return false
  }

  /// Changes the chosen row.
  private func change(_ letter: Character) async {
    let editor = model.editor
    switch letter {
    case " ": if let task = task(at: chosen) { await editor.toggle(task.id) }
    case "m": if let task = task(at: chosen) { await editor.move(task.id, to: model.today.today.day.advanced(by: 1)) }
    case "d":
      if let task = task(at: chosen) { await editor.delete(task.id) }
      if screen == .projects, let project = model.projects.rows[safe: chosen] {
        await editor.delete(project: project.id)
      }
    case "u": if editor.undoName == nil { message = "There is nothing to undo." } else { await editor.undo() }
    case "r": if editor.redoName == nil { message = "There is nothing to redo." } else { await editor.redo() }
    case "i":
      if model.importer.progress != nil { return model.importer.cancel() }
      model.importer.start(TaskDraft.samples(5_000, around: model.today.today.day))
    case "s":
      if let sync = model.sync { await sync.refresh() } else { message = "No server: start with --server and --user." }
    default: message = "There is no key \(letter)."
    }
  }

  /// - Returns: Whether the prompt used the key.
  private func type(_ key: Key, _ purpose: Prompt, _ text: String) async -> Bool {
    var text = text
    switch key {
    case .character(let character): text.append(character)
    case .backspace: text = String(text.dropLast())
    case .escape, .tab:
      prompt = nil
      return true
    case .enter:
      prompt = nil
      switch purpose {
      case .add: await add(text)
      case .day:
        if let day = LocalDay(text) {
          await go(to: day)
        } else {
          message = "\(text) is no day, such as 2026-12-24."
        }
      case .search: break
      }
      return true
    default: return false
    }
    prompt = (purpose, text)
    if purpose == .search {
      model.search.input = text
      choose(0)
    }
    return true
  }

  private func add(_ text: String) async {
    do {
      var draft = try TaskDraft(line: text)
      if screen == .today, draft.dueOn == nil { draft.dueOn = model.today.today.day }
      if screen == .agenda, let project, draft.project == Project.inbox.name { draft.project = project.name }
      await model.editor.add(draft)
    } catch {
      message = error.localizedDescription
    }
  }

  private func show(_ screen: Screen, of project: ProjectSummary? = nil) {
    self.screen = screen
    if project != self.project {
      self.project = project
      agenda = project.map { AgendaModel(model.store, project: $0.id) } ?? model.agenda
    }
    (fixedTop, fixedChosen) = (-shift, -shift)
    choose(0)
  }

  private func go(to day: LocalDay) async {
    await jump { try await agenda.show(from: day) }
  }

  private func goToEnd() async {
    guard screen == .agenda else { return choose(count - 1) }
    await jump {
      try await agenda.tasks.showEnd()
      return count - 1
    }
  }

  /// Goes to a position that the agenda has to find.
  private func jump(_ find: () async throws -> Int) async {
    do { choose(try await find(), atTop: true) } catch { message = error.localizedDescription }
  }
}

extension RandomAccessCollection {
  subscript(safe position: Index) -> Element? { indices.contains(position) ? self[position] : nil }
}
