import Foundation
import Sanderling
import TasksModel

extension TerminalApp {
  private static let margin = 20

  /// The lines of the screen.
  var frame: [String] {
    var lines = [tabs, ""]
    for position in top..<min(top + height, max(count, top)) {
      let mark = position == chosen ? bold("›") : " "
      lines.append(" \(mark) " + (screen == .projects ? projectLine(position) : taskLine(position)))
    }
    if count == 0 { lines.append(dim("   " + (emptiness ?? ""))) }
    lines += Array(repeating: "", count: max(0, 2 + height - lines.count))
    return lines + [" " + status, dim(" " + keys)]
  }

  private var tabs: String {
    let all = project.map { "2 \($0.name)" } ?? "2 All"
    let titles = [
      "1 Today \(model.today.tasks.rows.count)", "\(all) \(agenda.tasks.count?.formatted() ?? "…")",
      "3 Projects \(model.projects.rows.count)", "4 Search",
    ]
    let tabs = zip(Screen.allCases, titles).map { $0 == screen ? bold($1) : dim($1) }.joined(separator: "   ")
    let overdue = model.today.overdue.value ?? 0
    return " " + tabs + (overdue > 0 ? "   \(overdue) overdue" : "")
  }

  private func taskLine(_ position: Int) -> String {
    guard let task = task(at: position) else { return String(repeating: " ", count: Self.margin) + dim("…") }
    let project = model.projects.rows[id: task.projectID]?.name ?? ""
    let title = printable(task.title)
    let text = "\(task.isCompleted ? "✓" : "○") \(screen == .search ? marked(title) : title)"
    return margin(position, task) + (task.isCompleted ? dim(text) : text) + "  " + dim(printable(project))
  }

  /// The day beside its first row, and its number of open tasks beside the second one.
  private func margin(_ position: Int, _ task: TodoTask) -> String {
    let isVisible = { (position: Int) in position >= self.top }
    let isSame = { (position: Int) in isVisible(position) && self.task(at: position)?.dueOn == task.dueOn }
    if !isSame(position - 1) {
      return bold(pad(task.dueOn?.name(from: model.today.today) ?? "No day"))
    }
    guard screen == .agenda, !isSame(position - 2), let section = agenda.sections.first(where: { $0.day == task.dueOn })
    else { return pad("") }
    return dim(pad("\(section.open.formatted()) of \(section.positions.count.formatted()) open"))
  }

  private func projectLine(_ position: Int) -> String {
    let project = model.projects.rows[position]
    let total = max(1, project.open + project.completed)
    let bar = project.completed * 20 / total
    let next = project.nextDay.map { "next: \($0.name(from: model.today.today))" } ?? "all done"
    return pad(printable(project.name), 24) + bold(String(repeating: "━", count: bar))
      + dim(String(repeating: "─", count: 20 - bar)) + pad("  \(project.open.formatted()) open", 16) + dim(next)
  }

  private var emptiness: String? {
    switch screen {
    case .today: model.today.tasks.state.isCurrent ? "Nothing to do today." : nil
    case .agenda: agenda.tasks.count == 0 ? "No tasks. Press a to add one, or i to import 5,000." : nil
    case .projects: model.projects.state.isCurrent ? "No projects. Press a to add a task +Project." : nil
    case .search: model.search.input.isEmpty ? "Type words, with or without accents." : "Nothing has these words."
    }
  }

  /// The prompt, or the most important of the messages.
  private var status: String {
    if let prompt {
      let title = [.add: "Add", .day: "Day", .search: "Search"][prompt.purpose] ?? ""
      let hint = [.add: "as in: Water the plants +Garden due:2026-12-24", .day: "as in: 2026-12-24"][prompt.purpose]
      return bold(title + ": ") + printable(prompt.text) + "▏" + dim(prompt.text.isEmpty ? hint ?? "" : "")
    }
    let problems = [
      message, model.editor.problem, model.importer.problem, model.sync?.problem,
      model.projects.state.error?.localizedDescription,
      agenda.tasks.state.error?.localizedDescription, model.search.state.error?.localizedDescription,
    ]
    if let problem = problems.compactMap({ $0 }).first { return printable(problem) }
    if let progress = model.importer.progress {
      return "Importing: \(progress.done.formatted()) of \(progress.total.formatted())"
    }
    guard let sync = model.sync else { return "" }
    return sync.pendingCount > 0 ? "\(sync.pendingCount.formatted()) changes wait for the server" : dim("Synchronised")
  }

  private var keys: String {
    let undo = model.editor.undoName.map { "u undo \($0)  " } ?? ""
    let redo = model.editor.redoName.map { "r redo \($0)  " } ?? ""
    let sync = model.sync == nil ? "" : "s sync  "
    return "space done  a add  m tomorrow  d delete  \(undo)\(redo)t today  g day  / search  i import  \(sync)q quit"
  }

  private func bold(_ text: String) -> String { "\u{1B}[1m\(text)\u{1B}[22m" }
  private func dim(_ text: String) -> String { "\u{1B}[2m\(text)\u{1B}[22m" }

  private func pad(_ text: String, _ width: Int = margin) -> String {
    text.padding(toLength: max(width, text.count), withPad: " ", startingAt: 0)
  }

  /// Titles may come from other devices, and must not steer the terminal.
  private func printable(_ text: String) -> String { String(text.map { $0.isControl ? "�" : $0 }) }

  /// The text with the found words in bold.
  private func marked(_ text: String) -> String {
    var (result, end) = ("", text.startIndex)
    for range in SearchHighlights(model.search.input).ranges(in: text) {
      result += text[end..<range.lowerBound] + bold(String(text[range]))
      end = range.upperBound
    }
    return result + text[end...]
  }
}
