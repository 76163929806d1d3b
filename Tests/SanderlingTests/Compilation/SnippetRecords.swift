/// The records that snippets use: those of the documentation, with more types of columns.
let snippetRecords = #"""
  import Foundation
  import Sanderling

  @Record
  struct Project {
    var id: UUID
    var name: String
    var parentID: Project.ID?
    static let parent = belongsTo(Project.self, by: \.parentID)
    static let tasks = hasMany(TodoTask.self, by: \.projectID)
    static let comments = hasMany(Comment.self, by: \.projectID)
    static let children = hasMany(Project.self, by: \.parentID)
  }

  @Record(indexes: [.on(\.projectID, \.isCompleted, \.dueAt)])
  struct TodoTask {
    enum Priority: Int, SortableColumnValue { case low, medium, high }
    var id: UUID
    @References(Project.self, onDelete: .cascade) var projectID: UUID
    var title: String
    var isCompleted = false
    var dueAt: Date?
    var priority: Priority = .medium
    var estimate: Int?
    var effort: Double = 1
    @Stored(as: .json) var tags: [String] = []
    var price: Decimal = 0
    static let project = belongsTo(Project.self, by: \.projectID)
    static let comments = hasMany(Comment.self, by: \.taskID)
  }

  @Record
  struct Comment {
    var id: UUID
    @References(Project.self) var projectID: UUID
    var taskID: UUID?
    var text: String
    static let task = belongsTo(TodoTask.self, by: \.taskID)
  }

  @Projection(of: Project.self)
  struct ProjectSummary {
    var id: UUID
    var name: String
    var openTasks: Int
    var comments: Int
    static let openTasks = aggregate { $0.tasks.filter { !$0.isCompleted }.count }
    static let comments = aggregate { $0.comments.count }
  }
  """#
