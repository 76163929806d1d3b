public import Foundation
public import Sanderling

@Record(indexes: [.unique(on: \.name), .on(\.parentID)])
public struct Project: Hashable {
  public var id: UUID
  @Searchable @Stored(collation: .nocase) public var name: String
  public var parentID: Project.ID?
  @Stored(as: .json) public var place: Place?
  @Stored(as: .json) public var labels: [String: Place] = [:]
  @Stored(as: .json) public var settings: Settings = .standard
  public var budget: Money

  /// A value that is stored as JSON, by this record only.
  public struct Settings: Codable, Hashable, Sendable {
    public var color: String
    public static let standard = Settings(color: "green")
  }

  public static let tasks = hasMany(TodoTask.self, by: \.projectID)
  public static let openTasks: HasMany<Project, TodoTask> = hasMany(TodoTask.self, by: \.projectID).filter {
    !$0.isCompleted
  }
  public static let parent = belongsTo(Project.self, by: \.parentID)
  public static let children = hasMany(Project.self, by: \.parentID)
  public static let descendants = hasMany(Project.self, by: \.parentID).recursive(includingSelf: true)

  public init(
    id: UUID = UUID(), name: String, parentID: Project.ID? = nil, place: Place? = nil, budget: Money = Money(cents: 0)
  ) {
    self.id = id
    self.name = name
    self.parentID = parentID
    self.place = place
    self.budget = budget
  }
}

@Record("task", indexes: [.on(\.projectID, \.isCompleted, .descending(\.dueAt)), .unique(on: \.projectID, \.title)])
public struct TodoTask: Hashable {
  public var id: UUID
  @References(Project.self, onDelete: .cascade, onUpdate: .cascade) public var projectID: UUID
  @Stored("task_title") public var title: String
  public var isCompleted = false
  public var dueAt: Date?
  @Stored(as: .dateText) public var createdAt: Date
  @Stored(as: .iso8601) public var changedAt: Date?
  @Stored(as: .unixSeconds) public var seenAt: Date?
  @Stored(as: .unixMilliseconds) public var syncedAt: Date?
  @Stored(as: .uuidText) public var serverID: UUID?
  @Stored(as: .lowercaseUUIDText) public var otherID: UUID?
  public var priority: Priority = .medium
  public var status: Status = .open
  public var estimate: Int?
  public var effort: Double = 1
  @Stored(as: Cents.self) public var price: Decimal
  @Stored(as: Cents.self) public var discount: Decimal?
  @Stored(as: Reversed.self) public var secret: String = ""
  @Stored(default: "unixepoch()") public var rank: Int
  public var tag: Tag?
  public var link: URL?
  public var thumbnail: Data?
  public static let project = belongsTo(Project.self, by: \.projectID)
  public static let labels = hasMany(TaskLabel.self, by: \.taskID)
  public static let notes = hasMany(Note.self, through: labels, using: TaskLabel.notes)
  public static let siblings = hasMany(TodoTask.self, through: project, using: Project.tasks)

  public init(id: UUID = UUID(), projectID: UUID, title: String, isCompleted: Bool = false, dueAt: Date? = nil) {
    self.id = id
    self.projectID = projectID
    self.title = title
    self.isCompleted = isCompleted
    self.dueAt = dueAt
    createdAt = Date(timeIntervalSince1970: 0)
    price = 0
    rank = 0
  }
}

/// A record with a key of two columns.
@Record
public struct TaskLabel: Hashable {
  @PrimaryKey @References(TodoTask.self, onDelete: .cascade) public var taskID: UUID
  @PrimaryKey public var label: String
  public static let task = belongsTo(TodoTask.self, by: \.taskID)
  public static let notes = hasMany(Note.self, by: \.taskID, \.label)
  public static let allNotes = hasMany(Note.self, by: \.taskID, \.label, scoped: false)
}

/// A record whose key SQLite assigns.
@Record
public struct Note: Hashable {
  public var id: Int64?
  public var taskID: UUID
  public var label: String
  public var text: String
  @Stored(touch: .onInsert) public var createdAt: Date?
  @Stored("changed", as: .unixMilliseconds, touch: .onUpdate) public var changedAt: Date = .distantPast
  @Stored(as: Reversed.self, touch: nil) public var author: String = ""
  @Stored(touch: .version) public var version = 1
  @Stored(touch: .onDelete) public var deletedAt: Date?
  public static let defaultScope = Condition<Note> { $0.text != "" }
  public static let taskLabel = belongsTo(TaskLabel.self, by: \.taskID, \.label)
  public static let siblings = hasMany(Note.self, through: taskLabel, using: TaskLabel.notes)
  public static let indexes: [Index<Note>] = [
    .on(.ascending(\.taskID), .descending(\.label, collation: .nocase), name: "byLabel"),
    .on(.expression { $0.text.lowercased() }).where { $0.text != "" },
  ]

  public init(id: Int64? = nil, taskID: UUID, label: String, text: String) {
    (self.id, self.taskID, self.label, self.text) = (id, taskID, label, text)
  }
}

/// A record of a view that the extras create.
@Record(view: "openTask")
public struct OpenTask: Hashable {
  public var id: UUID
  public var title: String
  public static let task = belongsTo(TodoTask.self, by: \.id)
}

@Projection(of: Project.self)
public struct ProjectSummary: Hashable {
  public var id: UUID
  public var name: String
  public var parentName: String?
  public var openTasks: Int
  public var lastDueAt: Date?
  public var effort: Double
  static let parentName = aggregate { $0.parent.name }
  static let openTasks = aggregate { $0.openTasks.count }
  static let lastDueAt = aggregate { $0.tasks.max(\.dueAt) }
  static let effort = aggregate { $0.tasks.sum(\.effort) }
}

/// A projection of a task with parts of its project.
@Projection(of: TodoTask.self)
public struct TaskRow: Hashable {
  public var id: UUID
  public var title: String
  public var project: ProjectSummary
  public var parent: Project?
  static let project = nested(ProjectSummary.self) { $0.project }
  static let parent = nested(Project.self) { $0.project.parent }
}

public let schema: [any StoredRecord.Type] = [Project.self, TodoTask.self, TaskLabel.self, Note.self, OpenTask.self]
