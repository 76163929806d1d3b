import Foundation
public import GRDB

extension Store {
  /// Deletes everything and makes the schema anew.
  public func erase() async throws {
    let (schema, migrator) = (schema, migrator)
    try await wrappingErrors {
      try await writer.erase()
      let writer = writer
      try await offThread { try SchemaMigration.open(writer, schema: schema, migrator: migrator) }
    }
  }

  /// Copies the database as it was at the last commit, while others go on reading and writing.
  ///
  /// The copy appears under its name when it is complete.
  ///
  /// - Throws: ``StoreError/cannotOpen(path:reason:)`` when there is a file at `path` already, and others.
  public func backup(to path: String) async throws {
    guard !FileManager.default.fileExists(atPath: path) else {
      throw StoreError.cannotOpen(path: path, reason: "there is a file already; remove it, or choose another name")
    }
    let writer = writer
    let partial = path + ".partial-\(UUID().uuidString)"
    try await wrappingErrors {
      try await offThread {
        do {
          let copy = try DatabaseQueue(path: partial)
          try writer.backup(to: copy)
          try copy.close()
          try FileManager.default.moveItem(atPath: partial, toPath: path)
        } catch {
          try? FileManager.default.removeItem(atPath: partial)
          throw error
        }
      }
    }
  }

  /// Moves what was written from the write-ahead log into the database file.
  ///
  /// - Parameter mode: `.passive` moves what no reader needs; `.truncate` waits for readers and empties the log.
  public func checkpoint(_ mode: Database.CheckpointMode = .passive) async throws {
    try await wrappingErrors {
      try await writer.writeWithoutTransaction { db in
        guard db.isWriteAheadLogged else { return }
        _ = try db.checkpoint(mode)
      }
    }
  }

  /// Looks for damage of the file and for references that lead nowhere.
  ///
  /// - Returns: What is wrong, in SQLite's words; nothing for a database that is whole.
  /// - Complexity: Reads the whole file.
  public func integrityCheck() async throws -> [String] {
    try await wrappingErrors {
      try await writer.read { db in
        let damages = try String.fetchAll(db, sql: "PRAGMA integrity_check").filter { $0 != "ok" }
        let violations = try Row.fetchAll(db, sql: "PRAGMA foreign_key_check").map { row in
          "row \(row[1] as Int64? ?? 0) of table \(row[0] as String) refers to no row of table \(row[2] as String)"
        }
        return damages + violations
      }
    }
  }
}

extension Database {
  fileprivate var isWriteAheadLogged: Bool {
    (try? String.fetchOne(self, sql: "PRAGMA journal_mode")) == "wal"
  }
}
