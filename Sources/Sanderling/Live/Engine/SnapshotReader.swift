import GRDB
import SanderlingSQLite

/// A state of the database whose commit is known.
struct Snapshot {
  let database: Database
  /// The last commit of the store's writer that it shows.
  let commit: UInt64
  /// The connection, if it is one whose snapshots can be compared.
  fileprivate let connection: SnapshotMark.Connection?

  /// What tells the state from that of other snapshots of one connection, whoever wrote in between; nil where that can't be told.
  /// Takes a microsecond.
  func mark() -> SnapshotMark? {
    guard let connection,
      let version = try? UInt32.fetchOne(
        database.cachedStatement(sql: "PRAGMA main.data_version /* Sanderling reads */"))
    else { return nil }
    return SnapshotMark(connection: connection, version: version)
  }
}

/// Which state of the database a connection read.
struct SnapshotMark: Hashable, Sendable {
  /// One of those that turns read on.
  struct Connection: Hashable, Sendable {
    /// Counts the connections that the reader opened.
    let number: UInt32
    let reader: UInt8
  }

  fileprivate let connection: Connection
  /// SQLite's counter, which has 32 bits. Each of very many queries keeps a mark.
  fileprivate let version: UInt32
}

/// Opens snapshots of the database whose commit is known.
///
/// It reads on connections of its own, never on those of the app's pool: one that waits for the writer while it holds the pool's
/// reader, or for a reader while it holds the writer, waits forever for who migrates or reads in a write.
final class SnapshotReader: Sendable {
  private let connection: StoreConnection
  private let capture: @Sendable (Database) -> ChangeCapture?
  /// One for the turn, and one for each that reads what earlier turns left.
  private let readers = (0...LoadQueue.greatestReaderCount).map { TurnReader(number: UInt8($0)) }

  /// How often a reader tries before it has the writer wait, which waits for those that commit.
  private static let attemptCount = 3

  /// - Parameter capture: What records the changes on the writer's connection; nil where nothing was followed yet.
  init(_ connection: StoreConnection, capture: @escaping @Sendable (Database) -> ChangeCapture?) {
    self.connection = connection
    self.capture = capture
  }

  private var sequence: CommitSequence { connection.sequence }

  /// Runs `body` in a read transaction.
  ///
  /// - Throws: What `body` throws, or why there is no snapshot.
  func withSnapshot(_ body: (Snapshot) throws -> Void) throws {
    try connection.throwIfClosed()
    let writer = connection.writer
    guard connection.readsConcurrently else {
      // There is one connection, and nothing is committed while it is held.
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
    // Those that read once, on their own account, can come on top of the turns.
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

  /// A statement that stays on its row keeps the snapshot of its first read, and takes less than a transaction.
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
    // Begins while the writer stands still.
    let commit = try writer.writeWithoutTransaction { writerDB in
      try writerDB.throwIfClosed()
      let commit = name(writerDB)
      try hold(holder, db)
      return commit
    }
    try body(Snapshot(database: db, commit: commit, connection: number))
  }

  /// Gives the connections back that snapshots are taken on. The next ones open others, unless it is for good.
  func close(forGood isForGood: Bool = false) {
    for reader in readers { reader.close(forGood: isForGood) }
  }
}
