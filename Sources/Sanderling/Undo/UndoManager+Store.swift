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

    /// The manager takes what is registered while it undoes for what does it again, so that must not wait for the database.
    @MainActor
    private func registerUndo(
      of inverse: Task<InverseWrite, any Error>, in store: Store,
      _ onFailure: @escaping @MainActor @Sendable (any Error) -> Void
    ) {
      // Safe: a manager that holds steps of a user interface is used on the main thread only, where it calls its handlers.
      nonisolated(unsafe) weak var manager = self
      registerUndo(withTarget: store) { store in
        MainActor.assumeIsolated {
          let step = Task { @MainActor in
            do {
              return try await store.undo(inverse.value)
            } catch {
              manager?.removeAllActions(withTarget: store)
              onFailure(error)
              throw error
            }
          }
          manager?.registerUndo(of: step, in: store, onFailure)
        }
      }
    }
  }
#endif
