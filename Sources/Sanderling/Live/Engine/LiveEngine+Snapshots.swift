import Dispatch
import GRDB
import GRDBSQLite
import Synchronization

/// Snapshots of the database whose commit is known.
extension LiveEngine {
  /// How often a reader tries before it asks the writer, which waits for those that commit.
  private static let attemptCount = 3

  /// Runs `body` in a read transaction, with the commit that it sees.
  ///
  /// - Parameter followsCommit: Whether a commit is the reason, so that the database is known to be open.
  func withSnapshot(followsCommit: Bool = false, _ body: (Database, UInt64) throws -> Void) throws {
    guard let pool = writer as? DatabasePool else {
      // There is one connection, and nothing is committed while it is held.
      return try writer.readUnlessClosed { db in try body(db, capture.name(onWriter: db)) }
    }
    if followsCommit, try turnReader.read(like: pool, { try withNamedSnapshot($0, body) }) { return }
    let isDone = try pool.unsafeRead { db in
      try db.throwIfClosed()
      return try withNamedSnapshot(db, body)
    }
    if !isDone { try withSnapshotOfWriter(pool, body) }
  }

  /// - Returns: False when the snapshot has no name because of those that commit, and `body` did not run.
  private func withNamedSnapshot(_ db: Database, _ body: (Database, UInt64) throws -> Void) throws -> Bool {
    // A statement that stays on its row keeps the snapshot of its first read, and takes less than a transaction.
    let holder = try db.cachedStatement(
      sql: "SELECT 1 FROM (SELECT 1) LEFT JOIN sqlite_schema LIMIT 1 /* Sanderling */"
    ).sqliteStatement
    for _ in 0..<Self.attemptCount {
      let attempt = capture.beginNaming()
      defer { sqlite3_reset(holder) }
      let code = sqlite3_step(holder)
      guard code == SQLITE_ROW else {
        throw DatabaseError(resultCode: ResultCode(rawValue: code), message: db.lastErrorMessage)
      }
      if let commit = capture.confirm(attempt) {
        try body(db, commit)
        return true
      }
    }
    return false
  }

  /// Takes the snapshot while the writer stands still.
  private func withSnapshotOfWriter(_ pool: DatabasePool, _ body: (Database, UInt64) throws -> Void) throws {
    let done = DispatchSemaphore(value: 0)
    let outcome = Lock<Result<Void, any Error>>(.success(()))
    try withoutActuallyEscaping(body) { body in
      let loan = BodyLoan(body)
      pool.writeWithoutTransaction { [capture] db in
        let commit = capture.name(onWriter: db)
        pool.asyncConcurrentRead { database in
          let result = Result { try loan.use(database.get(), commit) }
          outcome.withLock { $0 = result }
          done.signal()
        }
      }
      done.wait()
      try outcome.withLock { try $0.get() }
    }
  }

  /// What a request gets, read on the calling thread.
  func immediate<Published>(_ request: LiveRequest<Published>, window: Int) -> Published? {
    let core = LiveCore(writer: writer, capture: capture, clock: clock)
    let feed = LiveFeed<Published>()
    let id = makeConsumerID()
    request.attach(core, id, feed, window)
    // Whether its tables can be captured is not known here, and what is read once needs no maintenance.
    for query in core.allQueries where query.route != nil {
      core.replace(query, byRunningAgain: RequeryReason("it is read once"))
    }
    for query in core.allQueries {
      do {
        try withSnapshot { db, commit in
          query.phase = LiveQuery.Phase.loading
          let load = try query.makeLoad().run(db)
          core.commit = commit
          core.finish(query.number, .success(load), commit: commit, duration: .zero)
        }
      } catch {
        core.fail(query, error)
      }
    }
    // Nothing changed since the snapshot that the rows are from.
    _ = core.agenda.takeNoted()
    _ = core.takeNews()
    return feed.newest?.value
  }

  /// Looks whether others wrote.
  func noticeOutsideChanges() async throws -> Bool {
    do {
      return try await writer.writeWithoutTransaction { [capture] db in
        try db.throwIfClosed()
        // A commit that GRDB told nobody of is counted now.
        _ = capture.name(onWriter: db)
        return capture.lookForOutsideChanges(db)
      }
    } catch {
      throw writer.wrapping(error)
    }
  }
}

/// A closure that another thread runs once while its owner waits. GRDB keeps what it was given for longer than it runs, and
/// must not keep the closure.
private final class BodyLoan: Sendable {
  typealias Body = (Database, UInt64) throws -> Void

  /// Safe: the owner waits while the closure runs, and it is gone from here afterwards.
  private nonisolated(unsafe) var body: Body?

  init(_ body: @escaping Body) {
    self.body = body
  }

  func use(_ db: Database, _ commit: UInt64) throws {
    defer { body = nil }
    try body?(db, commit)
  }
}
