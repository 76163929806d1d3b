#if canImport(Darwin)
  public import Foundation

  extension UndoManager {
    /// Has the manager undo a write, then do it again, and so on. The write's name becomes the action's.
    ///
    /// ```swift
    /// let written = try await store.writeUndoably("Delete Project") { try $0.delete(project) }
    /// undoManager?.registerUndo(of: written.inverse, in: store) { error in problem = error }
    /// ```
    ///
    /// - Parameter onFailure: Called when a step is refused or fails. The manager has forgotten all steps of the store then.
    @MainActor
    public func registerUndo(
      of inverse: InverseWrite, in store: Store, onFailure: @escaping @MainActor @Sendable (any Error) -> Void
    ) {
      if inverse.isEmpty { return }
      registerUndo(of: Task { inverse }, in: store, onFailure)
      setActionName(inverse.name)
    }

    /// The manager treats a registration during an undo as the redo action, so that the registration must not wait for
    /// the database.
    @MainActor
    private func registerUndo(
      of inverse: Task<InverseWrite, any Error>, in store: Store,
      _ onFailure: @escaping @MainActor @Sendable (any Error) -> Void
    ) {
      let weak = WeakManager(self)
      registerUndo(withTarget: store) { store in
        MainActor.assumeIsolated {
          let step = Task { @MainActor in
            do {
              return try await store.undo(inverse.value)
            } catch {
              weak.manager?.removeAllActions(withTarget: store)
              onFailure(error)
              throw error
            }
          }
          weak.manager?.registerUndo(of: step, in: store, onFailure)
        }
      }
    }
  }

  /// The manager holds its steps, so these must not hold it.
  @MainActor
  private final class WeakManager {
    private(set) weak var manager: UndoManager?

    init(_ manager: UndoManager) {
      self.manager = manager
    }
  }
#endif
