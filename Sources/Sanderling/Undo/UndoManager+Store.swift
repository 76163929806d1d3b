#if canImport(Darwin)
  public import Foundation

  extension UndoManager {
    /// Registers a write for undo and redo with the manager. The write's name becomes the action's name.
    ///
    /// ```swift
    /// let written = try await store.writeUndoably("Delete Project") { try $0.delete(project) }
    /// undoManager?.registerUndo(of: written.inverse, in: store) { error in problem = error }
    /// ```
    ///
    /// - Parameter onFailure: Called if a step is refused or fails. The manager has then forgotten all steps of the
    ///   store.
    @MainActor
    public func registerUndo(
      of inverse: InverseWrite, in store: Store, onFailure: @escaping @MainActor @Sendable (any Error) -> Void
    ) {
      if inverse.isEmpty { return }
      registerUndo(of: Task { inverse }, in: store, onFailure)
      setActionName(inverse.name)
    }

    /// Registers a step whose inverse may still be running. The manager treats a registration during an undo as the
    /// redo action, so the registration must not wait for the database.
    @MainActor
    private func registerUndo(
      of inverse: Task<InverseWrite, any Error>, in store: Store,
      _ onFailure: @escaping @MainActor @Sendable (any Error) -> Void
    ) {
      let weak = WeakManager(self)
      registerUndo(withTarget: store) { store in
        // Safe, because a manager of the main actor calls its handlers on the main thread.
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

  /// A weak reference to the manager. The manager retains its steps, so that the steps must not retain the manager.
  @MainActor
  private final class WeakManager {
    private(set) weak var manager: UndoManager?

    init(_ manager: UndoManager) {
      self.manager = manager
    }
  }
#endif
