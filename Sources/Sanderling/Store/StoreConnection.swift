import GRDB
import Synchronization

/// The writer of a store, shared with the followers of its commits. Either may live longer.
///
/// It registers the store's observer when it is created, and removes the observer when it is closed or released,
/// because an adopted writer lives on.
final class StoreConnection: Sendable {
  let writer: any DatabaseWriter
  /// Whether the store opened the writer, and so closes it. An adopted writer belongs to the app.
  let ownsWriter: Bool
  /// Whether reads have their own connections.
  let readsConcurrently: Bool
  let sequence = CommitSequence()
  /// The worker that folds the texts of other writers; nil if no text is searchable, or the database is read-only.
  let folding: FoldWorker?
  /// Names the store's commits in its history; nil if no record keeps one.
  let history: HistoryWriter?
  private let observer: WriterConfined<CommitObserver>
  private let closed = Atomic(false)

  /// Registers the store's observer on a writer.
  ///
  /// - Throws: The error of a read from a writer of an unknown kind; ``HistoryError/unsuitable(table:reason:)``.
  init(_ writer: any DatabaseWriter, ownsWriter: Bool, schema: StoreSchema) throws {
    self.writer = writer
    self.ownsWriter = ownsWriter
    readsConcurrently = try writer.readsConcurrently
    folding = FoldWorker(schema, on: writer)
    history = HistoryTables(schema).map { HistoryWriter($0) }
    try history?.tables.open(writer)
    observer = writer.writeWithoutTransaction { [sequence, folding] db in
      let observer = CommitObserver(sequence, on: db)
      observer.folding = folding
      if db.sqliteConnection != nil { db.add(transactionObserver: observer, extent: .databaseLifetime) }
      return WriterConfined(observer, on: db)
    }
    folding?.wake()
  }

  deinit {
    if !closed.load(ordering: .relaxed) { leaveWriter() }
  }

  /// The store's observer. Must be called on the writer's queue.
  func observer(_ db: Database) -> CommitObserver {
    observer.value(on: db)
  }

  var isClosed: Bool { closed.load(ordering: .acquiring) }

  /// Checks that the connection is open.
  ///
  /// - Throws: ``StoreError/closed``.
  func throwIfClosed() throws {
    if isClosed { throw StoreError.closed }
  }

  /// Closes a writer that the store opened. Leaves an adopted writer, once its queue is free.
  func close() throws {
    if ownsWriter { try writer.close() }
    if closed.exchange(true, ordering: .acquiringAndReleasing) { return }
    folding?.close()
    if !ownsWriter { leaveWriter() }
  }

  private func leaveWriter() {
    writer.asyncWriteWithoutTransaction { [observer, writer] db in
      if db.sqliteConnection == nil { return }
      observer.value(on: db).leave(db, of: writer)
    }
  }
}

extension DatabaseWriter {
  /// Whether reads have their own connections, as in a pool or in a wrapped pool.
  fileprivate var readsConcurrently: Bool {
    get throws {
      if self is DatabasePool { return true }
      if self is DatabaseQueue { return false }
      // A pool's readers can't write, whatever the configuration of its writer. `unsafeRead` is safe, because it runs
      // no SQL.
      return try unsafeRead { $0.configuration.readonly && !configuration.readonly }
    }
  }
}
