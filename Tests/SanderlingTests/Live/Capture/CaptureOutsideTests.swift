import Foundation
import GRDB
import Testing

@testable import Sanderling

/// Writes of other connections, as the capture notices them.
@Suite struct CaptureOutsideTests {
  let folder = FileManager.default.temporaryDirectory.appending(path: "sanderling-capture-\(UUID().uuidString)")

  func withDatabase(journal: String = "WAL", _ body: (CapturedDatabase, DatabaseQueue) throws -> Void) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "store.sqlite").path
    let database = try CapturedDatabase("PRAGMA journal_mode = \(journal); \(CaptureTests.table)", path: path)
    try database.install(NumberedRow.self)
    try body(database, try DatabaseQueue(beside: path))
  }

  @Test func ownCommitsAreNoOutsideChanges() throws {
    try withDatabase { database, _ in
      for _ in 0..<3 { try database.run("INSERT INTO numberedRow (x) VALUES ('a')") }
      try database.run("BEGIN IMMEDIATE; DELETE FROM numberedRow; ROLLBACK")
      #expect(!database.queue.inDatabase { database.capture.look($0) })
      #expect(database.take().outside == .none)
    }
  }

  @Test func nextCommitReportsOutsideChanges() throws {
    try withDatabase { database, other in
      try other.write { try $0.execute(sql: "INSERT INTO numberedRow (x) VALUES ('other')") }
      #expect(!database.capture.hasPending)
      try database.run("INSERT INTO numberedRow (x) VALUES ('a')")
      #expect(database.take().outside != .none)
      try database.run("INSERT INTO numberedRow (x) VALUES ('b')")
      #expect(database.take().outside == .none)
    }
  }

  /// A snapshot that began before the outside change was noticed doesn't contain it, so the next snapshot reports it
  /// again.
  @Test func checkingReportsOutsideChanges() throws {
    try withDatabase { database, other in
      let capture = database.capture
      try other.write { try $0.execute(sql: "INSERT INTO numberedRow (x) VALUES ('other')") }
      let attempt = capture.sequence.beginNaming()
      let commit = try #require(capture.sequence.confirm(attempt))
      #expect(database.queue.inDatabase { capture.look($0) })
      #expect(capture.take(through: commit).outside != .none)
      #expect(capture.hasPending)
      let next = try #require(capture.sequence.confirm(capture.sequence.beginNaming()))
      #expect(next == commit)
      #expect(capture.take(through: next).outside != .none)
      #expect(!capture.hasPending && capture.take(through: next).outside == .none)
    }
  }

  /// Queries that can't be read have the writer check again. If each check reported a change, each failure would cause
  /// the next, and `settled()` would not return while the lock lasts.
  @Test func numbersThatCannotBeReadAreReportedOnce() throws {
    try withDatabase(journal: "DELETE") { database, other in
      func look() -> Bool { database.queue.inDatabase { database.capture.look($0) } }
      try other.inDatabase { db in
        try db.execute(sql: "BEGIN EXCLUSIVE; CREATE TABLE other (x)")
        #expect(look())
        #expect(database.take().outside != .none)
        #expect(!look() && !database.capture.hasPending)
        try db.execute(sql: "COMMIT")
      }
      #expect(look())
      let changes = database.take()
      #expect(changes.outside != .none && changes.schemaChanged)
      #expect(!look() && !database.capture.hasPending)
    }
  }

  @Test func outsideSchemaChangesAreReported() throws {
    try withDatabase { database, other in
      try other.write { try $0.execute(sql: "CREATE TABLE other (x)") }
      #expect(database.queue.inDatabase { database.capture.look($0) })
      let changes = database.take()
      #expect(changes.outside != .none && changes.schemaChanged)
    }
  }
}
