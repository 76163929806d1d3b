import Foundation
import SanderlingSQL
import SanderlingSQLite

/// A private copy of a database, its write-ahead log included, on which trials run.
///
/// The user's file, and the files beside it, stay as they are.
final class DatabaseCopy {
  struct Options: Sendable {
    /// Bytes that the copy and the indexes of trials may take.
    var diskBudget: Int64 = 8 << 30
    var temporaryFolder: URL?
    /// How long to wait for locks of other connections.
    var lockTimeout: Duration = .seconds(5)
    var deadline = Deadline.never
    var cancellation: Cancellation?
  }

  /// The name of the user's file, without its folder.
  let name: String
  let bytes: Int64
  let header: DatabaseHeader
  /// For trials. Its journal is in memory, and nothing is flushed: a copy needs no durability.
  let connection: SQLiteConnection
  let folder: TemporaryFolder
  let standIns: StandIns
  let fileURL: URL

  /// Copies the database at `url`.
  ///
  /// Throws `DiagnosisError`. Reads the whole file. In rollback mode, writers of other connections wait meanwhile; in WAL
  /// mode no connection waits.
  init(of url: URL, options: Options = Options(), standIns: StandIns = StandIns()) throws {
    let source = try SourceFile(path: url.path)
    bytes = source.bytes
    name = url.lastPathComponent
    self.standIns = standIns
    guard bytes <= options.diskBudget else {
      throw DiagnosisError.diskBudget(path: url.path, bytes: bytes, budget: options.diskBudget)
    }
    folder = try TemporaryFolder(in: options.temporaryFolder)
    if let free = folder.freeBytes, free < bytes {
      throw DiagnosisError.diskFull(folder: folder.url.deletingLastPathComponent().path, bytes: bytes, free: free)
    }
    fileURL = folder.url.appendingPathComponent("copy.sqlite")
    header = try DatabaseCopier(source: source, target: fileURL.path, options: options).copy()
    connection = try Self.open(fileURL.path, isFirst: true)
    connection.install(standIns)
    // Trials may not fill the disk either.
    let maximumPages = max(1, options.diskBudget / Int64(max(512, header.pageSize)))
    try connection.run("PRAGMA max_page_count = \(min(maximumPages, 1_073_741_823))")
    let budget = StatementBudget(deadline: options.deadline, cancellation: options.cancellation)
    try connection.limited(to: budget) {
      try checkSchema(path: url.path)
      try rebuildIndexesOfStandIns()
    }
  }

  /// Another connection to the copy, with an empty cache and the rest of the budget.
  ///
  /// Throws `DiagnosisError`.
  func makeConnection() throws -> SQLiteConnection {
    let connection = try Self.open(fileURL.path, isFirst: false)
    connection.install(standIns)
    connection.names = self.connection.names
    connection.budget = self.connection.budget
    return connection
  }

  /// The same rows in a new file without gaps, in pages of another size.
  ///
  /// Throws `DiagnosisError`. Takes as much disk as the copy. O(pages).
  func makeRebuiltCopy(pageSize: Int) throws -> SQLiteConnection {
    let path = folder.url.appendingPathComponent("rebuilt-\(UUID().uuidString).sqlite").path
    if let free = folder.freeBytes, free < bytes {
      throw DiagnosisError.diskFull(folder: folder.url.path, bytes: bytes, free: free)
    }
    let source = try makeConnection()
    try source.run("PRAGMA page_size = \(pageSize)")
    // SQLite attaches the new file while it writes it.
    sqlite3_limit(source.handle, SQLITE_LIMIT_ATTACHED, 1)
    try source.run("VACUUM INTO \(path.quotedLiteral)")
    let connection = try Self.open(path, isFirst: false)
    connection.install(standIns)
    connection.names = self.connection.names
    connection.budget = self.connection.budget
    return connection
  }

  private static func open(_ path: String, isFirst: Bool) throws -> SQLiteConnection {
    let connection = try SQLiteConnection(path: path, mode: .copy)
    if isFirst {
      // The header of the copy says whether to use a write-ahead log: no more, from here on.
      try connection.run("PRAGMA journal_mode = DELETE")
    }
    try connection.run("PRAGMA journal_mode = MEMORY")
    try connection.run("PRAGMA synchronous = OFF")
    // "Warm" means that all pages are in the cache.
    try connection.run("PRAGMA cache_size = -262144")
    // As apps of today do it: deleting a parent looks for its children.
    try connection.run("PRAGMA foreign_keys = ON")
    return connection
  }

  /// Reads the schema, which fails for a file that is damaged where it matters most.
  private func checkSchema(path: String) throws {
    do {
      _ = try connection.rows("SELECT name FROM sqlite_master LIMIT 1")
    } catch DiagnosisError.notADatabase {
      throw DiagnosisError.notADatabase(path: path)
    } catch DiagnosisError.corrupt, DiagnosisError.statement {
      // "malformed database schema" is a plain error to SQLite.
      throw DiagnosisError.corrupt(path: path)
    }
  }

  /// Sorts anew the indexes whose collation is a stand-in, which compares otherwise than the app's.
  private func rebuildIndexesOfStandIns() throws {
    for name in try collations() where standIns.provideCollation(name, on: connection.handle) {
      let sql = "REINDEX \(name.quotedIdentifier)"
      do {
        try connection.run(sql)
      } catch {
        // Texts that are equal to the stand-in are not to the app, where an index is unique.
        standIns.breakTies(of: name)
        do { try connection.run(sql) } catch DiagnosisError.stopped(let reason) {
          throw DiagnosisError.stopped(reason)
        } catch {
          standIns.note(unsorted: name)
        }
      }
    }
  }

  /// The collations that the schema names.
  private func collations() throws -> [String] {
    var names: [String: String] = [:]
    for row in try connection.rows("SELECT sql FROM sqlite_master WHERE sql LIKE '%collate%'") {
      guard case .text(let sql)? = row.first else { continue }
      let tokens = SQLTokens(sql)
      for place in tokens.tokens.indices where tokens.isWord("collate", at: place - 1) {
        let name = tokens.tokens[place].name
        names[name.lowercased()] = name
      }
    }
    return names.values.sorted()
  }
}
