import Foundation
import GRDB
import SanderlingSQL

/// The database file of a store of Core Data or SwiftData, which the library only reads.
struct CoreDataFile {
  let path: String

  /// The version of Core Data's tables that is known.
  private static let version = 1

  /// The configuration of a connection that never changes the file.
  ///
  /// SQLite opens it with `mode=ro`. Such a connection moves no pages from the write-ahead log to the file, also when
  /// the last connection closes.
  static func readOnly(_ configuration: GRDB.Configuration?) -> GRDB.Configuration {
    var configuration = configuration ?? Store.defaultConfiguration
    configuration.readonly = true
    return configuration
  }

  /// Checks that the database is a store of a known version.
  ///
  /// - Throws: ``StoreError/cannotOpen(path:reason:)``, and errors of the database.
  func check(_ db: Database) throws {
    let reader = try SchemaReader(db)
    guard ["Z_METADATA", "Z_PRIMARYKEY"].allSatisfy({ reader.object(named: $0)?.type == "table" }) else {
      throw StoreError.cannotOpen(
        path: path,
        reason: "it is no store of Core Data or SwiftData, since it has no tables Z_METADATA and Z_PRIMARYKEY; "
          + "open other databases with Store.open(path:schema:)")
    }
    let found = try Int.fetchOne(db, sql: "SELECT max(Z_VERSION) FROM Z_METADATA")
    if found != Self.version {
      throw StoreError.cannotOpen(
        path: path,
        reason: "it is a store of Core Data of the unknown version \(found.map(String.init) ?? "NULL"), and version "
          + "\(Self.version) can be read; update Sanderling")
    }
  }

  /// Checks that there is a file, which SQLite would report like a missing permission.
  func checkExistence() throws {
    if !FileManager.default.fileExists(atPath: path) {
      throw StoreError.cannotOpen(path: path, reason: "there is no such file; check the path")
    }
  }

  /// Returns the error of opening with its cause and the remedy, where SQLite names neither.
  func explaining(_ error: any Error, since start: ContinuousClock.Instant) -> any Error {
    let wrapped = StoreError.wrapping(error, path: path, since: start)
    switch wrapped as? StoreError {
    // Other reasons than SQLite's come from the checks.
    case .readOnly, .cannotOpen: if !(error is DatabaseError) { return wrapped }
    default: return wrapped
    }
    let files = FileManager.default
    let name = URL(fileURLWithPath: path).lastPathComponent
    if !files.isReadableFile(atPath: path) {
      return StoreError.cannotOpen(path: path, reason: "it can't be read; check the permissions of the file")
    }
    if (error as? DatabaseError)?.extendedResultCode == .SQLITE_READONLY_ROLLBACK {
      return StoreError.cannotOpen(
        path: path,
        reason:
          "its last writer ended within a transaction, which only a writer can undo; open it with Core Data once, "
          + "and then again for reading")
    }
    return StoreError.cannotOpen(
      path: path,
      reason:
        "the file \(name)-wal or \(name)-shm is missing, and SQLite can't make it in this folder; make the folder "
        + "writable, or read a copy in another folder")
  }
}

extension CoreDataFile {
  /// The hidden folder beside the store, with the folder of its external files.
  var supportFolder: URL {
    let url = URL(fileURLWithPath: path)
    let name = url.deletingPathExtension().lastPathComponent
    return url.deletingLastPathComponent().appending(path: ".\(name)_SUPPORT", directoryHint: .isDirectory)
  }
}
