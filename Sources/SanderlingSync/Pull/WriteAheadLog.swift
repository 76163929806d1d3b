import GRDB
import Sanderling
import SanderlingSQLite

/// The log of a store's commits, which a run moves into the database file beside its own transactions and the app's.
///
/// SQLite moves what no reader needs within the commit that makes the log longer than 1,000 pages, and begins it anew
/// where all of it was moved before a transaction begins. That commit then waits for the disk, also where it is a
/// user's write. So a run moves the log on a connection of its own, on which neither waits for the other, and has the
/// writer's connection move nothing meanwhile. As transactions go on, the end of the log is never moved; so where the
/// log has become long the run waits, and then the writer, for the little that is left.
///
/// The first call that has something to move opens the connection, and ``end()`` closes it, after which the writer moves by itself again. A
/// database without such a log, and one that can't be opened twice, is left alone. A failure here comes again in the next transaction.
final class WriteAheadLog: Sendable {
  /// After how many pages they are moved.
  private static let pages: Int32 = 400
  /// From how many pages on the log is to begin anew.
  private static let limit = 1_500

  private struct State {
    /// How many pages the writer had written when moving began last.
    var moved: Int32 = 0
    /// How many pages the log had then.
    var length = 0
    var connection: Connection?
    var moving: Task<Void, Never>?
  }

  private enum Connection {
    case open(DatabaseQueue, held: ObjectIdentifier?)
    case none
  }

  private let store: Store
  /// Guards the connection and its work. Calls come from the run's task, one after the other.
  private let state = Lock(State())

  init(_ store: Store) {
    self.store = store
  }

  /// Begins to move what the writer has written into the database file, if it is much, and waits where the log is long.
  ///
  /// - Parameter written: How many pages the writer has written since it was opened.
  func move(written: Int32) async {
    let (isDue, isLong) = state.withLock { state in
      // Another connection counts anew.
      if written < state.moved { state.moved = 0 }
      let more = written - state.moved
      return (more >= Self.pages, state.length + Int(more) >= Self.limit)
    }
    guard isDue, let connection = await connection() else { return }
    let moving = moving(connection, written)
    guard isLong else { return }
    await moving.value
    // Pages that were committed since, by the app only.
    await self.moving(connection, written).value
    // The pages that the app commits without a pause are few, and its transactions wait until they are moved.
    await restart()
  }

  /// Moves the rest, and closes the connection.
  func end() async {
    guard case .open(let connection, let held)? = state.withLock({ $0.connection }) else { return }
    // The first may have begun before the last transaction.
    for _ in 0..<2 { await moving(connection, 0).value }
    state.withLock { $0.connection = Connection.none }
    try? connection.close()
    guard let held else { return }
    // Not cancelled with the run.
    await Task { [store] in
      do {
        try await store.writer.writeWithoutTransaction { db in AutomaticCheckpoints.release(held, db) }
      } catch {
        // It was closed, and moves nothing any more. Another connection may come to be where it was.
        AutomaticCheckpoints.release(held, nil)
      }
    }.value
  }

  /// Has the log begin anew if no reader needs it just now. Waits for none.
  private func restart() async {
    try? await store.writer.writeWithoutTransaction { db in
      guard let connection = db.sqliteConnection, !db.isInsideTransaction, case .timeout(let timeout) = db.waiting
      else {
        return
      }
      sqlite3_busy_timeout(connection, 0)
      defer { sqlite3_busy_timeout(connection, timeout) }
      // Readers are no error: the next transaction comes soon.
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

  /// On the writer's queue, since the file is its file there.
  private static func open(_ path: String, _ db: Database) throws -> Connection {
    guard try String.fetchOne(db, sql: "PRAGMA main.journal_mode") == "wal" else { return .none }
    var configuration = db.configuration
    configuration.label = (configuration.label ?? "GRDB") + ".log"
    // Moving doesn't wait.
    configuration.busyMode = .immediateError
    let connection = try DatabaseQueue(path: path, configuration: configuration)
    return .open(connection, held: AutomaticCheckpoints.hold(db))
  }

  /// The task that moves, begun where none is under way.
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

/// The automatic checkpoints of writers' connections, while runs move the log for them.
private enum AutomaticCheckpoints {
  /// After how many pages a writer moves by itself while a run does: more than a run lets there be.
  private static let heldPages = 8_000

  private struct Held {
    /// The number of pages to set again.
    let pages: Int
    var runs = 1
  }

  /// Guards the held connections, which don't end while they are in here: ``release(_:_:)`` comes first, or they are closed.
  private static let held = Lock<[ObjectIdentifier: Held]>([:])

  /// - Returns: The connection to release; nil for none.
  static func hold(_ db: Database) -> ObjectIdentifier? {
    held.withLock { held in
      let id = ObjectIdentifier(db)
      if held[id] != nil {
        held[id]?.runs += 1
        return id
      }
      // Nothing where the app moves by itself, or by a function that would be lost.
      guard let pages = try? Int.fetchOne(db, sql: "PRAGMA wal_autocheckpoint"), pages > 0, set(heldPages, db) else {
        return nil
      }
      held[id] = Held(pages: pages)
      return id
    }
  }

  /// - Parameter db: The connection; nil where it was closed.
  static func release(_ id: ObjectIdentifier, _ db: Database?) {
    held.withLock { held in
      guard var former = held[id] else { return }
      former.runs -= 1
      held[id] = former.runs > 0 ? former : nil
      if former.runs == 0, let db { _ = set(former.pages, db) }
    }
  }

  /// By a C call: GRDB refuses the pragma while the app is suspended, though SQLite has set the number when it prepares it.
  /// A writer that the app has closed has no connection, and the C function reads through the pointer that it gets.
  private static func set(_ pages: Int, _ db: Database) -> Bool {
    guard let connection = db.sqliteConnection else { return false }
    return sqlite3_wal_autocheckpoint(connection, Int32(clamping: pages)) == SQLITE_OK
  }
}

extension Database {
  fileprivate enum Waiting {
    /// In milliseconds.
    case timeout(Int32)
    /// By a function of the app's, which would be lost.
    case other
  }

  /// How many pages the connection has written since it was opened, without those that are not committed yet.
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
