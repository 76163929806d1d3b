import Foundation
import GRDB

/// A database that was there before, for reading.
struct DatabaseFile {
  let path: String

  /// Reads it, or makes something that does.
  ///
  /// - Throws: ``DatabaseFileError``, and what the body throws that is no error of SQLite.
  func opened<Result>(_ body: (DatabaseQueue) throws -> Result) throws -> Result {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw DatabaseFileError.noFile(path)
    }
    if isFolder.boolValue { throw DatabaseFileError.isFolder(path) }
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(5)
    do {
      return try body(try DatabaseQueue(path: path, configuration: configuration))
    } catch let error as DatabaseError where error.resultCode == .SQLITE_NOTADB {
      throw DatabaseFileError.notADatabase(path)
    } catch let error as DatabaseError {
      throw DatabaseFileError.unreadable(path: path, reason: error.message ?? error.resultCode.description)
    }
  }
}

/// Why a database can't be read.
enum DatabaseFileError: CommandError, Equatable {
  case noFile(String)
  case isFolder(String)
  case notADatabase(String)
  case unreadable(path: String, reason: String)

  var description: String {
    switch self {
    case .noFile(let path): "There is no file \(path.printable). Name an SQLite database."
    case .isFolder(let path): "\(path.printable) is a folder. Name an SQLite database."
    case .notADatabase(let path):
      "\(path.printable) is no SQLite database, or is encrypted. Name an SQLite database without a key."
    case .unreadable(let path, let reason):
      "\(path.printable) can't be read: \(reason.printable). Check its permissions, and that no other program has locked it."
    }
  }
}
