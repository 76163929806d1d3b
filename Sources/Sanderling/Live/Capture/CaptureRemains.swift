import GRDB

/// The triggers and the function of a store that left a connection, until SQLite lets all of them be removed.
///
/// Removal can be refused. GRDB drops no trigger while the app is suspended or the task is cancelled, and SQLite drops
/// none while `PRAGMA query_only` is set. The remaining triggers capture nothing, and the app's writes work, since the
/// function outlives its triggers. Another try follows each transaction that may have written. Before a statement that
/// changes the schema, the triggers are dropped: SQLite drops no column that a trigger names.
///
/// ``leave(_:_:of:)`` makes this observer on the writer's queue, and the connection retains it. It ends when nothing is
/// left, or with the connection, whose temporary triggers and functions end too.
final class CaptureRemains: TransactionObserver {
  private var triggers: CaptureTriggerSet
  /// The connection. Valid whenever GRDB calls its observers.
  private let connection: SQLiteConnection?
  /// Weak, since the connection retains its observers. If an app wraps its writer in another one that it doesn't
  /// retain, only changes of the schema drop the triggers.
  private weak var writer: (any DatabaseWriter)?
  /// Whether a transaction may have written since the last try.
  private var isDue = false
  private var isScheduled = false

  private init(_ triggers: CaptureTriggerSet, _ db: Database, of writer: any DatabaseWriter) {
    self.triggers = triggers
    self.writer = writer
    connection = db.sqliteConnection
  }

  /// Removes triggers and their function from a connection, now or as soon as possible. From now on they capture
  /// nothing.
  static func leave(_ triggers: consuming CaptureTriggerSet, _ db: Database, of writer: any DatabaseWriter) {
    if (try? triggers.leave(db)) == true { return }
    let remains = CaptureRemains(triggers, db, of: writer)
    db.add(transactionObserver: remains, extent: .databaseLifetime)
    // The next access to the writer may drop triggers that a cancelled task may not.
    remains.schedule(db)
  }

  private func schedule(_ db: Database) {
    guard !isScheduled, let writer else { return }
    isScheduled = true
    let confined = WriterConfined(self, on: db)
    writer.asyncWriteWithoutTransaction { confined.value(on: $0).remove($0) }
  }

  private func remove(_ db: Database) {
    if db.sqliteConnection == nil { return }
    // GRDB doesn't report this try to observers: for GRDB, DROP TRIGGER writes no table.
    (isScheduled, isDue) = (false, db.isInsideTransaction)
    if (try? triggers.leave(db)) == true { db.remove(transactionObserver: self) }
  }

  /// Called before each statement. For deletions also while SQLite prepares a statement, when no other statement can
  /// run.
  func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool {
    isDue = true
    if case .update("sqlite_master", _) = eventKind, let connection { triggers.dropDirectly(on: connection) }
    return false
  }

  func databaseDidChange(with event: DatabaseEvent) {}

  func databaseDidCommit(_ db: Database) {
    if isDue { schedule(db) }
  }

  func databaseDidRollback(_ db: Database) {
    if isDue { schedule(db) }
  }
}
