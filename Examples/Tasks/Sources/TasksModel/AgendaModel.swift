import Observation
import Sanderling

/// All tasks, or those of one project, in sections by day. Memory holds only the rows near the visible ones.
@MainActor @Observable
public final class AgendaModel {
  /// A section: a day with its number of open tasks, and the positions of its rows in ``AgendaModel/tasks``.
  public struct Section: Identifiable, Hashable, Sendable {
    /// Nil for the tasks without a day, which come first.
    public let day: LocalDay?
    public let open: Int
    public let positions: Range<Int>
    public var id: LocalDay? { day }
  }

  public let tasks: LongList<TodoTask>
  /// The headers alone: all sections stay closed, so none of their rows are read.
  private let headers: LiveSectionedList<LocalDay?, Int, TodoTask>

  public init(_ store: Store, project: Project.ID? = nil) {
    let query = TodoTask.where {
      if let project { $0.projectID == project }
    }.order { ($0.dueOn, $0.title) }
    tasks = store.longList(query)
    headers = store.liveSections(
      query.sectioned { $0.dueOn }.sectionValues { $0.count(where: !$0.isCompleted) }, startsOpen: false)
  }

  public var sections: [Section] {
    var end = 0
    return headers.sections.map { section in
      defer { end += section.count }
      return Section(day: section.key, open: section.values, positions: end..<end + section.count)
    }
  }

  /// Shows the tasks from a day on.
  ///
  /// - Returns: The position of the first of them.
  public func show(from day: LocalDay) async throws -> Int { try await tasks.show(from: day) }
}
