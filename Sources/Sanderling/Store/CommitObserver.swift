import GRDB

/// Receives the events of a store's connection for writes. Called on the writer's queue.
protocol WriterListener: AnyObject {
  /// A statement is about to run that may write a table.
  func statementWillWrite(_ kind: DatabaseEventKind)
  /// The last thing in a transaction of the store's own, which holds the write lock.
  func transactionWillEnd(_ db: Database)
  func willCommit()
  func didCommit(_ db: Database)
  func didRollback(_ db: Database)
  /// The store is about to replace the schema, or to migrate it. Outside of a transaction.
  func schemaWillChange(_ db: Database) throws
  /// The schema has its final state. Called also when the change failed.
  func schemaDidChange(_ db: Database)
  /// The store leaves the connection, which may live on, and may have an open transaction of the app.
  func leave(_ db: Database, of writer: any DatabaseWriter)
}

/// The one observer that a store registers. GRDB asks every observer about every statement, so one must do.
///
/// Belongs to the writer's queue. Counts commits by itself as long as there is no listener.
final class CommitObserver: TransactionObserver {
  private let sequence: CommitSequence
  /// Folds the texts that plain GRDB calls write; nil if none are folded.
  var folding: FoldWorker?
  /// Whether the transaction is one of the store, which leaves no text to be folded.
  private var isOwn = false
  private var listener: (any WriterListener)?
  /// Whether the store is changing the schema.
  private var isSchemaChanging = false
  /// The connection's number for writes of others at the last ``hasOutsideChanges(_:)`` or the opening of the store;
  /// nil if it could not be read.
  private var dataVersion: Int64?

  init(_ sequence: CommitSequence, on db: Database) {
    self.sequence = sequence
    dataVersion = Self.dataVersion(db)
  }

  /// Whether another connection or process wrote since this was asked last, or since the store was opened. A version that can't be read
  /// counts as written. Outside of a transaction.
  func hasOutsideChanges(_ db: Database) -> Bool {
    let now = Self.dataVersion(db)
    defer { dataVersion = now }
    return now == nil || now != dataVersion
  }

  private static func dataVersion(_ db: Database) -> Int64? {
    if db.sqliteConnection == nil { return nil }
    return try? Int64.fetchOne(db, sql: "PRAGMA main.data_version")
  }

  /// Reports events to a listener from now on. Outside of a transaction.
  func begin(telling listener: any WriterListener, _ db: Database) throws {
    if isSchemaChanging { try listener.schemaWillChange(db) }
    self.listener = listener
  }

  /// Leaves the connection, with all that the listener made on it.
  func leave(_ db: Database, of writer: any DatabaseWriter) {
    listener?.leave(db, of: writer)
    listener = nil
    db.remove(transactionObserver: self)
  }

  /// Tells that the store is about to replace the schema, or to migrate it. Outside of a transaction.
  func schemaWillChange(_ db: Database) throws {
    try listener?.schemaWillChange(db)
    isSchemaChanging = true
  }

  /// Tells that the change is over, or failed.
  func schemaDidChange(_ db: Database) {
    isSchemaChanging = false
    // GRDB reports no commit when the database was replaced. The rows are others then, and their texts may wait to be
    // folded.
    if !sequence.isUnderWay {
      sequence.begin()
      sequence.complete()
    }
    folding?.wake()
    listener?.schemaDidChange(db)
  }

  /// The last thing in a transaction of the store's own.
  func transactionWillEnd(_ db: Database) {
    isOwn = true
    listener?.transactionWillEnd(db)
  }

  /// Reports to the listener what a statement may write. Triggers report the rows; GRDB doesn't.
  func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool {
    listener?.statementWillWrite(eventKind)
    return false
  }

  func databaseDidChange(with event: DatabaseEvent) {}

  func databaseWillCommit() {
    guard let listener else { return sequence.begin() }
    listener.willCommit()
  }

  func databaseDidCommit(_ db: Database) {
    if !isOwn { folding?.wake() }
    isOwn = false
    guard let listener else { return sequence.complete() }
    listener.didCommit(db)
  }

  func databaseDidRollback(_ db: Database) {
    isOwn = false
    if let listener { return listener.didRollback(db) }
    if sequence.isUnderWay { sequence.cancel() }
  }
}
