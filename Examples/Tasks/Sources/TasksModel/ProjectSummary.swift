import Foundation
import Sanderling

/// A project with its counts. One query reads all projects, and each count is a subquery of its own.
@Projection(of: Project.self)
public struct ProjectSummary: Hashable, Sendable {
  public var id: UUID
  public var name: String
  public var open: Int
  public var completed: Int
  public var nextDay: LocalDay?
  static let open = aggregate { $0.tasks.filter { !$0.isCompleted }.count }
  static let completed = aggregate { $0.tasks.filter { $0.isCompleted }.count }
  static let nextDay = aggregate { $0.tasks.filter { !$0.isCompleted }.min(\.dueOn) }
}
