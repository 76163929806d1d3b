import GRDB
import Sanderling
import SanderlingSQLite

/// Checkpoints a store's write-ahead log during a run, beside the run's and the app's transactions.
///
/// SQLite checkpoints within the commit that makes the log longer than 1,000 pages, as far as readers allow. It
/// restarts the log if everything was checkpointed before a transaction begins. That commit waits for the disk, even if
/// it is a user's write. So a run checkpoints on its own connection without either waiting for the other, and turns off
/// the writer's automatic checkpoints meanwhile. While transactions go on, the end of the log is never checkpointed. So
/// if the log has become long, the run waits, and then the writer waits for the small remainder.
///
/// The first call with enough work opens the connection. ``end()`` closes it and restores the writer's automatic
/// checkpoints. A database without such a log, or one that can't be opened twice, is left alone. After a failure, the
/// next transaction tries again.
final class WriteAheadLog: Sendable {
  /// The number of pages after which they are checkpointed.
  private static let pages: Int32 = 400
  /// The number of pages from which the log is to be restarted.
  private static let limit = 1_500

  private struct State {
    /// The writer's number of written pages at the last checkpoint.
    var moved: Int32 = 0
    /// The length of the log at that time in pages.
    var length = 0
    var connection: Connection?
    var moving: Task<Void, Never>?
  }

  private enum Connection {
    case open(DatabaseQueue, held: ObjectIdentifier?)
    case none
  }

  private let store: Store
  /// Guards the connection and its work. The run's task makes the calls one after the other.
  private let state = Lock(State())

  init(_ store: Store) {
    self.store = store
  }

  /// Begins a checkpoint if the writer has written many pages, and waits if the log is long.
  ///
  /// - Parameter written: The number of pages that the writer has written since it was opened.
  func move(written: Int32) async {
    let (isDue, isLong) = state.withLock { state in
      // A new connection counts from zero.
      if written < state.moved { state.moved = 0 }
      let more = written - state.moved
      return (more >= Self.pages, state.length + Int(more) >= Self.limit)
    }
    guard isDue, let connection = await connection() else { return }
    let moving = moving(connection, written)
    guard isLong else { return }
    await moving.value
    // Only the app commits pages meanwhile.
    await self.moving(connection, written).value
    // The app commits few pages without a pause, and its transactions wait during the restart.
    await restart()
  }

  /// Checkpoints the rest of the log, and closes the connection.
  func end() async {
    guard case .open(let connection, let held)? = state.withLock({ $0.connection }) else { return }
    // The first checkpoint may have begun before the last transaction.
    for _ in 0..<2 { await moving(connection, 0).value }
    state.withLock { $0.connection = Connection.none }
    try? connection.close()
    guard let held else { return }
    // This work is not cancelled with the run.
    await Task { [store] in
      do {
        try await store.writer.writeWithoutTransaction { db in AutomaticCheckpoints.release(held, db) }
      } catch {
        // A closed connection checkpoints nothing. Another one may reuse its address.
        AutomaticCheckpoints.release(held, nil)
      }
    }.value
  }

  /// Restarts the log if no reader needs it at the moment. Does not wait for readers.
  private func restart() async {
    try? await store.writer.writeWithoutTransaction { db in
      guard let connection = db.sqliteConnection, !db.isInsideTransaction, case .timeout(let timeout) = db.waiting
      else {
        return
      }
      sqlite3_busy_timeout(connection, 0)
      defer { sqlite3_busy_timeout(connection, timeout) }
      // An active reader is no error: the next transaction comes soon.
      guard sqlite3_wal_checkpoint_v2(connection, "main", SQLITE_CHECKPOINT_RESTART, nil, nil) == SQLITE_OK else {
        return
      }
      self.state.withLock { $0.length = 0 }
    }
  }

  // MARK: The connection

  private func connection() async -> DatabaseQueue? {
    switch state.withLock({ $0.connection }) {
    case .open(let connection, _)?: return connection
    case Connection.none?: return nil
    case nil: break
    }
    let opened =
      (try? await store.writer.writeWithoutTransaction { [store] db in try Self.open(store.writer.path, db) }) ?? .none
    state.withLock { $0.connection = opened }
    if case .open(let connection, _) = opened { return connection }
    return nil
  }

  /// Opens the run's own connection. Runs on the writer's queue, because only there the path is certain to be the
  /// store's file.
  private static func open(_ path: String, _ db: Database) throws -> Connection {
    guard try String.fetchOne(db, sql: "PRAGMA main.journal_mode") == "wal" else { return .none }
    var configuration = db.configuration
    configuration.label = (configuration.label ?? "GRDB") + ".log"
    // A checkpoint doesn't wait.
    configuration.busyMode = .immediateError
    let connection = try DatabaseQueue(path: path, configuration: configuration)
    return .open(connection, held: AutomaticCheckpoints.hold(db))
  }

  /// The running checkpoint task; begins one if there is none.
  private func moving(_ connection: DatabaseQueue, _ written: Int32) -> Task<Void, Never> {
    state.withLock { state in
      if let moving = state.moving { return moving }
      state.moved = max(state.moved, written)
      let moving = Task {
        let length = try? await connection.writeWithoutTransaction { db in
          var length: Int32 = 0
          sqlite3_wal_checkpoint_v2(db.sqliteConnection, "main", SQLITE_CHECKPOINT_PASSIVE, &length, nil)
          return Int(length)
        }
        self.state.withLock { state in
          state.moving = nil
          if let length { state.length = length }
        }
      }
      state.moving = moving
      return moving
    }
  }
}

/// The automatic checkpoints of writers, while runs checkpoint for them.
private enum AutomaticCheckpoints {
  /// The length in pages at which the writer checkpoints itself during a run; a run keeps the log shorter.
  private static let heldPages = 8_000

  private struct Held {
    /// The number of pages to restore.
    let pages: Int
    var runs = 1
  }

  /// Guards the held connections. A connection leaves this list before it ends: by ``release(_:_:)`` or by being
  /// closed.
  private static let held = Lock<[ObjectIdentifier: Held]>([:])

  /// - Returns: The connection to release; nil if there is none.
  static func hold(_ db: Database) -> ObjectIdentifier? {
    held.withLock { held in
      let id = ObjectIdentifier(db)
      if held[id] != nil {
        held[id]?.runs += 1
        return id
      }
      // Does nothing if the app checkpoints itself, or uses a hook that would be lost.
      guard let pages = try? Int.fetchOne(db, sql: "PRAGMA wal_autocheckpoint"), pages > 0, set(heldPages, db) else {
        return nil
      }
      held[id] = Held(pages: pages)
      return id
    }
  }

  /// - Parameter db: The connection; nil if it was closed.
  static func release(_ id: ObjectIdentifier, _ db: Database?) {
    held.withLock { held in
      guard var former = held[id] else { return }
      former.runs -= 1
      held[id] = former.runs > 0 ? former : nil
      if former.runs == 0, let db { _ = set(former.pages, db) }
    }
  }

  /// Uses the C function: while the app is suspended GRDB refuses the pragma, although SQLite already changes the
  /// number when it prepares it. A writer that the app has closed has no connection, and the C function would read
  /// through an invalid pointer.
  private static func set(_ pages: Int, _ db: Database) -> Bool {
    guard let connection = db.sqliteConnection else { return false }
    return sqlite3_wal_autocheckpoint(connection, Int32(clamping: pages)) == SQLITE_OK
  }
}

extension Database {
  fileprivate enum Waiting {
    /// A busy timeout in milliseconds.
    case timeout(Int32)
    /// A busy handler of the app, which would be lost.
    case other
  }

  /// The number of pages that the connection has written since it was opened, without uncommitted ones.
  var pagesWritten: Int32 {
    var (current, highest): (Int32, Int32) = (0, 0)
    sqlite3_db_status(sqliteConnection, SQLITE_DBSTATUS_CACHE_WRITE, &current, &highest, 0)
    return current
  }

  fileprivate var waiting: Waiting {
    switch configuration.busyMode {
    case .immediateError: .timeout(0)
    case .timeout(let seconds): .timeout(Int32(clamping: Int64(seconds * 1000)))
    case .callback: .other
    }
  }
}
