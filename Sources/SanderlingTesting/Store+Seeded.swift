public import GRDB
public import Sanderling

extension Store {
  /// Makes a store in memory that holds rows from the start.
  ///
  /// ```swift
  /// let store = try Store.seeded([Project.self, TodoTask.self]) { tx in
  ///   try tx.insert(Project(id: home, name: "Home"))
  /// }
  /// ```
  ///
  /// Live results are compared with the database at each commit: see ``LiveAudit``. A difference ends the test's process.
  ///
  /// Runs on the calling thread.
  ///
  /// - Parameters:
  ///   - extras: Steps that create objects which records don't declare, such as views and triggers.
  ///   - clock: By which live results are spaced. ``ManualClock`` has a test say when time passes.
  ///   - liveInterval: The least time between two changes of live results; by default none, so that nothing has to be
  ///     waited for but work.
  ///   - audit: Whether live results are compared with the database, and the reaction to a difference.
  ///   - seed: Writes the rows, in one transaction.
  /// - Throws: ``/Sanderling/StoreError``, and the errors of the closure.
  public static func seeded(
    _ schema: [any StoredRecord.Type], extras: DatabaseMigrator? = nil, clock: any Clock<Duration> = ContinuousClock(),
    liveInterval: Duration = .zero,
    audit: LiveAudit = .failing, _ seed: (WriteTransaction) throws -> Void = { _ in }
  ) throws -> Store {
    let store = try Store(inMemory: schema, extras: extras, clock: clock, liveInterval: liveInterval, audit: audit)
    try store.writeBlocking("seed", seed)
    return store
  }

  /// A store in memory for a preview, which can't handle an error.
  ///
  /// ```swift
  /// #Preview {
  ///   ProjectList(store: .preview([Project.self]) { tx in try tx.insert(Project(id: UUID(), name: "Home")) })
  /// }
  /// ```
  ///
  /// Runs on the calling thread.
  ///
  /// - Parameters:
  ///   - extras: Steps that create objects which records don't declare, such as views and triggers.
  ///   - seed: Writes the rows, in one transaction.
  /// - Precondition: The rows can be written; otherwise the preview ends with the store's error.
  public static func preview(
    _ schema: [any StoredRecord.Type], extras: DatabaseMigrator? = nil,
    _ seed: (WriteTransaction) throws -> Void = { _ in }
  ) -> Store {
    do {
      return try seeded(schema, extras: extras, liveInterval: defaultLiveInterval, audit: .everyCommit(), seed)
    } catch {
      preconditionFailure("The preview's store could not be made: \(error)")
    }
  }
}

extension LiveAudit {
  /// Checks each commit, and ends the process with a description of the difference, which fails a test of any framework. To have other
  /// tests go on, record a failure of the framework instead: `.everyCommit { Issue.record("\($0)") }`.
  public static let failing = everyCommit { difference in fatalError("\(difference)") }
}
