import Foundation
import SanderlingSQL
import SanderlingSQLite

/// A private copy of a database, its write-ahead log included, on which trials run.
///
/// The user's file and the files beside it are never changed.
final class DatabaseCopy {
  struct Options: Sendable {
    /// Bytes that the copy and the indexes of trials may take.
    var diskBudget: Int64 = 8 << 30
    var temporaryFolder: URL?
    /// The longest wait for locks of other connections.
    var lockTimeout: Duration = .seconds(5)
    var deadline = Deadline.never
    var cancellation: Cancellation?
  }

  /// The name of the user's file, without its folder.
  let name: String
  let bytes: Int64
  let header: DatabaseHeader
  /// The connection for trials. Its journal is in memory and nothing is flushed, because a copy needs no durability.
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
    // Trials must not fill the disk either.
    let maximumPages = max(1, options.diskBudget / Int64(max(512, header.pageSize)))
    try connection.run("PRAGMA max_page_count = \(min(maximumPages, 1_073_741_823))")
    let budget = StatementBudget(deadline: options.deadline, cancellation: options.cancellation)
    try connection.limited(to: budget) {
      try checkSchema(path: url.path)
      try rebuildIndexesOfStandIns()
    }
  }

  /// Returns another connection to the copy, with an empty cache and the rest of the budget.
  ///
  /// Throws `DiagnosisError`.
  func makeConnection() throws -> SQLiteConnection {
    let connection = try Self.open(fileURL.path, isFirst: false)
    connection.install(standIns)
    connection.names = self.connection.names
    connection.budget = self.connection.budget
    return connection
  }

  /// Returns a connection to a new file with the same rows, without free pages and with another page size.
  ///
  /// Throws `DiagnosisError`. The file takes as much disk as the copy. O(pages).
  func makeRebuiltCopy(pageSize: Int) throws -> SQLiteConnection {
    let path = folder.url.appendingPathComponent("rebuilt-\(UUID().uuidString).sqlite").path
    if let free = folder.freeBytes, free < bytes {
      throw DiagnosisError.diskFull(folder: folder.url.path, bytes: bytes, free: free)
    }
    let source = try makeConnection()
    try source.run("PRAGMA page_size = \(pageSize)")
    // VACUUM INTO attaches the new file while it writes it.
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
      // The copied header may demand a write-ahead log. From here on there is none.
      try connection.run("PRAGMA journal_mode = DELETE")
    }
    try connection.run("PRAGMA journal_mode = MEMORY")
    try connection.run("PRAGMA synchronous = OFF")
    // "Warm" means that all pages are in the cache.
    try connection.run("PRAGMA cache_size = -262144")
    // Foreign keys are on, as in most apps today: deleting a parent searches for its children.
    try connection.run("PRAGMA foreign_keys = ON")
    return connection
  }

  /// Reads the schema. Fails if the file is damaged at its most important part.
  private func checkSchema(path: String) throws {
    do {
      _ = try connection.rows("SELECT name FROM sqlite_master LIMIT 1")
    } catch DiagnosisError.notADatabase {
      throw DiagnosisError.notADatabase(path: path)
    } catch DiagnosisError.corrupt, DiagnosisError.statement {
      // SQLite reports "malformed database schema" as an ordinary error.
      throw DiagnosisError.corrupt(path: path)
    }
  }

  /// Rebuilds the indexes whose collation is a stand-in, because a stand-in compares differently from the app's
  /// collation.
  private func rebuildIndexesOfStandIns() throws {
    for name in try collations() where standIns.provideCollation(name, on: connection.handle) {
      let sql = "REINDEX \(name.quotedIdentifier)"
      do {
        try connection.run(sql)
      } catch {
        // A unique index fails if texts are equal for the stand-in but different for the app. The stand-in then
        // distinguishes them.
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
