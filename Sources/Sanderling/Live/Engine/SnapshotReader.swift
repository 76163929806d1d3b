import GRDB
import SanderlingSQLite

/// An open snapshot of the database at a known commit.
struct Snapshot {
  let database: Database
  /// The last commit of the store's writer that the snapshot contains.
  let commit: UInt64
  /// The connection; nil where its snapshots can't be compared.
  fileprivate let connection: SnapshotMark.Connection?

  /// Returns a mark that is equal for equal snapshots of one connection, also after outside changes; nil where that is
  /// unknown. Takes a microsecond.
  func mark() -> SnapshotMark? {
    guard let connection,
      let version = try? UInt32.fetchOne(
        database.cachedStatement(sql: "PRAGMA main.data_version /* Sanderling reads */"))
    else { return nil }
    return SnapshotMark(connection: connection, version: version)
  }
}

/// The identity of a snapshot among the snapshots of a connection.
struct SnapshotMark: Hashable, Sendable {
  /// A connection that turns read on.
  struct Connection: Hashable, Sendable {
    /// The number of the connection among the connections that the reader opened.
    let number: UInt32
    let reader: UInt8
  }

  fileprivate let connection: Connection
  /// SQLite's counter, which has 32 bits. Kept small, because each query keeps a mark.
  fileprivate let version: UInt32
}

/// Opens snapshots of the database at a known commit.
///
/// Turns and their loads read on connections of their own, never on connections of the app's pool. So they never wait
/// for the writer while they hold a reader of the pool, nor the reverse. Either could deadlock with an app that
/// migrates, or that reads within a write. A read outside of turns opens another connection while all of these are in
/// use.
final class SnapshotReader: Sendable {
  private let connection: StoreConnection
  private let capture: @Sendable (Database) -> ChangeCapture?
  /// One reader for the turn, and one for each ended turn with loads.
  private let readers = (0...LoadQueue.greatestReaderCount).map { TurnReader(number: UInt8($0)) }

  /// The number of tries without the writer's queue. The last resort is to wait for it.
  private static let attemptCount = 3

  /// - Parameter capture: The capture on the writer's connection; nil before any query was followed.
  init(_ connection: StoreConnection, capture: @escaping @Sendable (Database) -> ChangeCapture?) {
    self.connection = connection
    self.capture = capture
  }

  private var sequence: CommitSequence { connection.sequence }

  /// Runs `body` in a read transaction.
  ///
  /// - Throws: Errors of `body`, or the reason why there is no snapshot.
  func withSnapshot(_ body: (Snapshot) throws -> Void) throws {
    try connection.throwIfClosed()
    let writer = connection.writer
    guard connection.readsConcurrently else {
      // On the only connection, no commit comes while it is held.
      return try writer.readUnlessClosed { db in
        try body(Snapshot(database: db, commit: name(db), connection: nil))
      }
    }
    for reader in readers {
      let isDone = try reader.read(like: writer) { db, number in
        try withNamedSnapshot(db, number, writer, body)
      }
      if isDone { return }
    }
    // A read outside of turns finds all readers in use when a turn and the loads of two others run.
    let reader = TurnReader(number: .max)
    defer { reader.close(forGood: true) }
    _ = try reader.read(like: writer) { db, _ in try withNamedSnapshot(db, nil, writer, body) }
  }

  /// Runs `body` in a read transaction of the writer's connection, on its queue and outside of a transaction.
  func withSnapshot(onWriter db: Database, _ body: (Snapshot) throws -> Void) throws {
    let commit = name(db)
    let holder = try holder(db)
    defer { sqlite3_reset(holder) }
    try hold(holder, db)
    try body(Snapshot(database: db, commit: commit, connection: nil))
  }

  private func name(_ db: Database) -> UInt64 {
    capture(db)?.name(db) ?? sequence.nameOnWriter()
  }

  /// A statement that holds the snapshot of its first read while it stays on its row. Cheaper than a transaction.
  private func holder(_ db: Database) throws -> OpaquePointer {
    try db.cachedStatement(
      sql: "SELECT 1 FROM (SELECT 1) LEFT JOIN sqlite_schema LIMIT 1 /* Sanderling */"
    ).sqliteStatement
  }

  private func hold(_ holder: OpaquePointer, _ db: Database) throws {
    let code = sqlite3_step(holder)
    guard code == SQLITE_ROW else {
      throw DatabaseError(resultCode: ResultCode(rawValue: code), message: db.lastErrorMessage)
    }
  }

  private func withNamedSnapshot(
    _ db: Database, _ number: SnapshotMark.Connection?, _ writer: any DatabaseWriter, _ body: (Snapshot) throws -> Void
  ) throws {
    let holder = try holder(db)
    defer { sqlite3_reset(holder) }
    for _ in 0..<Self.attemptCount {
      let attempt = sequence.beginNaming()
      try hold(holder, db)
      if let commit = sequence.confirm(attempt) {
        return try body(Snapshot(database: db, commit: commit, connection: number))
      }
      sqlite3_reset(holder)
    }
    // The snapshot begins while the writer's queue is held, so no commit comes between.
    let commit = try writer.writeWithoutTransaction { writerDB in
      try writerDB.throwIfClosed()
      let commit = name(writerDB)
      try hold(holder, db)
      return commit
    }
    try body(Snapshot(database: db, commit: commit, connection: number))
  }

  /// Closes the readers' connections. Later snapshots open new connections, unless the reader is closed for good.
  func close(forGood isForGood: Bool = false) {
    for reader in readers { reader.close(forGood: isForGood) }
  }
}
