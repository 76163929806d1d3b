import Foundation
import Sanderling

/// A task. The indexes serve the lists of all tasks and of one project's tasks, in their order.
@Record(indexes: [.on(\.dueOn, \.title, \.id), .on(\.projectID, \.dueOn, \.title, \.id)])
public struct TodoTask: Hashable, Sendable {
  public var id: UUID
  @References(Project.self, onDelete: .cascade) public var projectID: UUID
  @Searchable(.words) public var title: String
  public var isCompleted = false
  /// The day has no time zone: a task that is due on the 3rd is due on the 3rd everywhere.
  public var dueOn: LocalDay?
}
