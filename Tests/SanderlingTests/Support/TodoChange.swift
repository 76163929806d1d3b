import Foundation
import Sanderling

/// A random change of projects, tasks and comments, with few rows of each.
enum TodoChange: Sendable {
  case project(UUID, String, parent: UUID?)
  case task(UUID, UUID, String, isCompleted: Bool)
  case comment(UUID, project: UUID, task: UUID?, String)
  case deleteProject(UUID)
  case deleteTask(UUID)
  case completeAll(UUID)

  static func random(using generator: inout SeededGenerator) -> TodoChange {
    func id(_ base: UInt64, _ count: UInt64) -> UUID { UUID(base + .random(in: 0..<count, using: &generator)) }
    let text = ["a", "b", "c", "d"].randomElement(using: &generator) ?? ""
    switch Int.random(in: 0..<10, using: &generator) {
    case 0..<2: return .project(id(1, 8), text, parent: Bool.random(using: &generator) ? id(1, 8) : nil)
    case 2..<6: return .task(id(100, 30), id(1, 8), text, isCompleted: Bool.random(using: &generator))
    case 6..<8:
      return .comment(id(200, 20), project: id(1, 8), task: Bool.random(using: &generator) ? id(100, 30) : nil, text)
    case 8: return Bool.random(using: &generator) ? .deleteProject(id(1, 8)) : .deleteTask(id(100, 30))
    default: return .completeAll(id(1, 8))
    }
  }

  func run(_ tx: WriteTransaction) throws {
    switch self {
    case .project(let id, let name, let parent): try tx.upsert(Project(id: id, name: name, parentID: parent))
    case .task(let id, let project, let title, let isCompleted):
      guard try tx.fetch(Project.self, key: project) != nil else { return }
      try tx.upsert(TodoTask(id: id, projectID: project, title: title, isCompleted: isCompleted))
    case .comment(let id, let project, let task, let text):
      guard try tx.fetch(Project.self, key: project) != nil else { return }
      if let task, try tx.fetch(TodoTask.self, key: task) == nil { return }
      try tx.upsert(Comment(id: id, projectID: project, taskID: task, text: text, createdAt: Date(at: 0)))
    case .deleteProject(let id): try tx.delete(Project.self, key: id)
    case .deleteTask(let id): try tx.delete(TodoTask.self, key: id)
    case .completeAll(let project):
      try tx.update(TodoTask.where { $0.projectID == project }, .set(\.isCompleted, to: true))
    }
  }
}
