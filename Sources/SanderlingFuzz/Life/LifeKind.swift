/// What happens to a store beside writes and queries, by the names that `--steps` takes.
enum LifeKind: String, CaseIterable, Sendable {
  /// `store.erase()`.
  case erase
  /// `explainLive` and `explainLiveCount`.
  case explain
  /// Columns are added, renamed or dropped, tables rebuilt, dropped and made anew, by `store.migrate`.
  case migrate
  /// The same by the app: GRDB's migrator or plain statements on the writer.
  case appMigrate = "app-migrate"
  /// A table is renamed or dropped, and there again some commits later.
  case away
  /// A column is dropped, and there again later.
  case dropColumn = "drop-column"
  /// The store is closed, or let go, and another opened.
  case reopen
  /// Other stores on the same connections are opened, written through, and closed.
  case stores
  /// Time passes, after which tables are captured no more that nobody watches.
  case sweep
  /// The app is suspended, and resumed.
  case suspension
  /// Reads, opens and locks fail.
  case faults
  /// Another connection writes in a transaction that takes its time.
  case overlap
  /// `releaseMemory()`.
  case memory
  /// Another database is attached, written and detached.
  case attach
  /// Temporary tables are made, written and dropped.
  case temporary
  /// A copy is made, and later written over the open database.
  case backup
  /// `checkpoint(_:)`.
  case checkpoint
}
