import Foundation
import SanderlingSQLite

/// A connection to one database file, protected against hostile content of the file and of statements.
///
/// Not Sendable: belongs to the thread that created it.
final class SQLiteConnection {
  enum Mode: Sendable {
    /// The user's file, which is never written.
    case readOnly
    /// Our copy.
    case copy
    /// A database without a file.
    case memory
  }

  let path: String
  let handle: OpaquePointer
  let statementGuard = StatementGuard()
  private(set) var standIns: StandIns?

  /// The budget of each statement from now on.
  var budget = StatementBudget.unlimited

  /// The names of the schema, once it was read. Before that, an error shows no double-quoted text of an app's
  /// statement.
  var names: SQLNames?

  /// Opens the file. The files beside it are not touched before the first statement.
  ///
  /// Throws `DiagnosisError`.
  init(path: String, mode: Mode) throws {
    // A relative path could begin with "file:", which SQLite treats as a URL with options.
    self.path = mode == .memory ? ":memory:" : URL(fileURLWithPath: path).path
    let flags =
      switch mode {
      case .readOnly: SQLITE_OPEN_READONLY
      case .copy: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      case .memory: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY
      }
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(self.path, &opened, flags | SQLITE_OPEN_NOMUTEX, nil)
    guard let opened, code == SQLITE_OK else {
      sqlite3_close_v2(opened)
      throw Self.openError(code, path: path)
    }
    handle = opened
    sqlite3_extended_result_codes(handle, 1)
    harden()
    statementGuard.watch(handle)
  }

  deinit {
    sqlite3_close_v2(handle)
  }

  /// Sets limits that a hostile schema or statement can't exceed, and distrusts functions that the schema calls.
  ///
  /// SQLITE_DBCONFIG_DEFENSIVE can't be set from Swift, because its function takes variable arguments. The authorizer
  /// refuses the same statements (`writable_schema` and other pragmas). Loading of extensions is off unless an app
  /// turns it on.
  private func harden() {
    let limits: [(Int32, Int32)] = [
      (SQLITE_LIMIT_LENGTH, 256 << 20), (SQLITE_LIMIT_SQL_LENGTH, 4 << 20), (SQLITE_LIMIT_VDBE_OP, 5_000_000),
      (SQLITE_LIMIT_ATTACHED, 0), (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 10_000), (SQLITE_LIMIT_TRIGGER_DEPTH, 100),
      (SQLITE_LIMIT_WORKER_THREADS, 0),
    ]
    for (limit, value) in limits { sqlite3_limit(handle, limit, value) }
    // If a memory-mapped file becomes shorter, the process crashes. Temporary files would be outside our folder.
    for setting in ["trusted_schema = 0", "cell_size_check = 1", "mmap_size = 0", "temp_store = 2"] {
      sqlite3_exec(handle, "PRAGMA \(setting)", nil, nil, nil)
    }
  }

  /// Installs the stand-ins, so that statements with functions, collations and tokenizers of the app can be prepared.
  func install(_ standIns: StandIns) {
    self.standIns = standIns
    standIns.install(on: handle)
  }

  /// Prepares one statement with the authority to read, or else with the authority to write.
  ///
  /// Throws `DiagnosisError` as ``prepare(_:authority:)`` does.
  func prepareReadingOrWriting(_ sql: String) throws -> SQLiteStatement {
    do {
      return try prepare(sql, authority: .reading)
    } catch DiagnosisError.notAllowed(_, action: StatementAuthority.writeAction) {
      return try prepare(sql, authority: .writing)
    }
  }

  /// Prepares one statement.
  ///
  /// Throws `DiagnosisError` for SQL that SQLite refuses, for no statement or more than one, and for actions that
  /// `authority` does not cover.
  func prepare(_ sql: String, authority: StatementAuthority = .own) throws -> SQLiteStatement {
    var attempts = 0
    var connected: Set<String> = []
    while true {
      do {
        return try SQLiteStatement(sql, on: self, authority: authority)
      } catch let failure as SQLiteStatement.PreparationFailure {
        attempts += 1
        if trustSchema(after: failure.message) {
          connected = []
          continue
        }
        if attempts <= 64, connectTable(failure.message, unlessIn: &connected) { continue }
        if attempts <= 64, let standIns,
          try standIns.provide(for: failure.message, on: handle, sql: outline(authority).of(sql))
        {
          continue
        }
        throw failure.error
      }
    }
  }

  /// Trusts a schema that SQLite considers unsafe. SQLite 3.38 to 3.40 do so by mistake if the schema calls a JSON
  /// function. SQLite 3.40 also does so if the schema has triggers or views of a full-text table or an R-tree.
  ///
  /// Other functions that the schema can call are then built in or stand-ins, and the authorizer refuses functions that
  /// load code.
  private func trustSchema(after message: String) -> Bool {
    guard !trustsSchema, message.contains("unsafe use of ") else { return false }
    let authority = statementGuard.authority
    defer { statementGuard.authority = authority }
    statementGuard.authority = .own
    // The message has the function's name as the schema spells it.
    let isOfJSON = message.asciiLowercased.contains("use of json") || message.contains("use of ->")
    guard isOfJSON || isOfIndexTable(message) else { return false }
    trustsSchema = true
    return sqlite3_exec(handle, "PRAGMA trusted_schema = 1", nil, nil, nil) == SQLITE_OK
  }

  /// Whether a message names one of SQLite's own virtual tables that keeps its rows in the database and reads nothing
  /// else.
  private func isOfIndexTable(_ message: String) -> Bool {
    guard let beginning = message.range(of: "unsafe use of virtual table \"") else { return false }
    let name = message[beginning.upperBound...].dropLast()
    let sql = try? value(
      "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ? COLLATE NOCASE", [.text(String(name))])
    guard case .text(let sql)? = sql, let module = DatabaseSchemaReader.module(of: sql) else { return false }
    return ["fts3", "fts4", "fts5", "rtree", "rtree_i32"].contains(module.asciiLowercased)
  }

  private var trustsSchema = false

  /// Lets a virtual table, or a table-valued function such as json_each, declare its columns. The authorizer sees this
  /// as a change of the schema.
  ///
  /// A statement needs this once for each table. The connection needs it again whenever a rollback undid a change of
  /// the schema.
  func connectTable(_ message: String, unlessIn connected: inout Set<String>) -> Bool {
    let beginning = "vtable constructor failed: "
    guard message.hasPrefix(beginning) else { return false }
    let name = String(message.dropFirst(beginning.count))
    guard connected.insert(name).inserted else { return false }
    return (try? SQLiteStatement("SELECT 1 FROM \(name.quotedIdentifier)", on: self, authority: .own)) != nil
  }

  /// Runs a statement to its end and ignores its rows.
  func run(_ sql: String, _ bindings: [BoundValue] = [], authority: StatementAuthority = .own) throws {
    do {
      try runOnce(sql, bindings, authority)
    } catch let error as DiagnosisError {
      // Virtual tables are created, and request their tokenizers, when the statement runs.
      guard let standIns, try standIns.provide(for: lastMessage, on: handle, sql: outline(authority).of(sql)) else {
        throw error
      }
      try runOnce(sql, bindings, authority)
    }
  }

  /// SQLite ends the transaction when it interrupts a statement that writes. Without the transaction, later writes
  /// would stay in the copy.
  private func throwIfLost() throws {
    if savepointDepth > 0, !isInTransaction { throw DiagnosisError.stopped(.time) }
  }

  var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  private func runOnce(_ sql: String, _ bindings: [BoundValue], _ authority: StatementAuthority) throws {
    if authority == .trial { try throwIfLost() }
    let statement = try prepare(sql, authority: authority)
    try statement.bind(bindings)
    while try statement.step() {}
  }

  /// Returns all rows of a statement.
  func rows(
    _ sql: String, _ bindings: [BoundValue] = [], authority: StatementAuthority = .own
  ) throws -> [[BoundValue]] {
    let statement = try prepare(sql, authority: authority)
    try statement.bind(bindings)
    var rows: [[BoundValue]] = []
    while try statement.step() { rows.append(statement.row) }
    return rows
  }

  /// Returns the first column of the first row.
  func value(_ sql: String, _ bindings: [BoundValue] = []) throws -> BoundValue? {
    let statement = try prepare(sql)
    try statement.bind(bindings)
    return try statement.step() ? statement.value(at: 0) : nil
  }

  /// Runs `body` with a budget for each statement, limited by the current budget.
  func limited<Result>(to budget: StatementBudget, _ body: () throws -> Result) rethrows -> Result {
    let outer = self.budget
    defer { self.budget = outer }
    self.budget = budget.within(outer)
    return try body()
  }

  /// Runs `body` for a given running time of this thread, limited by the current budget.
  func limited<Result>(to time: Duration, _ body: () throws -> Result) rethrows -> Result {
    try limited(to: StatementBudget(deadline: Deadline(afterWorking: time)), body)
  }

  /// Runs `body` until a time on the wall clock has passed. So the work of other processes takes no time from later
  /// parts.
  func limited<Result>(toPassing time: Duration, _ body: () throws -> Result) rethrows -> Result {
    try limited(to: StatementBudget(deadline: Deadline(after: time)), body)
  }

  /// Runs `body` without a budget, to clean up after work that the budget ended.
  func unlimited<Result>(_ body: () throws -> Result) rethrows -> Result {
    let outer = budget
    defer { budget = outer }
    budget = .unlimited
    return try body()
  }

  /// Runs `body` and undoes its writes, whether it throws or not.
  ///
  /// Rethrows errors of `body`. Throws `DiagnosisError` if undoing fails, after which the copy can't be used any more.
  func undoing<Result>(_ body: () throws -> Result) throws -> Result {
    try throwIfLost()
    let name = "\"sanderling trial \(savepointDepth)\""
    savepointDepth += 1
    defer { savepointDepth -= 1 }
    try run("SAVEPOINT \(name)")
    let result = Swift.Result { try body() }
    // The undo must run even if the trial's time is up.
    try unlimited {
      // Some errors, such as a full disk, have already rolled back everything, including the savepoint.
      if isInTransaction {
        try run("ROLLBACK TO \(name)")
        try run("RELEASE \(name)")
      }
    }
    return try result.get()
  }

  /// Runs a write as ``undoing(_:)`` does. Sampled values may refer to a parent that does not exist. So foreign keys
  /// are deferred to the commit, which never comes.
  func undoingWrite<Result>(_ body: () throws -> Result) throws -> Result {
    try undoing {
      try run("PRAGMA defer_foreign_keys = ON")
      return try body()
    }
  }

  private var savepointDepth = 0
  /// SQLite's message for the last failure, which may contain literals.
  private(set) var lastMessage = ""

  /// Returns the pages that statements accessed since the last call: all of them, and those that were not in the cache.
  func takePageCounts() -> (all: Int64, missed: Int64) {
    let missed = take(SQLITE_DBSTATUS_CACHE_MISS)
    return (take(SQLITE_DBSTATUS_CACHE_HIT) + missed, missed)
  }

  private func take(_ counter: Int32) -> Int64 {
    var current: Int32 = 0
    var highest: Int32 = 0
    sqlite3_db_status(handle, counter, &current, &highest, 1)
    return Int64(UInt32(bitPattern: current))
  }

  /// Writes the pages that trials changed, and drops all unused pages from the cache.
  func emptyCache() {
    sqlite3_db_cacheflush(handle)
    sqlite3_db_release_memory(handle)
  }

  /// The number of rows that the last INSERT, UPDATE or DELETE changed.
  var changedRows: Int64 { Int64(sqlite3_changes(handle)) }

  /// Returns the outline in which errors may show a statement of the authority.
  func outline(_ authority: StatementAuthority) -> SQLOutline {
    SQLOutline(names: authority == .own ? nil : names ?? SQLNames([String]()))
  }

  /// Returns the error for a failed call. Its text contains no literal and no value.
  func error(
    _ code: Int32, sql: String, authority: StatementAuthority, isRunning: Bool = false
  ) -> DiagnosisError {
    lastMessage = String(cString: sqlite3_errmsg(handle))
    let outline = outline(authority)
    if let reason = statementGuard.stopReason, code & 0xff == SQLITE_INTERRUPT { return .stopped(reason) }
    if code & 0xff == SQLITE_AUTH, let action = statementGuard.refusedAction {
      return .notAllowed(sql: outline.of(sql), action: action)
    }
    return switch code & 0xff {
    case SQLITE_BUSY, SQLITE_LOCKED: .locked(path: path)
    case SQLITE_CORRUPT: .corrupt(path: path)
    case SQLITE_NOTADB: .notADatabase(path: path)
    case SQLITE_NOMEM: .stopped(.memory)
    // A dead process left a hot journal; rolling it back requires writing.
    case SQLITE_READONLY where code == SQLITE_READONLY | (3 << 8): .needsRecovery(path: path)
    case SQLITE_READONLY where code != SQLITE_READONLY:
      .cannotOpen(path: path, reason: String(cString: sqlite3_errstr(code)))
    case SQLITE_CANTOPEN, SQLITE_IOERR, SQLITE_PROTOCOL:
      .cannotOpen(path: path, reason: String(cString: sqlite3_errstr(code)))
    default:
      .statement(
        sql: outline.of(sql, message: isRunning ? "" : lastMessage),
        reason: isRunning ? outline.messageOfRun(lastMessage) : outline.message(lastMessage))
    }
  }

  private static func openError(_ code: Int32, path: String) -> DiagnosisError {
    switch code & 0xff {
    case SQLITE_PERM, SQLITE_AUTH: .permissionDenied(path: path)
    case SQLITE_NOTADB: .notADatabase(path: path)
    case SQLITE_BUSY: .locked(path: path)
    default: .cannotOpen(path: path, reason: String(cString: sqlite3_errstr(code)))
    }
  }
}
