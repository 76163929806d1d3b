import GRDB

/// Receives the events of a store's writer, on the writer's queue.
protocol WriterListener: AnyObject {
  /// A statement is about to run that may write a table.
  func statementWillWrite(_ kind: DatabaseEventKind)
  /// A transaction of the store itself is about to commit, and holds the write lock. This is its last call.
  func transactionWillEnd(_ db: Database)
  func willCommit()
  func didCommit(_ db: Database)
  func didRollback(_ db: Database)
  /// The store is about to replace or migrate the schema. Called outside of a transaction.
  func schemaWillChange(_ db: Database) throws
  /// The schema has its final state. Also called if the change failed.
  func schemaDidChange(_ db: Database)
  /// The store leaves the connection. The connection may live on, and may have an open transaction of the app.
  func leave(_ db: Database, of writer: any DatabaseWriter)
}

/// The observer that a store registers. There is only one, because GRDB asks every observer about every statement.
///
/// Belongs to the writer's queue. Counts the commits itself while there is no listener.
final class CommitObserver: TransactionObserver {
  private let sequence: CommitSequence
  /// Folds the texts that plain GRDB calls write; nil if no texts are folded.
  var folding: FoldWorker?
  /// Whether the transaction is one of the store itself, which leaves no texts to fold.
  private var isOwn = false
  private var listener: (any WriterListener)?
  /// Whether the store is changing the schema.
  private var isSchemaChanging = false
  /// SQLite's data version at the last ``hasOutsideChanges(_:)``, or at the opening of the store; nil if it could not
  /// be read.
  private var dataVersion: Int64?

  init(_ sequence: CommitSequence, on db: Database) {
    self.sequence = sequence
    dataVersion = Self.dataVersion(db)
  }

  /// Whether another connection or process wrote since the last call, or since the store was opened. Also true if the
  /// data version can't be read. Must be called outside of a transaction.
  func hasOutsideChanges(_ db: Database) -> Bool {
    let now = Self.dataVersion(db)
    defer { dataVersion = now }
    return now == nil || now != dataVersion
  }

  private static func dataVersion(_ db: Database) -> Int64? {
    if db.sqliteConnection == nil { return nil }
    return try? Int64.fetchOne(db, sql: "PRAGMA main.data_version")
  }

  /// Reports events to a listener from now on. Must be called outside of a transaction.
  func begin(telling listener: any WriterListener, _ db: Database) throws {
    if isSchemaChanging { try listener.schemaWillChange(db) }
    self.listener = listener
  }

  /// Leaves the connection, with everything that the listener made on it.
  func leave(_ db: Database, of writer: any DatabaseWriter) {
    listener?.leave(db, of: writer)
    listener = nil
    db.remove(transactionObserver: self)
  }

  /// Notes and reports that the store is about to replace or migrate the schema. Must be called outside of a
  /// transaction.
  func schemaWillChange(_ db: Database) throws {
    try listener?.schemaWillChange(db)
    isSchemaChanging = true
  }

  /// Notes and reports that the change of the schema ended or failed.
  func schemaDidChange(_ db: Database) {
    isSchemaChanging = false
    // GRDB reports no commit if a copy replaced the database, so a commit is counted here. The texts of the new rows
    // may wait to be folded.
    if !sequence.isUnderWay {
      sequence.begin()
      sequence.complete()
    }
    folding?.wake()
    listener?.schemaDidChange(db)
  }

  /// Must be the last call in a transaction of the store itself.
  func transactionWillEnd(_ db: Database) {
    isOwn = true
    listener?.transactionWillEnd(db)
  }

  /// Reports to the listener which table a statement may write. Triggers capture the rows, so GRDB need not report
  /// them.
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
