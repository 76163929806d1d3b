import GRDB
import SanderlingSQLite

/// Finds out which tables other connections and processes have written, from the pages in the write-ahead log.
///
/// So a commit of another process has only those results read again that read a written table. The pages of the store's
/// own commits are left out as far as a look came between. Belongs to the writer's queue.
///
/// Lifetime: capture makes it with the watch, and forgets its position with the watch. Without a log (other journal modes, a
/// database in memory, an encrypted database) it knows nothing, and all results are read again.
struct LoggedTables {
  private var frames = LogFrames()
  /// The pages that were written since the last look, as far as their commits were visible; nil if unknown.
  private var pages: Set<UInt32>?

  /// The most written pages whose tables are searched.
  private static let mostPages = 200

  /// Reads the new frames. Must be called before the version numbers are compared.
  mutating func look(_ db: Database) {
    guard let files = db.sqliteConnection.flatMap(DatabaseFiles.init) else {
      self = LoggedTables()
      return
    }
    note(frames.advance(files))
  }

  private mutating func note(_ new: [UInt32]?) {
    guard let new else {
      pages = nil
      return
    }
    pages?.formUnion(new)
    if let count = pages?.count, count > 10 * Self.mostPages { pages = nil }
  }

  /// Forgets the pages before the last look: no other connection had written them.
  mutating func wereOwn() { pages = [] }

  /// Returns the tables that may have been written since the last call. Call ``look(_:)`` before.
  ///
  /// Must be called outside of a transaction.
  ///
  /// - Parameter candidates: The folded names of the tables in question.
  /// - Returns: The folded names of written tables, and of candidates that are no tables of the database's file; nil if
  ///   that is unknown.
  mutating func take(_ db: Database, among candidates: Set<String>) -> Set<String>? {
    let before = pages
    pages = []
    guard !db.isInsideTransaction, let before, before.count <= Self.mostPages,
      let files = db.sqliteConnection.flatMap(DatabaseFiles.init)
    else {
      return nil
    }
    // Fails while the app is suspended, so that no lock is taken then.
    guard let roots = try? Self.roots(db, among: candidates) else { return nil }
    // While a statement reads, no checkpoint writes newer pages into the database's file, and the log is not reset if a
    // frame of it is read. A reset in the other case changes the salts.
    guard
      let holder = try? db.cachedStatement(sql: "SELECT 1 FROM main.sqlite_schema /* Sanderling holds */")
        .sqliteStatement
    else { return nil }
    defer { sqlite3_reset(holder) }
    guard sqlite3_step(holder) == SQLITE_ROW, let new = frames.advance(files) else {
      pages = nil
      return nil
    }
    pages = Set(new)
    let written = before.union(new).union(frames.last)
    guard written.count <= Self.mostPages,
      var owners = PageOwners(pageSize: frames.pageSize, read: { [frames] in frames.page($0, files) }),
      let tables = owners.tables(roots, owning: written)
    else { return nil }
    note(frames.advance(files))
    // Without pages, the log was reset while its pages were read.
    return pages == nil ? nil : tables.union(candidates.subtracting(roots.keys))
  }

  private static func roots(_ db: Database, among candidates: Set<String>) throws -> [String: UInt32] {
    let rows = try Row.fetchAll(
      db.cachedStatement(
        sql: "SELECT name, rootpage FROM main.sqlite_schema WHERE type = 'table' AND rootpage > 0 /* Sanderling */"))
    let roots = rows.map { ((($0[0] as String).asciiLowercased), UInt32($0[1] as Int64)) }
    return Dictionary(roots.filter { candidates.contains($0.0) }) { first, _ in first }
  }
}
