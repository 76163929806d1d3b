import Foundation
import Sanderling

/// A task to add, as a line of a todo.txt file: `Water the plants +Garden due:2026-12-24`.
public struct TaskDraft: Hashable, Sendable {
  public var title: String
  public var project: String = Project.inbox.name
  public var dueOn: LocalDay?
  public var isCompleted = false

  public init(title: String, project: String = Project.inbox.name, dueOn: LocalDay? = nil, isCompleted: Bool = false) {
    (self.title, self.project, self.dueOn, self.isCompleted) = (title, project, dueOn, isCompleted)
  }

  /// Reads a line. `x` at its beginning marks a completed task.
  public init(line: String) throws {
    var words = line.split(whereSeparator: \.isWhitespace)[...]
    if words.first == "x" {
      isCompleted = true
      words.removeFirst()
    }
    var title: [Substring] = []
    for word in words {
      if word.hasPrefix("+"), word.count > 1 {
        project = String(word.dropFirst()).replacing("_", with: " ")
      } else if word.hasPrefix("due:") {
        guard let day = LocalDay(String(word.dropFirst(4))) else { throw DraftError.noDay(String(word)) }
        dueOn = day
      } else {
        title.append(word)
      }
    }
    guard !title.isEmpty else { throw DraftError.noTitle }
    self.title = title.joined(separator: " ")
  }

  /// Reads a todo.txt file.
  ///
  /// - Throws: ``DraftError/line(_:_:)`` with the number of the first wrong line.
  public static func drafts(todoTxt text: String) throws -> [TaskDraft] {
    try text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated()
      .filter { !$0.element.allSatisfy(\.isWhitespace) }
      .map { number, line in
        do { return try TaskDraft(line: String(line)) } catch { throw DraftError.line(number + 1, "\(error)") }
      }
  }

  func task(in project: Project.ID) -> TodoTask {
    TodoTask(id: UUID(), projectID: project, title: title, isCompleted: isCompleted, dueOn: dueOn)
  }
}

/// A mistake in the text of a task.
public enum DraftError: Error, Hashable, LocalizedError, CustomStringConvertible {
  case noTitle
  case noDay(String)
  case line(Int, String)

  public var description: String {
    switch self {
    case .noTitle: "A task needs a title, as in: Water the plants +Garden due:2026-12-24"
    case .noDay(let word): "\(word) names no day. Write the day as in due:2026-12-24, or leave it out."
    case .line(let number, let problem): "Line \(number): \(problem)"
    }
  }

  public var errorDescription: String? { description }
}

extension LocalDay {
  /// The day's name: Today, Tomorrow, Yesterday, or weekday, day, month and year.
  public func name(from today: Today) -> String {
    switch today.day.distance(to: self) {
    case 0: return "Today"
    case 1: return "Tomorrow"
    case -1: return "Yesterday"
    default:
      let zone = today.calendar.timeZone
      let style = Date.FormatStyle(timeZone: zone).weekday(.abbreviated).day().month(.abbreviated)
      let start = range(in: zone).lowerBound
      return start.formatted(year == today.day.year ? style : style.year())
    }
  }
}
