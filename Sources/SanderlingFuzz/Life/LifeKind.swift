/// The events of a store's life beside writes and queries, by the names that `--steps` takes.
enum LifeKind: String, CaseIterable, Sendable {
  /// `store.erase()`.
  case erase
  /// `explainLive` and `explainLiveCount`.
  case explain
  /// Columns are added, renamed or dropped, and tables are rebuilt or dropped and recreated, by `store.migrate`.
  case migrate
  /// Changes of the schema by the app, with GRDB's migrator or plain statements on the writer.
  case appMigrate = "app-migrate"
  /// A table is renamed or dropped, and restored some commits later.
  case away
  /// A column is dropped and restored later.
  case dropColumn = "drop-column"
  /// The store is closed or released, and another one is opened.
  case reopen
  /// Other stores on the same connections are opened, written through, and closed.
  case stores
  /// Time passes, after which the capture of tables without subscribers ends.
  case sweep
  /// The app is suspended and resumed.
  case suspension
  /// Reads, opens and locks fail.
  case faults
  /// Another connection writes in a long transaction.
  case overlap
  /// `releaseMemory()`.
  case memory
  /// Another database is attached, written and detached.
  case attach
  /// Temporary tables are created, written and dropped.
  case temporary
  /// A copy is made and later restored over the open database.
  case backup
  /// `checkpoint(_:)`.
  case checkpoint
}
