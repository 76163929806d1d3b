extension SyncSession {
  /// Updates the records to the source's present state: for *pull to refresh*, and when the app becomes active.
  ///
  /// ```swift
  /// List(notes) { … }.refreshable { try? await session.refresh() }
  /// ```
  ///
  /// If a run follows its server, it polls at once, and this method returns when the changes are applied. Without a
  /// run, the method starts one, which ends when it has caught up, even with an adapter that follows. A source of the
  /// app's own can't be made to poll: then the method waits for the end of the run, and runs again. Cancelling the task
  /// ends the wait, and a run that this method started.
  ///
  /// - Throws: The error of the poll, while the run continues and polls again; the errors of ``run()``.
  public func refresh() async throws {
    while !control.begin() {
      let source = source as? any LookingSource
      let failed = source?.failedLooks.current.count ?? 0
      let hasLooked = try await withThrowingTaskGroup(of: Bool.self) { group in
        group.addTask { try await self.control.look { source?.lookNow() } }
        if let looks = source?.failedLooks {
          group.addTask {
            await looks.wait { $0.count > failed }
            try Task.checkCancellation()
            throw looks.current.error ?? CancellationError()
          }
        }
        defer { group.cancelAll() }
        return try await group.next() ?? false
      }
      if hasLooked { return }
    }
    _ = try await begun(endsWithLook: true)
  }
}
