import GRDB
import Synchronization

/// The writer of a store, shared with the followers of its commits. The store, or they, may live longer.
///
/// It registers the store's observer when it is made, and removes it when it is closed or released: an adopted writer
/// lives on.
final class StoreConnection: Sendable {
  let writer: any DatabaseWriter
  /// Whether the store opened the writer, and closes it. An adopted one is the app's.
  let ownsWriter: Bool
  /// Whether reads have connections of their own.
  let readsConcurrently: Bool
  let sequence = CommitSequence()
  /// Folds the texts that others wrote; nil where no text is searchable.
  let folding: FoldWorker?
  private let observer: WriterConfined<CommitObserver>
  private let closed = Atomic(false)

  /// - Throws: The error of a read from a writer of an unknown kind.
  init(_ writer: any DatabaseWriter, ownsWriter: Bool, schema: StoreSchema) throws {
    self.writer = writer
    self.ownsWriter = ownsWriter
    readsConcurrently = try writer.readsConcurrently
    folding = FoldWorker(schema, on: writer)
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

  /// On the writer's queue.
  func observer(_ db: Database) -> CommitObserver {
    observer.value(on: db)
  }

  var isClosed: Bool { closed.load(ordering: .acquiring) }

  /// - Throws: ``StoreError/closed``.
  func throwIfClosed() throws {
    if isClosed { throw StoreError.closed }
  }

  /// Closes a writer that the store opened. An adopted one is left, once its queue is next free.
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
  /// Whether reads have connections of their own, as in a pool or in a wrapped pool.
  fileprivate var readsConcurrently: Bool {
    get throws {
      if self is DatabasePool { return true }
      if self is DatabaseQueue { return false }
      // A pool's readers can't write, whatever the configuration of its writer.
      return try unsafeRead { $0.configuration.readonly && !configuration.readonly }
    }
  }
}
