import Observation

/// A stack of writes that a user can undo and redo, the latest first.
///
/// ```swift
/// let edits = UndoStack(store)
/// try await edits.write("Delete Project") { try $0.delete(project) }
/// try await edits.undo()
/// try await edits.redo()
/// ```
///
/// Belongs to the main actor, which does no database work. A write that bypasses the stack isn't on it. If such a write
/// changed the same rows, their undo is refused.
@MainActor @Observable
public final class UndoStack {
  private let store: Store
  private let limit: Int
  private var undoable: [InverseWrite] = []
  private var redoable: [InverseWrite] = []

  /// Creates an empty stack for writes to a store.
  ///
  /// - Parameter limit: The most writes that are kept. The oldest are forgotten.
  public init(_ store: Store, limit: Int = 100) {
    self.store = store
    self.limit = max(limit, 1)
  }

  /// The name of the write that ``undo()`` undoes; nil if there is none.
  public var undoName: String? { undoable.last?.name }
  /// The name of the write that ``redo()`` does again; nil if there is none.
  public var redoName: String? { redoable.last?.name }

  /// Runs a transaction that can be undone. Writes that were undone before can no longer be redone.
  ///
  /// - Parameter name: The name that menus show.
  /// - Throws: The errors of ``Store/writeUndoably(_:priority:function:line:_:)``.
  @discardableResult
  public func write<Value: Sendable>(
    _ name: String, _ body: @Sendable (WriteTransaction) throws -> Value
  ) async throws -> Value {
    let written = try await store.writeUndoably(name, body)
    push(written.inverse)
    return written.value
  }

  /// Pushes a write that ``Store/writeUndoably(_:priority:function:line:_:)`` returned, unless it changed nothing.
  /// Writes that were undone before can no longer be redone.
  public func push(_ inverse: InverseWrite) {
    if inverse.isEmpty { return }
    redoable = []
    undoable.append(inverse)
    if undoable.count > limit { undoable.removeFirst(undoable.count - limit) }
  }

  /// Undoes the latest write. Does nothing if there is none.
  ///
  /// - Throws: The errors of ``Store/undo(_:priority:)``. A write that is refused with ``UndoError`` leaves the stack.
  ///   After other errors it can be tried again.
  public func undo() async throws {
    guard let inverse = undoable.popLast() else { return }
    do {
      redoable.append(try await store.undo(inverse))
    } catch {
      if !(error is UndoError) { undoable.append(inverse) }
      throw error
    }
  }

  /// Does the write again that was undone last. Does nothing if there is none.
  ///
  /// - Throws: The errors of ``undo()``.
  public func redo() async throws {
    guard let inverse = redoable.popLast() else { return }
    do {
      undoable.append(try await store.undo(inverse))
    } catch {
      if !(error is UndoError) { redoable.append(inverse) }
      throw error
    }
  }

  /// Forgets all writes, for example when a document is closed.
  public func removeAll() {
    undoable = []
    redoable = []
  }
}
