import GRDB
import SanderlingSQLite

/// A snapshot of the database whose commit is known.
struct Snapshot {
  let database: Database
  /// The last commit of the store's writer in the snapshot.
  let commit: UInt64
  /// The connection, if its snapshots can be compared.
  fileprivate let connection: SnapshotMark.Connection?

  /// A mark that differs between the connection's snapshots if any connection wrote in between; nil if that can't be
  /// decided. Takes a microsecond.
  func mark() -> SnapshotMark? {
    guard let connection,
      let version = try? UInt32.fetchOne(
        database.cachedStatement(sql: "PRAGMA main.data_version /* Sanderling reads */"))
    else { return nil }
    return SnapshotMark(connection: connection, version: version)
  }
}

/// A state of the database, as one connection read it.
struct SnapshotMark: Hashable, Sendable {
  /// A connection on which turns read.
  struct Connection: Hashable, Sendable {
    /// The number of the connection among those that the reader opened.
    let number: UInt32
    let reader: UInt8
  }

  fileprivate let connection: Connection
  /// SQLite's counter. It has 32 bits, which also keeps the marks of many queries small.
  fileprivate let version: UInt32
}

/// Opens snapshots of the database whose commit is known.
///
/// The reader has connections of its own and never waits for the app's pool. A wait for the writer while holding a
/// reader of the pool, or the reverse, would deadlock with a migration or with a read inside a write.
final class SnapshotReader: Sendable {
  private let connection: StoreConnection
  private let capture: @Sendable (Database) -> ChangeCapture?
  /// One connection for the turn, and one for each reader that works for earlier turns.
  private let readers = (0...LoadQueue.greatestReaderCount).map { TurnReader(number: UInt8($0)) }

  /// The number of tries without the writer. Afterwards the reader lets the writer wait, which first waits for a
  /// transaction under way.
  private static let attemptCount = 3

  /// - Parameter capture: The recorder of changes on the writer's connection; nil before the first query is followed.
  init(_ connection: StoreConnection, capture: @escaping @Sendable (Database) -> ChangeCapture?) {
    self.connection = connection
    self.capture = capture
  }

  private var sequence: CommitSequence { connection.sequence }

  /// Runs `body` in a read transaction.
  ///
  /// - Throws: The error of `body`, or the reason why there is no snapshot.
  func withSnapshot(_ body: (Snapshot) throws -> Void) throws {
    try connection.throwIfClosed()
    let writer = connection.writer
    guard connection.readsConcurrently else {
      // There is only one connection, and nothing is committed while it is held.
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
    // Single reads can come in addition to those of the turns.
    try writer.unsafeRead { db in
      try db.throwIfClosed()
      try withNamedSnapshot(db, nil, writer, body)
    }
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

  /// A statement that stays on its row keeps the snapshot of its first read. It costs less than a transaction.
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
    // The snapshot begins while the writer stands still.
    let commit = try writer.writeWithoutTransaction { writerDB in
      try writerDB.throwIfClosed()
      let commit = name(writerDB)
      try hold(holder, db)
      return commit
    }
    try body(Snapshot(database: db, commit: commit, connection: number))
  }

  /// Closes the connections of the snapshots. The next snapshot opens another, unless the close is for good.
  func close(forGood isForGood: Bool = false) {
    for reader in readers { reader.close(forGood: isForGood) }
  }
}
