import Observation
import Sanderling

/// The user's changes, which can be undone.
@MainActor @Observable
public final class TaskEditor {
  /// The error of the last change, for the user; nil if it succeeded.
  public private(set) var problem: String?
  private let changes: UndoStack

  public init(_ store: Store) { changes = UndoStack(store) }

  public var undoName: String? { changes.undoName }
  public var redoName: String? { changes.redoName }

  public func add(_ draft: TaskDraft) async {
    await write("Add Task") { tx in try tx.insert(draft.task(in: tx.project(named: draft.project))) }
  }

  public func toggle(_ id: TodoTask.ID) async {
    await write("Complete Task") { tx in try tx.update(TodoTask.self, key: id) { $0.isCompleted.toggle() } }
  }

  public func move(_ id: TodoTask.ID, to day: LocalDay?) async {
    await write("Move Task") { tx in try tx.update(TodoTask.self, key: id) { $0.dueOn = day } }
  }

  public func delete(_ id: TodoTask.ID) async {
    await write("Delete Task") { tx in try tx.delete(TodoTask.self, key: id) }
  }

  /// Deletes a project with its tasks.
  public func delete(project id: Project.ID) async {
    await write("Delete Project") { tx in try tx.delete(Project.self, key: id) }
  }

  public func undo() async { await report { try await changes.undo() } }
  public func redo() async { await report { try await changes.redo() } }

  private func write<Value: Sendable>(
    _ name: String, _ body: @Sendable (WriteTransaction) throws -> Value
  ) async {
    await report { try await changes.write(name, body) }
  }

  private func report<Value>(_ work: () async throws -> Value) async {
    do {
      _ = try await work()
      problem = nil
    } catch {
      problem = error.localizedDescription
    }
  }
}
