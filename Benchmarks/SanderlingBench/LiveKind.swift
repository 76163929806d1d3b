import Foundation
import Sanderling

/// The kinds of lists that are open during a write. Each list is ordered and shows 50 rows. The first project is in no
/// list.
enum LiveKind: String, CaseIterable, Sendable {
  /// The tasks of one project.
  case equality
  /// The tasks of two projects or of some hours, by ranges with IN and OR.
  case ranges
  /// The tasks of a project that the query finds by its name.
  case traversal
  /// Projects with three counts.
  case aggregates

  static let window = 50

  /// The list of this kind with a number. Each number gives another list.
  @MainActor
  func list(_ number: Int, of data: LiveData, on store: Store) -> LiveHandle {
    let window = Self.window
    switch self {
    case .equality:
      return LiveHandle(store.liveList(Self.tasks(Place(number, data)), window: window))
    case .ranges:
      return LiveHandle(store.liveList(Self.ranges(number, data), window: window))
    case .traversal:
      let place = Place(number, data)
      return LiveHandle(store.liveList(Self.byName(place), window: window))
    case .aggregates:
      return LiveHandle(store.liveList(Self.summaries(Place(number, data, room: 50)), window: window))
    }
  }

  /// The part of the database that a numbered list shows.
  struct Place {
    /// The key of the first project that the list covers.
    let project: Int64
    /// Distinguishes the lists that have the same first project, if there are more lists than projects.
    let variant: Int

    /// - Parameter room: The number of consecutive projects that the list needs, beginning with the first project.
    init(_ number: Int, _ data: LiveData, room: Int = 1) {
      let count = data.projectCount - room
      project = Int64(number % count + 2)
      variant = number / count
    }
  }

  static func tasks(_ place: Place) -> Selection<TodoTask, TodoTask> {
    let (project, variant) = (place.project, Int64(place.variant))
    let tasks = TodoTask.where { $0.projectID == project }
    return (variant == 0 ? tasks : tasks.filter { $0.id > variant }).order { $0.dueAt }
  }

  private static func byName(_ place: Place) -> Selection<TodoTask, TodoTask> {
    let (name, variant) = (Project.name(Int(place.project)), Int64(place.variant))
    let tasks = TodoTask.where { $0.project.name == name }
    return (variant == 0 ? tasks : tasks.filter { $0.id > variant }).order { $0.dueAt }
  }

  private static func ranges(_ number: Int, _ data: LiveData) -> Selection<TodoTask, TodoTask> {
    let place = Place(number, data, room: 2)
    let projects = [place.project, place.project + 1]
    let (first, second) = (Self.days(number), Self.days(number + 1))
    return
      (number % 2 == 0
      ? TodoTask.where { $0.projectID.in(projects) && ($0.dueAt.in(first) || !$0.isCompleted) }
      : TodoTask.where { $0.dueAt.in(first) || $0.dueAt.in(second) && $0.projectID.in(projects) })
      .order { $0.dueAt }
  }

  /// A range of some hours, different for each number.
  private static func days(_ number: Int) -> Range<Date> {
    let place = number % 10_000 * 10
    return TodoTask.due(place)..<TodoTask.due(place + 60)
  }

  private static func summaries(_ place: Place) -> Selection<ProjectSummary, ProjectSummary> {
    let (first, last, variant) = (place.project, place.project + 50, place.variant)
    let summaries = ProjectSummary.where { $0.id >= first && $0.id < last }
    return (variant == 0 ? summaries : summaries.filter { $0.rank > -variant }).order { $0.name }
  }
}

// MARK: - By hand

extension LiveKind {
  /// The SQL of the list with this number, for GRDB's observations.
  func sql(_ number: Int, of data: LiveData) -> String {
    let columns = "todoTask.id, todoTask.projectID, todoTask.title, todoTask.isCompleted, todoTask.dueAt"
    let end = "LIMIT \(Self.window)"
    switch self {
    case .equality:
      let place = Place(number, data)
      return """
        SELECT \(columns) FROM todoTask WHERE projectID = \(place.project) AND id > \(place.variant) ORDER BY dueAt \(end)
        """
    case .ranges:
      let place = Place(number, data, room: 2)
      let projects = "projectID IN (\(place.project), \(place.project + 1))"
      let (first, second) = (Self.condition(Self.days(number)), Self.condition(Self.days(number + 1)))
      let condition =
        number % 2 == 0
        ? "\(projects) AND (\(first) OR isCompleted = 0)" : "\(first) OR \(second) AND \(projects)"
      return "SELECT \(columns) FROM todoTask WHERE \(condition) ORDER BY dueAt \(end)"
    case .traversal:
      let place = Place(number, data)
      return """
        SELECT \(columns) FROM todoTask JOIN project ON project.id = todoTask.projectID \
        WHERE project.name = '\(Project.name(Int(place.project)))' AND todoTask.id > \(place.variant) ORDER BY dueAt \(end)
        """
    case .aggregates:
      let place = Place(number, data, room: 50)
      return Self.summarySQL + """
         WHERE id >= \(place.project) AND id < \(place.project + 50) AND rank > -\(place.variant + 1) ORDER BY name \(end)
        """
    }
  }

  private static func condition(_ range: Range<Date>) -> String {
    """
    dueAt >= \(range.lowerBound.timeIntervalSinceReferenceDate) AND dueAt < \(range.upperBound.timeIntervalSinceReferenceDate)
    """
  }

  /// Projects with their three counts, without a condition.
  static let summarySQL = """
    SELECT id, name, (SELECT COUNT(*) FROM todoTask WHERE projectID = project.id AND isCompleted = 0), \
    (SELECT COUNT(*) FROM todoTask WHERE projectID = project.id AND isCompleted = 1), \
    (SELECT COUNT(*) FROM comment WHERE projectID = project.id) FROM project
    """
}

// MARK: - Many lists

/// A mixture of many lists: all of one kind, or a quarter of each kind.
enum LiveMixture: Hashable, Sendable {
  case only(LiveKind)
  case all

  static let each: [LiveMixture] = [.all] + LiveKind.allCases.map(LiveMixture.only)

  var name: String {
    switch self {
    case .only(let kind): kind.rawValue
    case .all: "mixed"
    }
  }

  /// The kind of a list, and the list's number among the lists of this kind.
  func place(_ number: Int) -> (kind: LiveKind, number: Int) {
    switch self {
    case .only(let kind): (kind, number)
    case .all: (LiveKind.allCases[number % LiveKind.allCases.count], number / LiveKind.allCases.count)
    }
  }

  @MainActor
  func lists(_ count: Int, of data: LiveData, on store: Store) -> [LiveHandle] {
    lists(0..<count, of: data, on: store)
  }

  @MainActor
  func lists(_ numbers: Range<Int>, of data: LiveData, on store: Store) -> [LiveHandle] {
    numbers.map { number in
      let place = place(number)
      return place.kind.list(place.number, of: data, on: store)
    }
  }
}
