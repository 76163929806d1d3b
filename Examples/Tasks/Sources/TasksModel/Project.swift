import Foundation
import Sanderling

/// A list of tasks with a name.
@Record
public struct Project: Hashable, Sendable {
  public var id: UUID
  @Searchable public var name: String
  public static let tasks = hasMany(TodoTask.self, by: \.projectID)

  /// The project of tasks without a named project. Its key is the same on all devices, so that they share one inbox.
  public static let inbox = Project(id: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)), name: "Inbox")
}

extension WriteTransaction {
  /// Returns the key of the project with a name. Makes the project if there is none.
  func project(named name: String) throws -> Project.ID {
    if let known = try fetchFirst(Project.where { $0.name.folded == name }) { return known.id }
    let project = name == Project.inbox.name ? .inbox : Project(id: UUID(), name: name)
    try insert(project)
    return project.id
  }
}
