import Foundation
import GRDB

/// An existing database, opened for reading.
struct DatabaseFile {
  let path: String

  /// Calls a function with a connection to the database.
  ///
  /// - Throws: ``DatabaseFileError`` for errors of SQLite, and other errors of the function unchanged.
  func opened<Result>(_ body: (DatabaseQueue) throws -> Result) throws -> Result {
    switch FileKind(at: path) {
    case .file: break
    case .nothing: throw DatabaseFileError.noFile(path)
    case .folder: throw DatabaseFileError.isFolder(path)
    case .other: throw DatabaseFileError.notAFile(path)
    case .hidden: throw DatabaseFileError.noPermission(path)
    }
    if access(path, R_OK) != 0 { throw DatabaseFileError.noPermission(path) }
    do {
      return try body(try queue())
    } catch let error as DatabaseError {
      throw DatabaseFileError(error, path: path)
    }
  }

  private func queue() throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(5)
    // SQLite would take a relative path that begins with `file:` for a URI with options.
    let file = URL(filePath: path).path
    do {
      return try DatabaseQueue(path: file, configuration: configuration)
    } catch let error as DatabaseError where error.message?.hasPrefix("malformed database schema") == true {
      // With this setting, SQLite leaves out schema objects that it can't parse. The connection is read-only, so the
      // setting can do no harm.
      configuration.prepareDatabase { db in
        try db.execute(sql: "PRAGMA writable_schema = ON")
        // The first statement finds the damage and fails. Later statements work.
        _ = try? db.makeStatement(sql: "SELECT 1 FROM main.sqlite_schema")
      }
      return try DatabaseQueue(path: file, configuration: configuration)
    }
  }
}

/// Why a database can't be read.
enum DatabaseFileError: CommandError, Equatable {
  case noFile(String)
  case isFolder(String)
  /// The path leads to a pipe or a device.
  case notAFile(String)
  case noPermission(String)
  case notADatabase(String)
  case compressed(String)
  case locked(String)
  case damaged(path: String, reason: String)
  case unreadable(path: String, reason: String)

  init(_ error: DatabaseError, path: String) {
    let reason = error.message ?? error.resultCode.description
    switch error.resultCode {
    case .SQLITE_NOTADB: self = Self.isCompressed(path) ? .compressed(path) : .notADatabase(path)
    case .SQLITE_BUSY, .SQLITE_LOCKED: self = .locked(path)
    case .SQLITE_PERM: self = .noPermission(path)
    case .SQLITE_CORRUPT: self = .damaged(path: path, reason: reason)
    // SQLite has no specific code for a schema that it can't parse.
    case .SQLITE_ERROR where reason.hasPrefix("malformed database schema"): self = .damaged(path: path, reason: reason)
    default: self = .unreadable(path: path, reason: reason)
    }
  }

  /// Whether the file begins like a gzip, Zip, Zstandard, xz or bzip2 file.
  private static func isCompressed(_ path: String) -> Bool {
    guard let file = FileHandle(forReadingAtPath: path) else { return false }
    defer { try? file.close() }
    guard let head = try? file.read(upToCount: 4) else { return false }
    let beginnings: [[UInt8]] = [
      [0x1F, 0x8B], [0x50, 0x4B, 3, 4], [0x28, 0xB5, 0x2F, 0xFD], [0xFD, 0x37, 0x7A], [0x42, 0x5A, 0x68],
    ]
    return beginnings.contains { head.starts(with: $0) }
  }

  var description: String {
    switch self {
    case .noFile(let path): "There is no file \(path.printable). Name an SQLite database."
    case .isFolder(let path): "\(path.printable) is a folder. Name an SQLite database."
    case .notAFile(let path):
      "\(path.printable) is no file but a pipe or a device, which SQLite can't read. Name an SQLite database."
    case .noPermission(let path):
      "\(path.printable) can't be read: you lack the permission. Check the permissions of the file."
    case .notADatabase(let path):
      "\(path.printable) is no SQLite database, or is encrypted. Name an SQLite database without a key."
    case .compressed(let path): "\(path.printable) is compressed. Unpack it, and name the SQLite database."
    case .locked(let path): "\(path.printable) is locked by another program. Run this again when that program is done."
    case .damaged(let path, let reason):
      "\(path.printable) is damaged: \(reason.printable). The sqlite3 shell's .recover saves what can be read."
    case .unreadable(let path, let reason):
      "\(path.printable) can't be read: \(reason.printable). Check the file, its folder and their permissions."
    }
  }
}
