import Observation

/// The writes that a user can undo and do again, the last first.
///
/// ```swift
/// let edits = UndoStack(store)
/// try await edits.write("Delete Project") { try $0.delete(project) }
/// try await edits.undo()
/// try await edits.redo()
/// ```
///
/// Belongs to the main actor, where no database work is done. A write that doesn't use the stack isn't on it; an undo of the rows that it
/// changed is refused.
@MainActor @Observable
public final class UndoStack {
  private let store: Store
  private let limit: Int
  private var undoable: [InverseWrite] = []
  private var redoable: [InverseWrite] = []

  /// Creates an empty stack for writes to a store.
  ///
  /// - Parameter limit: How many writes are kept; the oldest are forgotten.
  public init(_ store: Store, limit: Int = 100) {
    self.store = store
    self.limit = max(limit, 1)
  }

  /// The name of the write that ``undo()`` takes back; nil when there is none.
  public var undoName: String? { undoable.last?.name }
  /// The name of the write that ``redo()`` does again; nil when there is none.
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

  /// Puts a write on the stack that ``Store/writeUndoably(_:priority:function:line:_:)`` returned, unless it changed nothing.
  public func push(_ inverse: InverseWrite) {
    if inverse.isEmpty { return }
    redoable = []
    undoable.append(inverse)
    if undoable.count > limit { undoable.removeFirst(undoable.count - limit) }
  }

  /// Takes the last write back. Does nothing when there is none.
  ///
  /// - Throws: The errors of ``Store/undo(_:priority:)``. A write that is refused with ``UndoError`` leaves the stack; after other errors
  ///   it can be tried again.
  public func undo() async throws {
    guard let inverse = undoable.popLast() else { return }
    do {
      redoable.append(try await store.undo(inverse))
    } catch {
      if !(error is UndoError) { undoable.append(inverse) }
      throw error
    }
  }

  /// Does the write again that was undone last. Does nothing when there is none.
  ///
  /// - Throws: As ``undo()``.
  public func redo() async throws {
    guard let inverse = redoable.popLast() else { return }
    do {
      undoable.append(try await store.undo(inverse))
    } catch {
      if !(error is UndoError) { redoable.append(inverse) }
      throw error
    }
  }

  /// Forgets all writes, as when a document is closed.
  public func removeAll() {
    undoable = []
    redoable = []
  }
}
