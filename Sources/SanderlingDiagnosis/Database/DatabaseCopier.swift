import Foundation
import SanderlingSQLite

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Copies a database that other connections may be using, and leaves its folder unchanged.
///
/// SQLite's backup interface reads a database like any connection. That is right without a log, and while a write-ahead
/// log has its shared-memory file. But the first reader of an unopened database in WAL mode creates `-wal` and `-shm`
/// beside it and leaves them, even in read-only mode. In that case no connection uses the database. So its file and its
/// log are copied byte by byte under a shared lock, and the copy is opened instead.
struct DatabaseCopier {
  let source: SourceFile
  let target: String
  let options: DatabaseCopy.Options

  /// The pages of each step; cancellation and deadline are checked between steps.
  private static let pagesPerStep: Int32 = 2000
  private static let chunk = 1 << 20

  func copy() throws -> DatabaseHeader {
    let connection = try SQLiteConnection(path: source.path, mode: .readOnly)
    let file = try DatabaseFile(of: connection)
    guard let header = DatabaseHeader(try file.bytes(at: 0, count: SourceFile.headerLength)) else {
      throw DiagnosisError.notADatabase(path: source.path)
    }
    // A connection may open or close the database between the check and the copy. Then its files differ, and the check
    // is repeated.
    for _ in 0..<8 {
      let states = source.states
      if states[2] != nil || (states[1] == nil && !header.usesWriteAheadLog) {
        do {
          try backUp(connection)
          return header
        } catch DiagnosisError.cannotOpen where states[2] != nil {
          // This user can't use the shared memory, or a dead process left it read-only.
        }
      }
      if try copyBytes(of: file, while: states) { return header }
      try checkIn()
    }
    throw DiagnosisError.locked(path: source.path)
  }

  private func checkIn() throws {
    if options.cancellation?.isCancelled == true { throw DiagnosisError.stopped(.cancelled) }
    if options.deadline.hasPassed { throw DiagnosisError.stopped(.time) }
  }

  // MARK: By the backup interface

  private func backUp(_ connection: SQLiteConnection) throws {
    let copy = try SQLiteConnection(path: target, mode: .copy)
    try copy.run("PRAGMA journal_mode = OFF")
    try copy.run("PRAGMA synchronous = OFF")
    let patience = Deadline(after: options.lockTimeout)
    // One transaction for all steps: otherwise the copy would restart at each commit of another connection.
    try waiting(until: patience) { try connection.run("BEGIN") }
    defer { sqlite3_exec(connection.handle, "ROLLBACK", nil, nil, nil) }
    try waiting(until: patience) { _ = try connection.value("PRAGMA user_version") }
    guard let backup = sqlite3_backup_init(copy.handle, "main", connection.handle, "main") else {
      throw copyError(sqlite3_errcode(copy.handle))
    }
    defer { sqlite3_backup_finish(backup) }
    while true {
      try checkIn()
      switch sqlite3_backup_step(backup, Self.pagesPerStep) {
      case SQLITE_DONE: return
      case SQLITE_OK: continue
      case SQLITE_BUSY, SQLITE_LOCKED: try pause(until: patience)
      case let code: throw copyError(code)
      }
    }
  }

  private func waiting(until patience: Deadline, _ body: () throws -> Void) throws {
    while true {
      do {
        return try body()
      } catch DiagnosisError.locked {
        try checkIn()
        try pause(until: patience)
      }
    }
  }

  private func pause(until patience: Deadline) throws {
    if patience.hasPassed { throw DiagnosisError.locked(path: source.path) }
    sqlite3_sleep(20)
  }

  private func copyError(_ code: Int32) -> DiagnosisError {
    switch code & 0xff {
    case SQLITE_NOTADB: .notADatabase(path: source.path)
    case SQLITE_CORRUPT, SQLITE_ERROR: .corrupt(path: source.path)
    case SQLITE_READONLY: .needsRecovery(path: source.path)
    case SQLITE_FULL: .diskFull(folder: (target as NSString).deletingLastPathComponent, bytes: source.bytes, free: 0)
    case SQLITE_NOMEM: .stopped(.memory)
    default: .cannotOpen(path: source.path, reason: String(cString: sqlite3_errstr(code)))
    }
  }

  // MARK: Byte by byte

  /// Copies the file and its log. Returns false if another connection wrote to or opened the database meanwhile.
  private func copyBytes(of file: DatabaseFile, while states: [SourceFile.State?]) throws -> Bool {
    let patience = Deadline(after: options.lockTimeout)
    // Under this lock, no connection can checkpoint and remove the log, or write in rollback mode.
    while !(try file.lockShared()) {
      try checkIn()
      try pause(until: patience)
    }
    defer { file.unlock() }
    // A journal that begins with a zero byte is no longer in use.
    if let journal = FileHandle(forReadingAtPath: source.path + "-journal") {
      defer { try? journal.close() }
      if let first = try? journal.read(upToCount: 1)?.first, first != 0 {
        throw DiagnosisError.needsRecovery(path: source.path)
      }
    }
    try write(to: target) { try file.bytes(at: $0, count: Self.chunk) }
    try? FileManager.default.removeItem(atPath: target + "-wal")
    if states[1] != nil {
      // SQLite never locks the log file itself, so opening and closing it drops no lock of this process.
      guard let log = FileHandle(forReadingAtPath: source.walPath) else { return false }
      defer { try? log.close() }
      try write(to: target + "-wal") { _ in
        do { return try log.read(upToCount: Self.chunk).map { [UInt8]($0) } ?? [] } catch {
          throw DiagnosisError.cannotOpen(path: source.walPath, reason: "its bytes can't be read")
        }
      }
    }
    return source.states == states
  }

  private func write(to path: String, from read: (Int64) throws -> [UInt8]) throws {
    try? FileManager.default.removeItem(atPath: path)
    guard FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]),
      let output = FileHandle(forWritingAtPath: path)
    else {
      throw DiagnosisError.temporaryFolder(
        path: (path as NSString).deletingLastPathComponent, reason: "no file can be made in it")
    }
    defer { try? output.close() }
    var offset: Int64 = 0
    while true {
      try checkIn()
      let bytes = try read(offset)
      if bytes.isEmpty { return }
      offset += Int64(bytes.count)
      if offset > options.diskBudget {
        throw DiagnosisError.diskBudget(path: source.path, bytes: offset, budget: options.diskBudget)
      }
      do { try output.write(contentsOf: bytes) } catch {
        throw DiagnosisError.diskFull(
          folder: (path as NSString).deletingLastPathComponent, bytes: source.bytes, free: 0)
      }
    }
  }
}

/// The open SQLite file of a connection, for reading its bytes directly.
///
/// SQLite reads the bytes: closing a separate descriptor would drop the locks that other connections of this process
/// hold on the file.
private struct DatabaseFile {
  private let connection: SQLiteConnection
  private let file: UnsafeMutablePointer<sqlite3_file>
  private let methods: sqlite3_io_methods

  init(of connection: SQLiteConnection) throws {
    self.connection = connection
    var pointer: UnsafeMutablePointer<sqlite3_file>?
    let code = sqlite3_file_control(connection.handle, "main", SQLITE_FCNTL_FILE_POINTER, &pointer)
    guard code == SQLITE_OK, let pointer, let methods = pointer.pointee.pMethods else {
      throw DiagnosisError.cannotOpen(path: connection.path, reason: "SQLite gives no access to its bytes")
    }
    file = pointer
    self.methods = methods.pointee
  }

  /// Returns the bytes from `offset`, fewer than `count` at the end of the file.
  func bytes(at offset: Int64, count: Int) throws -> [UInt8] {
    var size: Int64 = 0
    var code = methods.xFileSize?(file, &size) ?? SQLITE_ERROR
    guard code == SQLITE_OK else { throw unreadable }
    guard offset >= 0, offset < size else { return [] }
    let count = Int(min(Int64(count), size - offset))
    // SQLite fills all bytes or returns an error, and after an error none count as initialized.
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      code = methods.xRead?(file, buffer.baseAddress, Int32(count), offset) ?? SQLITE_ERROR
      initialized = code == SQLITE_OK ? count : 0
    }
    guard code == SQLITE_OK else { throw unreadable }
    return bytes
  }

  private var unreadable: DiagnosisError { .cannotOpen(path: connection.path, reason: "its bytes can't be read") }

  /// Locks the file for reading. Returns false if another connection holds an exclusive lock.
  func lockShared() throws -> Bool {
    let code = methods.xLock?(file, SQLITE_LOCK_SHARED) ?? SQLITE_ERROR
    switch code & 0xff {
    case SQLITE_OK: return true
    case SQLITE_BUSY: return false
    default: throw DiagnosisError.cannotOpen(path: connection.path, reason: "it can't be locked for reading")
    }
  }

  func unlock() {
    _ = methods.xUnlock?(file, SQLITE_LOCK_NONE)
  }
}
