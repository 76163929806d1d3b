import Foundation
import Sanderling
import SanderlingSwiftUI
import SwiftUI

@Record
struct Project {
  var id: UUID
  var name: String
  static let tasks = hasMany(TodoTask.self, by: \.projectID)
}

@Record(indexes: [.on(\.projectID, \.isCompleted, \.dueAt)])
struct TodoTask {
  var id: UUID
  @References(Project.self, onDelete: .cascade) var projectID: UUID
  var title: String
  var isCompleted = false
  var dueAt: Date?
  static let project = belongsTo(Project.self, by: \.projectID)
}

struct OpenTasks: View {
  @FollowedRows(TodoTask.where { !$0.isCompleted }.order { $0.title }, window: 50) private var tasks
  @FollowedCount(TodoTask.where { !$0.isCompleted }) private var open

  var body: some View {
    List {
      Text("\(open ?? 0) open")
      ForEach(tasks) { task in Text(task.title) }
    }
  }
}

struct ContentView: View {
  let store: Store

  var body: some View {
    OpenTasks().sanderlingStore(store)
  }
}
